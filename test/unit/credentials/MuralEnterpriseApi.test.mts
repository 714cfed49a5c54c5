import type { IHttpRequestOptions } from 'n8n-workflow';

import { MuralEnterpriseApi } from '../../../credentials/MuralEnterpriseApi.credentials';

const type = new MuralEnterpriseApi();
const credential = { apiKey: ' apikey secret-1 ', baseUrl: 'https://api.mural.co/enterprise/v1/' };
const authenticate = async (options: object, data = credential) =>
	await type.authenticate(data, options as IHttpRequestOptions);

test('adds the header and keeps what is there', async () => {
	const options = await authenticate({
		method: 'GET',
		url: 'https://api.mural.co/enterprise/v1/scim/Users',
		headers: { Accept: 'application/json' },
	});
	expect(options).toEqual({
		method: 'GET',
		url: 'https://api.mural.co/enterprise/v1/scim/Users',
		headers: { Accept: 'application/json', Authorization: 'apikey secret-1' },
		sendCredentialsOnCrossOriginRedirect: false,
		allowedDomains: 'api.mural.co',
	});
});

test.each([
	['url', { url: 'https://api.mural.co/enterprise/v1/audit-log' }],
	['uri, as the HTTP Request node has it', { uri: 'https://api.mural.co/enterprise/v1/audit-log' }],
	['baseURL and url', { baseURL: 'https://api.mural.co/enterprise/v1', url: '/audit-log' }],
	['upper case and the default port', { url: 'https://API.mural.co:443/enterprise/v1/audit-log' }],
	['another path of the same origin', { url: 'https://api.mural.co/other' }],
])('the key goes to the origin of the base URL: %s', async (_, options) => {
	expect((await authenticate(options)).headers).toEqual({ Authorization: 'apikey secret-1' });
});

test.each([
	['another host', { url: 'https://evil.example/enterprise/v1' }],
	['uri of another host', { uri: 'https://evil.example/enterprise/v1' }],
	['a subdomain', { url: 'https://x.api.mural.co/enterprise/v1' }],
	['the host as a user name', { url: 'https://api.mural.co@evil.example/enterprise/v1' }],
	['a longer name', { url: 'https://api.mural.co.evil.example/enterprise/v1' }],
	['plain http', { url: 'http://api.mural.co/enterprise/v1' }],
	['another port', { url: 'https://api.mural.co:8443/enterprise/v1' }],
	[
		'a url without a scheme that leaves the baseURL',
		{ baseURL: 'https://api.mural.co', url: '//evil.example/x' },
	],
	['another baseURL', { baseURL: 'https://evil.example', url: '/enterprise/v1' }],
])('and to no other: %s', async (_, options) => {
	const refused = authenticate(options);
	await expect(refused).rejects.toThrow('is only sent to https://api.mural.co');
	await expect(refused).rejects.not.toThrow('secret-1');
	expect(options).not.toHaveProperty('headers');
});

test('keeps a stricter list of domains that the user made', async () => {
	const url = 'https://api.mural.co/enterprise/v1';
	const { allowedDomains } = await authenticate({ url, allowedDomains: 'mural.co' });
	expect(allowedDomains).toBe('mural.co');
});

test('refuses a credential that cannot be used', async () => {
	const url = 'https://api.mural.co/enterprise/v1';
	await expect(authenticate({ url }, { apiKey: '', baseUrl: '' })).rejects.toThrow(
		'API Key is empty',
	);
	await expect(authenticate({ url }, { apiKey: 'x', baseUrl: 'http://a.example' })).rejects.toThrow(
		'Base URL has to start with https://',
	);
});

test('the key is a password field, the address has the default of the service', () => {
	const [apiKey, baseUrl] = type.properties;
	expect(apiKey).toMatchObject({ name: 'apiKey', typeOptions: { password: true }, required: true });
	expect(baseUrl).toMatchObject({ name: 'baseUrl', default: 'https://api.mural.co/enterprise/v1' });
});
