import type { Sandbox } from '../../sandbox/index.mts';
import { call, startSmall } from './api.mts';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSmall();
});

afterAll(async () => {
	await sandbox.close();
});

const ENDPOINTS: Array<[method: string, path: string, scope: string]> = [
	['GET', '/audit-log', 'audit'],
	['GET', '/scim/Users', 'scim'],
	['GET', '/scim/Users/x', 'scim'],
	['POST', '/scim/Users', 'scim'],
	['PUT', '/scim/Users/x', 'scim'],
	['PATCH', '/scim/Users/x', 'scim'],
	['DELETE', '/scim/Users/x', 'scim'],
	['GET', '/scim/Groups', 'scim'],
	['GET', '/scim/Groups/x', 'scim'],
	['POST', '/scim/Groups', 'scim'],
	['PATCH', '/scim/Groups/x', 'scim'],
	['DELETE', '/scim/Groups/x', 'scim'],
	['GET', '/scim/ServiceProviderConfigs', 'scim'],
	['GET', '/mapping/groups', 'mapping'],
	['GET', '/mapping/groups/x', 'mapping'],
	['PATCH', '/mapping/groups/x', 'mapping'],
	['POST', '/workspaces/contents/transfer', 'manage_content'],
	['GET', '/workspaces/contents/transfer/x', 'manage_content'],
];

describe.each(ENDPOINTS)('%s %s', (method, path, scope) => {
	test.each([
		['no header', ''],
		['another scheme', 'Bearer sandbox-key'],
		['the scheme in capitals', 'APIKEY sandbox-key'],
		['the key alone', 'sandbox-key'],
		['two spaces', 'apikey  sandbox-key'],
		['an unknown key', 'apikey wrong'],
		['a prototype key', 'apikey __proto__'],
	])('401 API_KEY with %s', async (_, authorization) => {
		const answer = await call(sandbox, method, path, { headers: { authorization } });
		expect(answer.status).toBe(401);
		expect(answer.body.error).toBe('API_KEY');
	});

	test('403 SCOPES without its scope, before the body is looked at', async () => {
		const others = (['audit', 'scim', 'mapping', 'manage_content'] as const).filter(
			(each) => each !== scope,
		);
		const { key } = sandbox.admin.createKey({ scopes: others });
		const answer = await call(sandbox, method, path, {
			headers: { authorization: `apiKey ${key}` },
			...(method !== 'GET' && { body: {} }),
		});
		expect(answer.status).toBe(403);
		expect(answer.body.error).toBe('SCOPES');
	});
});

test('both spellings of the scheme are taken', async () => {
	for (const scheme of ['apikey', 'apiKey']) {
		const headers = { authorization: `${scheme} ${sandbox.key}` };
		expect((await call(sandbox, 'GET', '/audit-log', { headers })).status).toBe(200);
	}
});

test('a revoked key is unknown', async () => {
	const { key } = sandbox.admin.createKey();
	const headers = { authorization: `apikey ${key}` };
	expect((await call(sandbox, 'GET', '/scim/Users', { headers })).status).toBe(200);
	expect(sandbox.admin.revokeKey(key)).toBe(true);
	expect((await call(sandbox, 'GET', '/scim/Users', { headers })).status).toBe(401);
});

test.each([
	['an unknown path', 'GET', '/audit-logs', 404, 'NOT_FOUND'],
	['a trailing slash', 'GET', '/audit-log/', 404, 'NOT_FOUND'],
	['another case', 'GET', '/scim/users', 404, 'NOT_FOUND'],
	['another method', 'DELETE', '/audit-log', 405, 'METHOD_NOT_ALLOWED'],
	['another method on a resource', 'POST', '/scim/Users/x', 405, 'METHOD_NOT_ALLOWED'],
	['PUT on a group', 'PUT', '/scim/Groups/x', 405, 'METHOD_NOT_ALLOWED'],
])('%s: %s %s is %d', async (_, method, path, status, error) => {
	const answer = await call(sandbox, method, path);
	expect(answer.status).toBe(status);
	expect(answer.body.error).toBe(error);
});

test('405 names the methods there are', async () => {
	const answer = await call(sandbox, 'POST', '/scim/Users/x');
	expect(answer.headers.get('allow')).toBe('GET, PUT, PATCH, DELETE');
});

test('outside the base path there is no service', async () => {
	const answer = await fetch(sandbox.url.replace('/enterprise/v1', '/audit-log'));
	expect(answer.status).toBe(404);
});

describe('content types', () => {
	const body = '{"transferFromUser":"a","transferToUser":"b"}';

	test.each([
		['POST', '/scim/Users', 'application/scim+json', 400],
		['POST', '/scim/Users', 'application/json; charset=utf-8', 400],
		['POST', '/scim/Users', 'text/plain', 415],
		['POST', '/scim/Users', 'application/x-www-form-urlencoded', 415],
		['PATCH', '/mapping/groups/x', 'application/json', 400],
		['PATCH', '/mapping/groups/x', 'text/plain', 415],
		['POST', '/workspaces/contents/transfer', 'application/json', 400],
		['POST', '/workspaces/contents/transfer', 'application/scim+json', 415],
	])('%s %s with %s is %d', async (method, path, type, status) => {
		const answer = await call(sandbox, method, path, { body, headers: { 'content-type': type } });
		expect(answer.status).toBe(status);
	});

	test.each([
		['application/scim+json', 200, 'application/scim+json'],
		['application/json', 200, 'application/json'],
		['text/html, */*;q=0.1', 200, 'application/scim+json'],
		['application/json;q=0.9, text/plain', 200, 'application/json'],
		['', 200, 'application/scim+json'],
		['text/html', 406, 'application/json'],
	])('SCIM with Accept "%s" is %d as %s', async (accept, status, type) => {
		const answer = await call(sandbox, 'GET', '/scim/Users', { headers: { accept } });
		expect(answer.status).toBe(status);
		expect(answer.headers.get('content-type')).toContain(type);
	});

	test.each(['{', '[]', '"text"', 'null', ''])('the body %j is 400', async (text) => {
		for (const [method, path] of [
			['POST', '/scim/Users'],
			['POST', '/workspaces/contents/transfer'],
		]) {
			const answer = await call(sandbox, method, path, { body: text });
			expect([answer.status, answer.body.error]).toEqual([400, 'INVALID_INPUT']);
		}
	});
});

test('a broken percent encoding is 400', async () => {
	const answer = await call(sandbox, 'GET', '/scim/Users/%E0%A4%A');
	expect(answer.status).toBe(400);
});

test('SCIM errors have the form of RFC 7644', async () => {
	const { body } = await call(sandbox, 'GET', '/scim/Users/nobody');
	expect(body).toEqual({
		schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
		status: '404',
		error: 'NOT_FOUND',
		detail: 'User not found',
	});
});
