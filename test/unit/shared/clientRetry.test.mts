import nock from 'nock';
import type { NodeApiError } from 'n8n-workflow';

import type { ServiceRequest } from '../../../nodes/shared/client';
import { Client } from '../../../nodes/shared/client';
import { executeContext } from '../../engine/contexts.mts';
import { resetSleeps, sleeps } from './fakeSleep.mts';
import type { ScriptedServer, Step } from './server.mts';
import { startServer } from './server.mts';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('./fakeSleep.mts')>('./fakeSleep.mts').mockedWorkflow(),
);

let server: ScriptedServer;
beforeAll(async () => {
	server = await startServer();
});
afterAll(async () => await server.close());
beforeEach(() => {
	server.received.length = 0;
	resetSleeps();
});

/** A key of its own, since what uses one key waits together. */
let keys = 0;
const clientOf = async (
	options: { timeoutMs?: number; signal?: AbortSignal; url?: string } = {},
) => {
	const credential = { apiKey: `key-${++keys}`, baseUrl: options.url ?? server.url };
	return await Client.create(executeContext(credential, options.signal), options.timeoutMs);
};

const READ: ServiceRequest = { method: 'GET', path: ['audit-log'] };
const CHANGES: ServiceRequest[] = [
	{ method: 'POST', path: ['scim', 'Users'], body: { a: 1 } },
	{ method: 'PUT', path: ['scim', 'Users', 'u'], body: { a: 1 } },
	{ method: 'PATCH', path: ['scim', 'Users', 'u'], body: { a: 1 } },
	{ method: 'DELETE', path: ['scim', 'Users', 'u'] },
];

async function failure(request: ServiceRequest, client?: Client): Promise<NodeApiError> {
	const sender = client ?? (await clientOf());
	return await sender.request(request).then(
		(body) => {
			throw new Error(`No failure, but ${JSON.stringify(body)}`);
		},
		(error: NodeApiError) => error,
	);
}

const reset: Step = (request) => request.socket.resetAndDestroy();
const cutJson: Step = { body: '{"data": [{"id": "1"' };
/** Promises twenty bytes more than it sends. */
const cutBody: Step = (_, response) => {
	response.writeHead(200, { 'content-type': 'application/json', 'content-length': '25' });
	response.write('{"a":');
	setImmediate(() => response.destroy());
};

const PASSING: Array<[string, Step, number]> = [
	['429', { status: 429, body: {} }, 429],
	['500', { status: 500, body: {} }, 500],
	['502 with a page', { status: 502, body: '<html>' }, 502],
	['503', { status: 503, body: {} }, 503],
	['504', { status: 504, body: {} }, 504],
	['connection reset', reset, 0],
	['connection cut within the body', cutBody, 0],
	['JSON that just ends', cutJson, 200],
];

describe('reads', () => {
	test.each(PASSING)('%s: sent again until it works', async (_, step) => {
		server.script = [step, step, { body: { ok: true } }];
		await expect((await clientOf()).request(READ)).resolves.toEqual({ ok: true });
		expect(server.received).toHaveLength(3);
		expect(sleeps).toHaveLength(2);
	});

	test.each(PASSING)('%s: given up after five attempts', async (_, step, status) => {
		server.script = [step];
		const error = await failure(READ);
		expect(server.received).toHaveLength(5);
		expect(error.httpCode).toBe(status === 0 ? null : String(status));
		expect(error.description).not.toContain('may have been carried out');
		expect(error.failure?.cause).toBe(status === 429 ? 'rate-limited' : 'temporarily-unavailable');
	});

	test.each([400, 401, 403, 404, 405, 406, 409, 410, 412, 413, 415, 422, 501])(
		'%i: not sent again',
		async (status) => {
			server.script = [{ status, body: { error: 'NO' } }];
			expect((await failure(READ)).httpCode).toBe(String(status));
			expect(server.received).toHaveLength(1);
			expect(sleeps).toEqual([]);
		},
	);

	test('waits longer each time, at least half of 0.5, 1, 2, 4 seconds', async () => {
		server.script = [{ status: 503, body: {} }];
		await failure(READ);
		expect(sleeps).toHaveLength(4);
		sleeps.forEach((wait, step) => {
			expect(wait).toBeGreaterThanOrEqual(250 * 2 ** step);
			expect(wait).toBeLessThanOrEqual(500 * 2 ** step);
		});
	});
});

describe('changes', () => {
	const notTwice = PASSING.filter(([name]) => name !== '429');
	const table = CHANGES.flatMap((request) =>
		notTwice.map(([name, step]) => [request.method, name, request, step] as const),
	);
	test.each(table)('%s after %s: not sent again, and said to be uncertain', async (...row) => {
		const [, , request, step] = row;
		server.script = [step];
		const error = await failure(request);
		expect(server.received).toHaveLength(1);
		expect(sleeps).toEqual([]);
		expect(error.description).toContain('The change may have been carried out all the same');
	});

	test.each(CHANGES.map((request) => [request.method, request] as const))(
		'%s after 429: sent again, for the service did not apply it',
		async (_, request) => {
			server.script = [{ status: 429, body: {} }, { body: { id: 'u' } }];
			await expect((await clientOf()).request(request)).resolves.toEqual({ id: 'u' });
			expect(server.received).toHaveLength(2);
			expect(server.received[1].body).toBe(server.received[0].body);
		},
	);

	test.each([400, 401, 403, 404, 409, 501])('%i surely changed nothing', async (status) => {
		server.script = [{ status, body: {} }];
		const error = await failure(CHANGES[0]);
		expect(error.description).not.toContain('may have been carried out');
	});
});

describe('Retry-After', () => {
	const slow = (after: string, status = 429): Step => ({
		status,
		headers: { 'retry-after': after },
		body: {},
	});

	test.each([429, 503])('seconds with %i', async (status) => {
		server.script = [slow('7', status), { body: {} }];
		await (await clientOf()).request(READ);
		expect(Math.max(...sleeps)).toBeGreaterThanOrEqual(6900);
		expect(Math.max(...sleeps)).toBeLessThan(7100);
	});

	test('a date, by the clock of the service', async () => {
		const serviceNow = Date.now() - 3_600_000;
		const headers = {
			date: new Date(serviceNow).toUTCString(),
			'retry-after': new Date(serviceNow + 9000).toUTCString(),
		};
		server.script = [{ status: 429, headers, body: {} }, { body: {} }];
		await (await clientOf()).request(READ);
		expect(Math.max(...sleeps)).toBeGreaterThan(7900);
		expect(Math.max(...sleeps)).toBeLessThan(9100);
	});

	test('too long a wait is an error that says how long, and holds up nobody else', async () => {
		server.script = [slow('3600'), { body: {} }];
		const client = await clientOf();
		const error = await failure(READ, client);
		expect(error.failure).toEqual({ cause: 'rate-limited', retryAfterMs: 3_600_000 });
		expect(error.message).toBe('The service refused further requests: its rate limit is reached');
		expect(server.received).toHaveLength(1);
		await client.request(READ);
		expect(sleeps).toEqual([]);
	});

	test.each([['soon'], ['-5'], [''], ['0']])('%j falls back to the usual wait', async (after) => {
		server.script = [slow(after), { body: {} }];
		await (await clientOf()).request(READ);
		expect(sleeps.reduce((sum, wait) => sum + wait)).toBeLessThan(600);
	});
});

describe('no connection', () => {
	const url = 'https://service.invalid/enterprise/v1';
	beforeAll(() => nock.disableNetConnect());
	afterEach(() => nock.cleanAll());
	afterAll(() => {
		nock.enableNetConnect();
		nock.restore();
	});
	const refuse = (code: string, times: number) => {
		for (const verb of ['get', 'post'] as const) {
			const scope = nock(url)[verb](/.*/).times(times);
			scope.replyWithError(Object.assign(new Error(`connect ${code}`), { code }));
		}
	};

	test.each(['ECONNREFUSED', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])(
		'%s: reads and changes are sent again, and nothing was applied',
		async (code) => {
			for (const request of [READ, CHANGES[0]]) {
				sleeps.length = 0;
				refuse(code, 5);
				const error = await failure(request, await clientOf({ url }));
				expect(sleeps).toHaveLength(4);
				expect(error.message).toMatch(/^The service could not be reached: /);
				expect(error.description).not.toContain('may have been carried out');
				expect(error.failure).toEqual({ cause: 'temporarily-unavailable' });
				expect(error.httpCode).toBeNull();
			}
		},
	);

	test.each(['ENOTFOUND', 'CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'EPROTO'])(
		'%s: told at once, and nothing was applied',
		async (code) => {
			for (const request of [READ, CHANGES[0]]) {
				refuse(code, 1);
				const error = await failure(request, await clientOf({ url }));
				expect(sleeps).toEqual([]);
				expect(error.message).toMatch(
					/could not be reached: its host name is unknown|No secure connection/,
				);
				expect(error.description).toContain(code);
				expect(error.description).not.toContain('may have been carried out');
			}
		},
	);

	test('a code nobody knows: told at once, a change is uncertain', async () => {
		refuse('EWHATEVER', 1);
		const error = await failure(CHANGES[0], await clientOf({ url }));
		expect(error.message).toBe('The service could not be reached');
		expect(error.description).toContain('may have been carried out');
	});
});
