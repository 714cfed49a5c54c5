import type { IDataObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { ServiceRequest } from '../../../nodes/shared/client';
import { Client } from '../../../nodes/shared/client';
import { executeContext } from '../../engine/contexts.mts';
import type { ScriptedServer, Step } from './server.mts';
import { startServer } from './server.mts';

let server: ScriptedServer;
beforeAll(async () => {
	server = await startServer();
});
afterAll(async () => await server.close());
beforeEach(() => {
	server.received.length = 0;
	server.script = [{ body: { ok: true } }];
});

const credential = () => ({ apiKey: 'secret-key-1', baseUrl: server.url });
const client = async () => await Client.create(executeContext(credential()));

async function send(request: Partial<ServiceRequest> = {}, script?: Step[]) {
	if (script) server.script = script;
	return await (await client()).request({ method: 'GET', path: ['audit-log'], ...request });
}

async function failure(request: Partial<ServiceRequest>, script?: Step[]) {
	const error = await send(request, script).then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	expect(error).toBeInstanceOf(NodeApiError);
	return error as NodeApiError;
}

describe('address', () => {
	test.each([
		['abc', 'abc'],
		['a/b', 'a%2Fb'],
		['%2F', '%252F'],
		['../Users', '..%2FUsers'],
		['..%2f', '..%252f'],
		['a?b=c#d', 'a%3Fb%3Dc%23d'],
		['a;b', 'a%3Bb'],
		['\\', '%5C'],
		['ann+x@example.com', 'ann%2Bx%40example.com'],
		['zoë', 'zo%C3%AB'],
		['日本', '%E6%97%A5%E6%9C%AC'],
		['😀', '%F0%9F%98%80'],
		['a b', 'a%20b'],
		['x\r\nHost: evil', 'x%0D%0AHost%3A%20evil'],
		['\u0000', '%00'],
		['...', '...'],
		[' ', '%20'],
	])('the path segment %j goes out as %s', async (segment, encoded) => {
		await send({ path: ['scim', 'Users', segment] });
		expect(server.received[0].url).toBe(`/enterprise/v1/scim/Users/${encoded}`);
	});

	test.each([[''], ['.'], ['..'], ['\ud800'], ['a\udc00b']])(
		'the path segment %j is refused before sending, by the name of its parameter',
		async (segment) => {
			const subject = { kind: 'user', parameter: 'User', value: segment };
			const request = send({ path: ['scim', 'Users', segment], subject, itemIndex: 3 });
			await expect(request).rejects.toThrow(/^'User' is (empty|not a value the service can have)$/);
			await expect(request).rejects.toBeInstanceOf(NodeOperationError);
			await expect(request).rejects.toMatchObject({ context: { itemIndex: 3 } });
			expect(server.received).toEqual([]);
		},
	);

	test('query names and values are encoded, undefined ones left out', async () => {
		await send({
			query: {
				'filter[date][since]': '2026-01-01 00:00:00',
				nextToken: 'a+b/c==&x=1',
				filter: 'userName eq "ü\\"&"',
				maxResults: 0,
				empty: '',
				absent: undefined,
			},
		});
		const { url } = server.received[0];
		expect(url).toBe(
			'/enterprise/v1/audit-log?filter%5Bdate%5D%5Bsince%5D=2026-01-01%2000%3A00%3A00' +
				'&nextToken=a%2Bb%2Fc%3D%3D%26x%3D1&filter=userName%20eq%20%22%C3%BC%5C%22%26%22' +
				'&maxResults=0&empty=',
		);
		const query = new URL(url, server.origin).searchParams;
		expect(query.get('nextToken')).toBe('a+b/c==&x=1');
		expect(query.get('filter')).toBe('userName eq "ü\\"&"');
	});
});

describe('headers and body', () => {
	test('a read of the audit log', async () => {
		await send();
		const { method, headers, body } = server.received[0];
		expect({ method, body }).toEqual({ method: 'GET', body: '' });
		expect(headers).toMatchObject({
			authorization: 'apikey secret-key-1',
			accept: 'application/json',
		});
		expect(headers).not.toHaveProperty('content-type');
	});

	test('a SCIM read', async () => {
		await send({ scim: true });
		const { headers } = server.received[0];
		expect(headers.accept).toBe('application/scim+json, application/json');
		expect(headers).not.toHaveProperty('content-type');
	});

	test('a SCIM change', async () => {
		const body = { userName: 'zoë@example.com', active: false, name: { givenName: '' } };
		await send({ method: 'PATCH', scim: true, body });
		const { headers, ...received } = server.received[0];
		expect(headers['content-type']).toBe('application/scim+json');
		expect(JSON.parse(received.body)).toEqual(body);
	});

	test('a change elsewhere', async () => {
		await send({ method: 'POST', body: { transferFromUser: 'a@example.com' } });
		expect(server.received[0].headers['content-type']).toBe('application/json');
	});

	test('a key with white space and scheme word around it', async () => {
		const context = executeContext({ apiKey: ' apiKey secret-key-1\n', baseUrl: `${server.url}/` });
		await (await Client.create(context)).request({ method: 'GET', path: ['audit-log'] });
		expect(server.received[0].headers.authorization).toBe('apikey secret-key-1');
		expect(server.received[0].url).toBe('/enterprise/v1/audit-log');
	});
});

describe('answers', () => {
	test.each<[string, Step, unknown]>([
		['JSON', { body: { a: 1 } }, { a: 1 }],
		[
			'JSON under another content type',
			{ body: { a: 1 }, headers: { 'content-type': 'text/plain' } },
			{ a: 1 },
		],
		['JSON after a byte order mark', { body: '\ufeff{"a":1}' }, { a: 1 }],
		['201', { status: 201, body: { id: 'x' } }, { id: 'x' }],
		['204', { status: 204 }, undefined],
		['200 without a body', {}, undefined],
		['white space', { body: ' \n' }, undefined],
		[
			'values that are false',
			{ body: { a: false, b: 0, c: '', d: null } },
			{ a: false, b: 0, c: '', d: null },
		],
	])('%s', async (_, step, expected) => {
		await expect(send({}, [step])).resolves.toEqual(expected);
	});

	test('the offset of the clock comes from the Date header', async () => {
		const date = new Date(Date.now() - 3_600_000).toUTCString();
		server.script = [{ headers: { date }, body: {} }];
		const sender = await client();
		await sender.request({ method: 'GET', path: ['audit-log'] });
		expect(sender.clockOffsetMs / 1000).toBeCloseTo(-3600, -1);
	});

	test.each([
		['https://elsewhere.example/enterprise/v1/audit-log'],
		['/login'],
		['//elsewhere.example/x'],
	])('a redirect to %s is told, not followed', async (location) => {
		for (const status of [301, 302, 303, 307, 308]) {
			server.received.length = 0;
			const error = await failure({}, [{ status, headers: { location } }]);
			expect(error.message).toBe(
				'The service redirected the request to another address; it was not followed, so that the key stays here',
			);
			expect(error.description).toContain(location);
			expect(error.httpCode).toBe(String(status));
			expect(error.failure).toEqual({ cause: 'configuration-invalid' });
			expect(server.received).toHaveLength(1);
		}
	});

	test('304 and a redirect without an address', async () => {
		const error = await failure({}, [{ status: 304 }]);
		expect(error.description).toContain('The redirect names no address');
	});

	const page = '<!DOCTYPE html><html><body>Sign in</body></html>';
	test.each<[string, Step, string, string]>([
		[
			'a page with 200',
			{ body: page, headers: { 'content-type': 'text/html' } },
			'a web page instead of JSON',
			'temporarily-unavailable',
		],
		[
			'a page with 404',
			{ status: 404, body: page },
			'a web page instead of JSON',
			'configuration-invalid',
		],
		[
			'text with 200',
			{ body: 'OK', headers: { 'content-type': 'text/plain' } },
			'text that is not JSON',
			'temporarily-unavailable',
		],
	])('%s', async (_, step, what, cause) => {
		const error = await failure({}, [step]);
		expect(error.message).toBe(`The service answered with ${what}`);
		expect(error.description).toContain('check Base URL in the credential');
		expect(error.failure?.cause).toBe(cause);
		expect(server.received).toHaveLength(1);
	});

	test('after a change, an answer that cannot be read says that the change may be done', async () => {
		const error = await failure({ method: 'POST', body: { a: 1 } }, [{ body: '{"id": "tru' }]);
		expect(error.message).toBe('The service answered with incomplete JSON');
		expect(error.description).toContain('The change may have been carried out all the same');
		expect(server.received).toHaveLength(1);
	});

	test('what it said is shown and kept for the workflow', async () => {
		const body = {
			error: 'INVALID_INPUT',
			detail: 'userName is no e-mail',
			scimType: 'invalidValue',
		};
		const error = await failure(
			{ method: 'POST', path: ['scim', 'Users'], body: {}, itemIndex: 2 },
			[{ status: 400, body }],
		);
		expect(error.message).toBe('The service refused the request as invalid');
		expect(error.description).toBe(
			'Check the values of the parameters. (HTTP 400, INVALID_INPUT, invalidValue, userName is no e-mail)',
		);
		expect(error.httpCode).toBe('400');
		expect(error.context).toMatchObject({
			itemIndex: 2,
			data: {
				request: 'POST /scim/Users',
				status: 400,
				code: 'INVALID_INPUT',
				detail: 'userName is no e-mail',
				scimType: 'invalidValue',
			},
		});
	});

	test.each<[unknown]>([
		[[]],
		[null],
		['"text"'],
		[{ error: { code: 5 } }],
		[{ error: 5, detail: [] }],
		[''],
	])('an error body of another shape: %j', async (body) => {
		const error = await failure({}, [{ status: 400, body }]);
		expect(error.message).toBe('The service refused the request as invalid');
		expect((error.context.data as IDataObject).status).toBe(400);
	});

	test('a long text is cut', async () => {
		const error = await failure({}, [{ status: 400, body: { detail: 'x'.repeat(100_000) } }]);
		expect(error.description?.length).toBeLessThan(700);
		expect(JSON.stringify(error.context).length).toBeLessThan(1000);
	});

	test('a wrong key is sent once only', async () => {
		const error = await failure({}, [{ status: 401, body: { error: 'API_KEY' } }]);
		expect(server.received).toHaveLength(1);
		expect(error).toMatchObject({ httpCode: '401', failure: { cause: 'credential-invalid' } });
	});
});

test.each([
	[{ apiKey: '', baseUrl: 'https://api.mural.co' }, 'API Key is empty'],
	[{ apiKey: 'x', baseUrl: 'http://api.mural.co' }, 'Base URL has to start with https://'],
])('a credential that cannot be used is told before sending', async (unusable, message) => {
	const created = Client.create(executeContext(unusable));
	await expect(created).rejects.toThrow(message);
	await expect(created).rejects.toMatchObject({
		description: 'Open the credential "Mural Enterprise API" and correct it.',
		failure: { cause: 'credential-invalid' },
	});
});

test('accounts are told apart without their keys', async () => {
	const accountOf = async (apiKey: string, baseUrl: string) =>
		(await Client.create(executeContext({ apiKey, baseUrl }))).account;
	const one = await accountOf('key-1', 'https://api.mural.co');
	expect(one).not.toContain('key-1');
	expect(await accountOf(' key-1', 'https://api.mural.co/enterprise/v1/')).toBe(one);
	expect(await accountOf('key-2', 'https://api.mural.co')).not.toBe(one);
	expect(await accountOf('key-1', 'https://sandbox.example')).not.toBe(one);
});
