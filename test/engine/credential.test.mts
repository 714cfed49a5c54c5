import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

import nock from 'nock';
import type { IDataObject, INodeCredentialTestResult } from 'n8n-workflow';

import { testCredential } from '../../nodes/shared/credentialTest';
import { MuralEnterprise } from '../../nodes/MuralEnterprise/MuralEnterprise.node';
import type { Sandbox } from '../sandbox/index.mts';
import { startSandbox } from '../sandbox/index.mts';
import type { ScriptedServer } from '../unit/shared/server.mts';
import { startServer } from '../unit/shared/server.mts';
import { credentialTestContext, executeContext } from './contexts.mts';
import type { Credential } from './engine.mts';

let sandbox: Sandbox;
let server: ScriptedServer;
beforeAll(async () => {
	sandbox = await startSandbox({ sizes: { users: 5, groups: 1, workspaces: 1, entries: 10 } });
	server = await startServer();
});
afterAll(async () => {
	await sandbox.close();
	await server.close();
});
beforeEach(() => {
	sandbox.admin.clearRequests();
	sandbox.admin.clearFaults();
	server.received.length = 0;
});

async function tested(credential: Partial<Credential> = {}): Promise<INodeCredentialTestResult> {
	const data = { apiKey: sandbox.key, baseUrl: sandbox.url, ...credential };
	const { muralEnterpriseApiTest } = new MuralEnterprise().methods.credentialTest;
	const stored = { id: '1', name: 'Sandbox', type: 'muralEnterpriseApi', data };
	const context = credentialTestContext(data);
	const result = await muralEnterpriseApiTest.call(context as never, stored);
	expect(result.message).not.toContain(data.apiKey.trim() || 'nothing to leak');
	return result;
}

describe('the test of the credential', () => {
	test('works, with one read that changes nothing', async () => {
		expect(await tested()).toEqual({ status: 'OK', message: 'Connection successful' });
		const requests = sandbox.admin.requests();
		expect(requests).toHaveLength(1);
		expect(requests[0]).toMatchObject({
			method: 'GET',
			path: '/scim/ServiceProviderConfigs',
			keyMatched: true,
			keyLeaked: false,
			status: 200,
		});
	});

	test('forgives what is pasted along', async () => {
		const apiKey = `  apiKey ${sandbox.key}\n`;
		expect(await tested({ apiKey, baseUrl: ` ${sandbox.url}/ ` })).toMatchObject({ status: 'OK' });
		const { origin } = new URL(sandbox.url);
		expect(await tested({ baseUrl: origin })).toMatchObject({ status: 'OK' });
	});

	const noScim = () => sandbox.admin.createKey({ scopes: ['audit'] }).key;

	test.each<[string, () => Partial<Credential>, string]>([
		[
			'no key',
			() => ({ apiKey: ' ' }),
			'API Key is empty. Paste the key that a company admin made for the Enterprise API',
		],
		[
			'an address that is none',
			() => ({ baseUrl: 'mural' }),
			'Base URL is not a web address (it has to start with https://). Use an address such as https://api.mural.co/enterprise/v1',
		],
		[
			'a wrong key',
			() => ({ apiKey: 'wrong-key-0' }),
			'The service did not accept the API key. Paste a valid one into API Key',
		],
		[
			'a key without the scope',
			() => ({ apiKey: noScim() }),
			'The API key is valid but lacks the scope for SCIM (users and groups). If it is meant for the audit log or transfers only, save it all the same',
		],
		[
			'a path that is not the API',
			() => ({ baseUrl: sandbox.url.replace('/enterprise', '/other/enterprise') }),
			'is not the address of the Enterprise API (HTTP 404). Check Base URL',
		],
	])('%s', async (_, credential, message) => {
		const result = await tested(credential());
		expect(result.status).toBe('Error');
		expect(result.message.endsWith(message)).toBe(true);
	});

	test('a web page, a rate limit, an outage', async () => {
		sandbox.admin.fault({ kind: 'html' });
		expect((await tested()).message).toContain('(HTTP 200, no JSON). Check Base URL');
		sandbox.admin.fault({ kind: 'html', status: 403 });
		expect((await tested()).message).toContain('(HTTP 403, no JSON). Check Base URL');
		sandbox.admin.fault({ kind: 'body', text: '{"schemas": [' });
		expect((await tested()).message).toContain('(HTTP 200, no JSON). Check Base URL');
		sandbox.admin.fault({ kind: 'status', status: 429 });
		expect((await tested()).message).toContain('rate limit');
		sandbox.admin.fault({ kind: 'status', status: 503 });
		expect((await tested()).message).toBe(
			'The service is failing right now (HTTP 503). Try again later',
		);
	});

	test('a redirect is told and not followed', async () => {
		const location = `${server.origin}/moved?key=${sandbox.key}`;
		sandbox.admin.fault({ kind: 'redirect', location });
		const { status, message } = await tested();
		expect(status).toBe('Error');
		expect(message).toContain(`redirects to another address: ${server.origin}/moved?key=***`);
		expect(server.received).toEqual([]);
	});

	test('a key that is escaped in a redirect is not shown either', async () => {
		const { key: apiKey } = sandbox.admin.createKey({ key: 'odd+key/1=="' });
		const location = `${server.origin}/moved?key=${encodeURIComponent(apiKey)}`;
		sandbox.admin.fault({ kind: 'redirect', location });
		expect((await tested({ apiKey })).message).toContain('/moved?key=***');
	});

	test('nobody listens', async () => {
		const closed = createServer().listen(0, '127.0.0.1');
		await new Promise((resolve) => closed.once('listening', resolve));
		const { port } = closed.address() as AddressInfo;
		await new Promise((resolve) => closed.close(resolve));
		expect(await tested({ baseUrl: `http://127.0.0.1:${port}` })).toEqual({
			status: 'Error',
			message: `127.0.0.1:${port} could not be reached: the connection was refused. Check Base URL`,
		});
	});

	test('a connection that breaks', async () => {
		sandbox.admin.fault({ kind: 'reset' });
		expect((await tested()).message).toContain('could not be reached: the connection broke');
	});

	test('no answer in time', async () => {
		sandbox.admin.fault({ kind: 'hang' });
		const data = { apiKey: sandbox.key, baseUrl: sandbox.url };
		const result = await testCredential(credentialTestContext(data) as never, data, 50);
		expect(result).toEqual({
			status: 'Error',
			message: `${new URL(sandbox.url).host} could not be reached: it did not answer in time. Check Base URL`,
		});
	});

	describe('hosts elsewhere', () => {
		const baseUrl = 'https://service.invalid/enterprise/v1';
		const fail = (error: object) => {
			nock(baseUrl)
				.get('/scim/ServiceProviderConfigs')
				.replyWithError(error as Error);
		};
		beforeAll(() => nock.disableNetConnect());
		afterAll(() => {
			nock.enableNetConnect();
			nock.restore();
		});

		test.each([
			['ENOTFOUND', 'its host name is unknown'],
			['EAI_AGAIN', 'its host name could not be looked up'],
			['CERT_HAS_EXPIRED', 'its certificate or TLS set-up was not accepted (CERT_HAS_EXPIRED)'],
			['EWHATEVER', 'EWHATEVER'],
		])('%s', async (code, why) => {
			fail(Object.assign(new Error(`failed with ${code}`), { code }));
			expect(await tested({ baseUrl })).toEqual({
				status: 'Error',
				message: `service.invalid could not be reached: ${why}. Check Base URL`,
			});
		});

		test('an error without a code, that holds the key', async () => {
			fail(new Error(`header "apikey ${sandbox.key}" is odd`));
			expect((await tested({ baseUrl })).message).toContain('header "apikey ***" is odd');
		});
	});
});

/** The options n8n's HTTP Request node builds (its `uri` is ours to find). */
const httpRequest = async (uri: string, credential: Partial<Credential> = {}) => {
	const context = executeContext({ apiKey: sandbox.key, baseUrl: sandbox.url, ...credential });
	return (await context.helpers.requestWithAuthentication.call(context, 'muralEnterpriseApi', {
		headers: {},
		method: 'GET',
		uri,
		gzip: true,
		rejectUnauthorized: true,
		followRedirect: true,
		followAllRedirects: true,
		resolveWithFullResponse: true,
		simple: false,
		json: true,
		// The default of the node's older versions.
		sendCredentialsOnCrossOriginRedirect: true,
	})) as { statusCode: number; body: IDataObject };
};

describe('the HTTP Request node', () => {
	test('can use it', async () => {
		const { statusCode, body } = await httpRequest(`${sandbox.url}/scim/Users?count=2`);
		expect(statusCode).toBe(200);
		expect(body.Resources).toHaveLength(2);
	});

	test('cannot send the key elsewhere', async () => {
		await expect(httpRequest(`${server.origin}/enterprise/v1/audit-log`)).rejects.toThrow(
			`only sent to ${new URL(sandbox.url).origin}, the Base URL of its credential`,
		);
		expect(server.received).toEqual([]);
	});

	test('a redirect to another port goes without the key', async () => {
		sandbox.admin.fault({ kind: 'redirect', location: server.origin });
		await httpRequest(`${sandbox.url}/audit-log`);
		expect(server.received).toHaveLength(1);
		expect(server.received[0].headers).not.toHaveProperty('authorization');
	});

	test('a redirect to another host is refused', async () => {
		const { port } = new URL(server.origin);
		sandbox.admin.fault({ kind: 'redirect', location: `http://localhost:${port}` });
		await expect(httpRequest(`${sandbox.url}/audit-log`)).rejects.toThrow('localhost');
		expect(server.received).toEqual([]);
	});

	test('a redirect to a subdomain, to which the HTTP library would take the key, is refused', async () => {
		nock.activate();
		nock('https://api.example').get(/.*/).reply(302, '', { location: 'https://x.api.example/' });
		const elsewhere = nock('https://x.api.example').get(/.*/).reply(200, {});
		const baseUrl = 'https://api.example/enterprise/v1';
		const request = httpRequest(`${baseUrl}/audit-log`, { baseUrl });
		await expect(request).rejects.toThrow('x.api.example');
		expect(elsewhere.isDone()).toBe(false);
		nock.cleanAll();
		nock.restore();
	});
});
