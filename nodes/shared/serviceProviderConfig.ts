import type { IDataObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { Client, ServiceRequest } from './client';
import type { Sentence } from './errors';
import { once } from './once';

/** What the service says it can do. Spec: Service provider configuration. */

/** RFC 7643, section 5. The spec shows no body, so everything may be absent. */
export interface ServiceProviderConfig extends IDataObject {
	patch?: { supported?: boolean };
	filter?: { supported?: boolean };
}

const FEATURES = ['patch', 'bulk', 'filter', 'changePassword', 'sort', 'etag'];

type Feature = 'filter' | 'patch';

const UNSUPPORTED: Record<Feature, Sentence> = {
	patch: [
		'The service does not support changing parts of a resource (PATCH), which this operation needs',
		"Its Service Provider Config says so. To change a member, use the operation 'Replace' of the resource User; a group cannot be changed then.",
	],
	filter: [
		'The service does not support looking members up by e-mail or external ID (filter), which this operation needs',
		"Its Service Provider Config says so. Name members by ID or pick them from the list; 'Get Many' without filters gives all of them.",
	],
};

/** Statuses with which services refuse what they do not support. */
const REFUSALS = new Set(['400', '405', '501']);

/** GET /scim/ServiceProviderConfigs. */
export async function getServiceProviderConfig(
	client: Client,
	itemIndex?: number,
): Promise<ServiceProviderConfig> {
	const request: ServiceRequest = {
		method: 'GET',
		path: ['scim', 'ServiceProviderConfigs'],
		scim: true,
		itemIndex,
	};
	const config = await client.request<ServiceProviderConfig | undefined | null>(request);
	if (!FEATURES.some((name) => typeof config?.[name] === 'object')) {
		throw client.unexpected(request, 'something that is no configuration');
	}
	return config as ServiceProviderConfig;
}

/** The configuration as one flag a feature, `null` where it does not say. */
export function simplifyConfig(config: IDataObject): IDataObject {
	const supported = (name: string) =>
		(config[name] as { supported?: boolean } | undefined)?.supported ?? null;
	const { maxResults = null } = (config.filter ?? {}) as IDataObject;
	return {
		...Object.fromEntries(FEATURES.map((name) => [name, supported(name)])),
		filterMaxResults: maxResults,
	};
}

/**
 * Sends a SCIM request. When the service refuses a filter or a PATCH, its configuration is looked up, once per run,
 * and the error says so if that is the reason. A request that succeeds costs nothing more.
 */
export async function requestScim<T = IDataObject>(
	client: Client,
	request: ServiceRequest,
): Promise<T> {
	try {
		return await client.request<T>(request);
	} catch (error) {
		throw await explained(client, request, error);
	}
}

async function explained(
	client: Client,
	request: ServiceRequest,
	error: unknown,
): Promise<unknown> {
	const feature = featureOf(request);
	const isRefusal = error instanceof NodeApiError && REFUSALS.has(error.httpCode ?? '');
	if (!isRefusal || feature === undefined) return error;
	const config = await once(client, 'serviceProviderConfig', async () => {
		try {
			return await getServiceProviderConfig(client, request.itemIndex);
		} catch {
			// It could only have explained the error; without it the error stands as it is.
			return undefined;
		}
	});
	if (config?.[feature]?.supported === false) {
		const [message, advice] = UNSUPPORTED[feature];
		error.message = message;
		error.description = `${advice} (HTTP ${error.httpCode})`;
	}
	return error;
}

function featureOf({ method, query }: ServiceRequest): Feature | undefined {
	if (method === 'PATCH') return 'patch';
	return query?.filter === undefined ? undefined : 'filter';
}
