import { inspect } from 'node:util';

import fc from 'fast-check';
import type { NodeApiError } from 'n8n-workflow';

import { Client } from '../../../nodes/shared/client';
import { executeContext } from '../../engine/contexts.mts';
import { resetSleeps } from './fakeSleep.mts';
import type { ScriptedServer, Step } from './server.mts';
import { startServer } from './server.mts';

/** The API key never reaches an error, whatever the service sends back. */

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('./fakeSleep.mts')>('./fakeSleep.mts').mockedWorkflow(),
);

let server: ScriptedServer;
beforeAll(async () => {
	server = await startServer();
});
afterAll(async () => await server.close());
beforeEach(() => resetSleeps());

async function failure(apiKey: string, step: Step, segment = 'u1') {
	server.script = [step];
	const client = await Client.create(executeContext({ apiKey, baseUrl: server.url }));
	const subject = { kind: 'user', parameter: 'User', value: segment };
	const request = { method: 'PATCH' as const, path: ['scim', 'Users', segment], body: {}, subject };
	return await client.request(request).then(
		() => undefined,
		(error: NodeApiError) => error,
	);
}

/** Everything a log, an item or the editor could show of it. */
function shown(error: NodeApiError): string {
	const own = Object.getOwnPropertyNames(error).map((name) => [name, Reflect.get(error, name)]);
	return [
		JSON.stringify(Object.fromEntries(own)),
		JSON.stringify(error),
		inspect(error, { depth: 10, showHidden: true }),
		String(error),
	].join('\n');
}

function expectNoKey(error: NodeApiError, key: string): void {
	const text = shown(error);
	for (const form of [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)]) {
		expect(text.includes(form)).toBe(false);
	}
}

const keys = fc.string({
	minLength: 12,
	maxLength: 40,
	unit: fc.constantFrom(...'abcXYZ0189-_+/=~%&"\\'),
});

test('bodies that echo the key in any field, with any status', async () => {
	const status = fc.constantFrom(200, 302, 400, 401, 403, 404, 409, 500, 501);
	const field = fc.constantFrom('error', 'code', 'detail', 'message', 'scimType', 'other');
	const around = fc.tuple(fc.string({ maxLength: 600 }), fc.string({ maxLength: 20 }));
	const shape = fc.constantFrom('field', 'nested', 'html', 'text', 'truncated', 'url', 'json');
	await fc.assert(
		fc.asyncProperty(keys, status, field, around, shape, async (key, code, name, [a, b], kind) => {
			const echo = `${a}apikey ${key}${b}`;
			const body = {
				field: { [name]: echo },
				nested: { [name]: { headers: { authorization: echo } }, detail: echo },
				html: `<html>${echo}</html>`,
				text: echo,
				truncated: JSON.stringify({ [name]: echo }).slice(0, -1),
				url: { [name]: `https://x.example/?key=${encodeURIComponent(key)}` },
				json: { [name]: JSON.stringify({ authorization: echo }) },
			}[kind];
			const headers = { location: `/login?key=${encodeURIComponent(key)}` };
			const error = await failure(key, { status: code, body, ...(code === 302 && { headers }) });
			if (error) expectNoKey(error, key);
		}),
		{ numRuns: 150 },
	);
}, 20_000);

test('a key pasted into a parameter', async () => {
	const key = 'secret+key/1==';
	const error = await failure(key, { status: 404, body: { error: 'NOT_FOUND' } }, key);
	expect(error?.message).toBe("No user was found for '***'");
	expectNoKey(error as NodeApiError, key);
});

test.each<[string, Step]>([
	['reset', (request) => request.socket.resetAndDestroy()],
	['cut', (_, response) => void response.writeHead(200, { 'content-length': '9' }).destroy()],
	[
		'a status line that is none',
		(request) => void request.socket.end('apikey secret-key-123\r\n\r\n'),
	],
	[
		'a header that is none',
		(request) => void request.socket.end('HTTP/1.1 200 OK\r\n\u0000: x\r\n\r\n'),
	],
])('errors of the HTTP library, which hold the headers: %s', async (_, step) => {
	const error = (await failure('secret-key-123', step)) as NodeApiError;
	expect(error.message).toMatch(/^The (connection broke|service could not be reached)/);
	expectNoKey(error, 'secret-key-123');
});
