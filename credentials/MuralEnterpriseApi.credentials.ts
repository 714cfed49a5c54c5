import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import {
	authorizationHeader,
	DEFAULT_BASE_URL,
	normalizeBaseUrl,
} from '../nodes/shared/credential';

/**
 * The credential's test is the node's `muralEnterpriseApiTest` (`testedBy`): a request described here could
 * only show a bare code such as ECONNREFUSED for a host that cannot be reached.
 */
export class MuralEnterpriseApi implements ICredentialType {
	name = 'muralEnterpriseApi';

	displayName = 'Mural Enterprise API';

	icon: Icon = {
		light: 'file:../icons/muralEnterprise.svg',
		dark: 'file:../icons/muralEnterprise.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-mural-enterprise/n8n-nodes-mural-enterprise#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description:
				'Made by a company admin and shown once. Transfer needs a key with the scope manage_content.',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: DEFAULT_BASE_URL,
			placeholder: DEFAULT_BASE_URL,
			description: 'Change it only for a sandbox or a proxy. It ends with /enterprise/v1.',
		},
	];

	/**
	 * Adds the key, and only to requests to the base URL's own origin (HTTP Request node included). A redirect may
	 * not leave the host: the HTTP library would take the header along to a subdomain.
	 */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions & { uri?: string },
	): Promise<IHttpRequestOptions> {
		const allowed = new URL(normalizeBaseUrl(credentials.baseUrl));
		// The HTTP Request node names the address `uri`.
		const address = requestOptions.url ?? requestOptions.uri;
		const target = new URL(address, requestOptions.baseURL).origin;
		if (target !== allowed.origin) {
			throw new Error(
				`The key of Mural Enterprise is only sent to ${allowed.origin}, the Base URL of its credential, not to ${target}`,
			);
		}
		requestOptions.sendCredentialsOnCrossOriginRedirect = false;
		requestOptions.allowedDomains ??= allowed.hostname;
		requestOptions.headers = {
			...requestOptions.headers,
			Authorization: authorizationHeader(credentials),
		};
		return requestOptions;
	}
}
