/**
 * What the credential's two fields mean, for the nodes, the credential type and its test alike.
 * Spec: Authentication, Versioning.
 */

export const CREDENTIAL_NAME = 'muralEnterpriseApi';
export const DEFAULT_BASE_URL = 'https://api.mural.co/enterprise/v1';

const VERSION_PATH = '/enterprise/v1';
const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The credential as the user saved it. */
export interface MuralEnterpriseCredential {
	apiKey: string;
	baseUrl: string;
}

/**
 * The base URL as requests use it: no trailing slash, ending in `/enterprise/v1`. A bare host gets the
 * version path appended.
 * @throws Error naming Base URL and what to put there
 */
export function normalizeBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	const refuse = (reason: string) =>
		new Error(`Base URL ${reason}. Use an address such as ${DEFAULT_BASE_URL}`);
	if (text === '') return DEFAULT_BASE_URL;
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (!url || !/^https?:$/.test(url.protocol)) {
		throw refuse('is not a web address (it has to start with https://)');
	}
	if (url.protocol === 'http:' && !LOCAL_HOSTS.has(url.hostname)) {
		throw refuse('has to start with https:// (http:// is accepted for localhost only)');
	}
	if (url.username !== '' || url.password !== '') {
		throw refuse('must not hold a user name or password');
	}
	if (url.search !== '' || url.hash !== '') {
		throw refuse('must end after the path, without ? or #');
	}
	const path = url.pathname.replace(/\/+$/, '');
	if (path === '') return url.origin + VERSION_PATH;
	if (!path.endsWith(VERSION_PATH)) {
		throw refuse(`has to end with ${VERSION_PATH}`);
	}
	return url.origin + path;
}

/**
 * The key without surrounding white space and without a scheme word pasted along with it.
 * @throws Error naming API Key
 */
export function normalizeApiKey(value: unknown): string {
	const key = typeof value === 'string' ? value.trim().replace(/^apikey(?:\s+|$)/i, '') : '';
	if (key === '') {
		throw new Error(
			'API Key is empty. Paste the key that a company admin made for the Enterprise API',
		);
	}
	// A header value cannot carry these; Node's own message would quote the key.
	if (!/^[\x21-\x7e]+$/.test(key)) {
		throw new Error(
			'API Key holds a space, a line break or another character no key has. Paste it again',
		);
	}
	return key;
}

/** The value of the `Authorization` header. Spec: Authentication, rule 1. */
export function authorizationHeader(credential: { apiKey?: unknown }): string {
	return `apikey ${normalizeApiKey(credential.apiKey)}`;
}

/**
 * The text with `***` in place of the key. Services have been seen to echo headers; as a part of an address or of JSON
 * the key is escaped.
 */
export function withoutKey(text: string, key: string): string {
	const forms = [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)];
	return forms.reduce((rest, form) => rest.replaceAll(form, '***'), text);
}
