import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { authorizationHeader, normalizeApiKey, normalizeBaseUrl, withoutKey } from './credential';
import { TLS_CODE } from './retry';

const TIMEOUT_MS = 15_000;

const UNREACHABLE: Record<string, string> = {
	ECONNREFUSED: 'the connection was refused',
	ENOTFOUND: 'its host name is unknown',
	EAI_AGAIN: 'its host name could not be looked up',
	ETIMEDOUT: 'it did not answer in time',
	ESOCKETTIMEDOUT: 'it did not answer in time',
	ECONNABORTED: 'it did not answer in time',
	ECONNRESET: 'the connection broke',
};

const error = (message: string): INodeCredentialTestResult => ({ status: 'Error', message });

/**
 * One harmless read (the SCIM configuration) that tells a wrong key, a missing scope, a wrong address and an
 * unreachable host apart. Uses the one request helper that n8n gives a credential test.
 * @param timeoutMs longest wait for the answer, in milliseconds
 * Spec: Authentication, Service provider configuration.
 */
export async function testCredential(
	context: ICredentialTestFunctions,
	data: ICredentialDataDecryptedObject,
	timeoutMs = TIMEOUT_MS,
): Promise<INodeCredentialTestResult> {
	let baseUrl: string;
	let authorization: string;
	try {
		baseUrl = normalizeBaseUrl(data.baseUrl);
		authorization = authorizationHeader(data);
	} catch (invalid) {
		return error((invalid as Error).message);
	}
	const redact = (text: string) => withoutKey(text, normalizeApiKey(data.apiKey));
	let response: { statusCode: number; body?: unknown; headers?: Record<string, unknown> };
	try {
		response = await context.helpers.request({
			method: 'GET',
			uri: `${baseUrl}/scim/ServiceProviderConfigs`,
			headers: { Authorization: authorization, Accept: 'application/scim+json, application/json' },
			simple: false,
			resolveWithFullResponse: true,
			followRedirect: false,
			timeout: timeoutMs,
		});
	} catch (failed) {
		const { code, cause } = failed as { code?: string; cause?: { code?: string } };
		const why = reason(code ?? cause?.code) ?? redact((failed as Error).message);
		return error(`${new URL(baseUrl).host} could not be reached: ${why}. Check Base URL`);
	}
	const location = redact(String(response.headers?.location ?? ''));
	return verdict(response.statusCode, isJsonObject(response.body), location, baseUrl);
}

function reason(code: string | undefined): string | undefined {
	if (code === undefined) return undefined;
	if (TLS_CODE.test(code)) return `its certificate or TLS set-up was not accepted (${code})`;
	return UNREACHABLE[code] ?? code;
}

function verdict(
	statusCode: number,
	isJson: boolean,
	location: string,
	baseUrl: string,
): INodeCredentialTestResult {
	if (statusCode >= 200 && statusCode < 300 && isJson) {
		return { status: 'OK', message: 'Connection successful' };
	}
	if (statusCode === 401) {
		return error('The service did not accept the API key. Paste a valid one into API Key');
	}
	if (statusCode === 403 && isJson) {
		return error(
			'The API key is valid but lacks the scope for SCIM (users and groups). If it is meant for the audit log or transfers only, save it all the same',
		);
	}
	if (statusCode === 429)
		return error('The service takes no more requests right now (rate limit). Try again later');
	if (statusCode >= 500)
		return error(`The service is failing right now (HTTP ${statusCode}). Try again later`);
	if (statusCode >= 300 && statusCode < 400) {
		return error(
			`${baseUrl} redirects to another address${location === '' ? '' : `: ${location}`}. Put the right one into Base URL`,
		);
	}
	return error(
		`${baseUrl} is not the address of the Enterprise API (HTTP ${statusCode}${isJson ? '' : ', no JSON'}). Check Base URL`,
	);
}

function isJsonObject(body: unknown): boolean {
	try {
		const value: unknown = typeof body === 'string' ? JSON.parse(body) : body;
		return typeof value === 'object' && value !== null && !Array.isArray(value);
	} catch {
		return false;
	}
}
