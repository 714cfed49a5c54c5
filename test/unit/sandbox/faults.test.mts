import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Sandbox } from '../../sandbox/index.mts';
import { call, startSmall, userBody } from './api.mts';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSmall({ now: '2026-03-31T12:00:00Z', frozen: true });
});

beforeEach(() => {
	sandbox.admin.reset();
});

afterAll(async () => {
	await sandbox.close();
});

const log = (query: Record<string, string> = { maxResults: '5' }) =>
	call(sandbox, 'GET', '/audit-log', { query });
const create = (name = 'a') =>
	call(sandbox, 'POST', '/scim/Users', { body: userBody(`${name}@b.example`) });
const exists = (name = 'a') =>
	[...sandbox.state.users.values()].some(({ userName }) => userName === `${name}@b.example`);

test('a status, with Retry-After in seconds or as a date', async () => {
	sandbox.admin.fault({ kind: 'status', status: 429, retryAfter: 7 });
	sandbox.admin.fault({ kind: 'status', status: 503, retryAfter: 7, retryAfterAs: 'date' });
	sandbox.admin.fault({ kind: 'status', status: 500 });
	const answers = [await log(), await log(), await log(), await log()];
	expect(answers.map(({ status }) => status)).toEqual([429, 503, 500, 200]);
	expect(answers.map(({ headers }) => headers.get('retry-after'))).toEqual([
		'7',
		'Tue, 31 Mar 2026 12:00:07 GMT',
		null,
		null,
	]);
});

describe('before and after the request took effect', () => {
	test.each([false, true])('reset, applied %s', async (applied) => {
		sandbox.admin.fault({ kind: 'reset', applied });
		await expect(create()).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
		expect(exists()).toBe(applied);
		const [request] = sandbox.admin.requests();
		expect(request).toMatchObject({ method: 'POST', fault: 'reset' });
		expect(request.status).toBeUndefined();
	});

	test.each([false, true])('a status, applied %s', async (applied) => {
		sandbox.admin.fault({ kind: 'status', status: 502, applied });
		expect((await create()).status).toBe(502);
		expect(exists()).toBe(applied);
	});

	test.each([
		[true, 201],
		[false, undefined],
	])('the log tells whether it did, applied %s', async (applied, trueStatus) => {
		sandbox.admin.fault({ kind: 'status', status: 500, applied });
		await create();
		await create('b');
		const [hit, free] = sandbox.admin.requests();
		expect([hit.status, hit.trueStatus]).toEqual([500, trueStatus]);
		expect([free.status, free.trueStatus]).toEqual([201, 201]);
	});

	test.each([false, true])('no answer, applied %s', async (applied) => {
		sandbox.admin.fault({ kind: 'hang', applied });
		const request = fetch(`${sandbox.url}/scim/Users`, {
			method: 'POST',
			headers: {
				authorization: `apikey ${sandbox.key}`,
				'content-type': 'application/json',
			},
			body: JSON.stringify(userBody('a@b.example')),
			signal: AbortSignal.timeout(150),
		});
		await expect(request).rejects.toThrow(/timeout/);
		expect(exists()).toBe(applied);
	});
});

describe('bodies', () => {
	test('HTML, with 200 or another status', async () => {
		sandbox.admin.fault({ kind: 'html' });
		sandbox.admin.fault({ kind: 'html', status: 502 });
		for (const status of [200, 502]) {
			const answer = await log();
			expect(answer.status).toBe(status);
			expect(answer.headers.get('content-type')).toContain('text/html');
			expect(answer.text).toContain('<html>');
		}
	});

	test('an error that shows the request, its key included', async () => {
		const key = `apikey ${sandbox.key}`;
		sandbox.admin.fault({ kind: 'echo' });
		sandbox.admin.fault({ kind: 'echo', as: 'html', status: 500 });
		const json = await log();
		expect([json.status, json.body.error]).toEqual([502, 'BAD_GATEWAY']);
		expect(json.body.detail).toContain(key);
		const html = await log();
		expect([html.status, html.headers.get('content-type')]).toEqual([
			500,
			'text/html; charset=utf-8',
		]);
		expect(html.text).toContain(key);
	});

	test('another content type around the true body', async () => {
		const { text } = await log();
		sandbox.admin.fault({ kind: 'contentType', contentType: 'text/plain' });
		const answer = await log();
		expect(answer.headers.get('content-type')).toBe('text/plain');
		expect(answer.text).toBe(text);
	});

	test('cut JSON under a sound connection', async () => {
		const { text } = await log();
		sandbox.admin.fault({ kind: 'truncate', as: 'json' });
		const answer = await log();
		expect([answer.status, answer.text]).toEqual([200, text.slice(0, text.length / 2)]);
	});

	test('a connection that breaks in the middle of the body', async () => {
		sandbox.admin.fault({ kind: 'truncate' });
		await expect(log()).rejects.toThrow('terminated');
		expect((await log()).status).toBe(200);
	});

	test('a slow body is the true one', async () => {
		const { text } = await log();
		sandbox.admin.fault({ kind: 'slow', ms: 100 });
		const start = performance.now();
		expect((await log()).text).toBe(text);
		expect(performance.now() - start).toBeGreaterThan(80);
	});

	test('any other body', async () => {
		sandbox.admin.fault({ kind: 'body', body: { nextToken: 'x' } });
		sandbox.admin.fault({ kind: 'body', text: 'null' });
		sandbox.admin.fault({ kind: 'body', status: 201, text: '' });
		expect((await log()).body).toEqual({ nextToken: 'x' });
		expect((await log()).text).toBe('null');
		const empty = await log();
		expect([empty.status, empty.text]).toEqual([201, '']);
	});
});

test('a redirect to another host, with path and query', async () => {
	const seen: string[] = [];
	const other = createServer((request, response) => {
		seen.push(request.url!);
		response.end('{}');
	});
	await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
	const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
	sandbox.admin.fault({ kind: 'redirect', location, count: 2, status: 307 });
	const answer = await log();
	expect(answer.status).toBe(307);
	expect(answer.headers.get('location')).toBe(`${location}/enterprise/v1/audit-log?maxResults=5`);
	await fetch(`${sandbox.url}/audit-log?maxResults=5`);
	expect(seen).toEqual(['/enterprise/v1/audit-log?maxResults=5']);
	await new Promise((resolve) => other.close(resolve));
});

describe('which requests are hit', () => {
	test('by method and path, skipping some, for a count', async () => {
		const id = sandbox.admin.fault({
			kind: 'status',
			status: 500,
			method: 'post',
			path: /^\/scim\/Users$/,
			skip: 1,
			count: 2,
		});
		expect((await log()).status).toBe(200);
		const statuses = [];
		for (const name of ['a', 'b', 'c', 'd']) statuses.push((await create(name)).status);
		expect(statuses).toEqual([201, 500, 500, 201]);
		expect(sandbox.admin.faults()).toMatchObject([{ id, left: 0, hits: 2 }]);
	});

	test('for ever, until cleared', async () => {
		const id = sandbox.admin.fault({ kind: 'status', status: 500, count: null });
		for (let i = 0; i < 5; i++) expect((await log()).status).toBe(500);
		sandbox.admin.clearFaults(id);
		expect((await log()).status).toBe(200);
	});

	test('at a rate', async () => {
		sandbox.admin.fault({ kind: 'status', status: 500, count: null, rate: 0.5 });
		const statuses = [];
		for (let i = 0; i < 200; i++) statuses.push((await log()).status);
		const failed = statuses.filter((status) => status === 500).length;
		expect(failed).toBeGreaterThan(60);
		expect(failed).toBeLessThan(140);
	});

	test('the sandbox stays itself under the admin prefix', async () => {
		sandbox.admin.fault({ kind: 'status', status: 500, count: null });
		expect((await fetch(`${sandbox.adminUrl}/now`)).status).toBe(200);
	});
});

test('latency by path, with jitter', async () => {
	sandbox.admin.setLatency([{ ms: 60, jitterMs: 20, path: '^/audit-log' }, { ms: 0 }]);
	const timed = async (request: () => Promise<unknown>) => {
		const start = performance.now();
		await request();
		return performance.now() - start;
	};
	expect(await timed(() => log())).toBeGreaterThanOrEqual(59);
	expect(await timed(() => create())).toBeLessThan(55);
	sandbox.admin.setLatency(null);
	expect(await timed(() => log())).toBeLessThan(55);
});

test('the Date header follows the clock and its skew', async () => {
	expect((await log()).headers.get('date')).toBe('Tue, 31 Mar 2026 12:00:00 GMT');
	sandbox.admin.setClock({ skewMs: -3_600_000 });
	expect((await log()).headers.get('date')).toBe('Tue, 31 Mar 2026 11:00:00 GMT');
});
