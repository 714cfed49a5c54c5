import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { networkAnswer, readAnswer, readText } from '../../../nodes/shared/answer';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const PAGE = ' \n<!DOCTYPE html><html><body>Sign in</body></html>';

const answer = (statusCode: number, text: string, headers: Record<string, string> = {}) =>
	readAnswer({ statusCode, headers, body: undefined } as IN8nHttpFullResponse, text, NOW);

describe('no answer', () => {
	test.each<[string, unknown, string]>([
		['a code', { code: 'ECONNREFUSED', message: 'm' }, 'ECONNREFUSED'],
		['the code of the cause', { cause: { code: 'ENOTFOUND' } }, 'ENOTFOUND'],
		['a code before that of the cause', { code: 'EPIPE', cause: { code: 'ENOTFOUND' } }, 'EPIPE'],
		['the field of n8n 1.x', { httpCode: 'ECONNRESET', cause: undefined }, 'ECONNRESET'],
		['that field in the cause', { code: 5, cause: { httpCode: 'EPIPE' } }, 'EPIPE'],
		['what is no code passed over', { code: '404', cause: { code: 'EPIPE' } }, 'EPIPE'],
		['the timeout of the HTTP library', { code: 'ECONNABORTED' }, 'ETIMEDOUT'],
		['the deadline of the client', { code: 'ERR_CANCELED' }, 'ETIMEDOUT'],
	])('%s', (_, error, code) => {
		expect(networkAnswer(error)).toEqual({
			body: undefined,
			failure: { kind: 'network', code },
			failed: { code },
		});
	});

	test.each<[unknown, string]>([
		[new Error('socket hang up'), 'socket hang up'],
		[{ code: '', message: 'no code' }, 'no code'],
		[{ code: 404, message: 'a number' }, 'a number'],
		[{ code: {}, message: 'an object' }, 'an object'],
		[{ code: '404', httpCode: '404', message: 'a status' }, 'a status'],
		[{}, ''],
	])('without a code the message is told: %j', (error, detail) => {
		expect(networkAnswer(error)).toEqual({
			body: undefined,
			failure: { kind: 'network', code: '' },
			failed: { detail },
		});
	});
});

describe('the whole body', () => {
	async function* chunks(...parts: Uint8Array[]) {
		yield* parts;
	}

	test('is put together before it is decoded', async () => {
		const bytes = new TextEncoder().encode('"zoë 😀"');
		const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
		expect(await readText(chunks(...single))).toBe('"zoë 😀"');
		expect(await readText(chunks())).toBe('');
	});

	test('is its own, whatever is read at the same time or was read before', async () => {
		const parts = (text: string) => chunks(...Array.from(text, (part) => Buffer.from(part)));
		const texts = ['first', 'the second', '3'];
		for (let n = 0; n < 3; n++) {
			expect(await Promise.all(texts.map(async (text) => await readText(parts(text))))).toEqual(
				texts,
			);
		}
	});

	test('fails when the connection does', async () => {
		async function* broken() {
			yield new Uint8Array([123]);
			throw new Error('aborted');
		}
		await expect(readText(broken())).rejects.toThrow('aborted');
		expect(await readText(chunks(Buffer.from('7')))).toBe('7');
	});
});

describe('success', () => {
	test.each([200, 201, 204, 299])('%i is one', (status) => {
		expect(answer(status, '{"a":false}')).toEqual({ body: { a: false } });
		expect(answer(status, '')).toEqual({ body: undefined });
	});

	test.each<[string, unknown]>([
		[' \n', undefined],
		['null', null],
		['0', 0],
		['false', false],
		['""', ''],
	])('%j', (text, body) => {
		expect(answer(200, text)).toEqual({ body });
	});

	test('JSON that ends early may be asked for again', () => {
		for (const type of ['application/json', 'application/scim+json; charset=utf-8']) {
			expect(answer(200, '{"id": "tru', { 'content-type': type })).toEqual({
				body: undefined,
				failure: { kind: 'truncated' },
				failed: { status: 200, unexpectedBody: 'incomplete JSON' },
			});
		}
	});

	test.each<[string, string, Record<string, string>]>([
		[PAGE, 'a web page instead of JSON', { 'content-type': 'text/html' }],
		[PAGE, 'a web page instead of JSON', {}],
		['OK', 'text that is not JSON', { 'content-type': 'text/plain' }],
		['1 < 2', 'text that is not JSON', {}],
	])('%j with 200 is no answer of the service', (text, unexpectedBody, headers) => {
		expect(answer(200, text, headers)).toEqual({
			body: undefined,
			failure: { kind: 'status', status: 200, retryAfterMs: undefined },
			failed: { status: 200, unexpectedBody },
		});
	});
});

test.each([300, 302, 308, 399])('the target of a redirect is told: %i', (status) => {
	expect(answer(status, PAGE, { location: '/login' })).toEqual({
		body: undefined,
		failure: { kind: 'status', status, retryAfterMs: undefined },
		failed: { status, location: '/login' },
	});
	expect(answer(status, '{}').failed).toEqual({ status, location: '' });
});

describe('an error', () => {
	test('is told with what its body says', () => {
		const body = { error: 'CONFLICT', detail: 'taken', scimType: 'uniqueness', other: 'x' };
		expect(answer(409, JSON.stringify(body))).toEqual({
			body: undefined,
			failure: { kind: 'status', status: 409, retryAfterMs: undefined },
			failed: { status: 409, code: 'CONFLICT', detail: 'taken', scimType: 'uniqueness' },
		});
	});

	test('the names of other bodies are taken when those of the spec are missing', () => {
		expect(answer(400, '{"code":"X","message":"m"}').failed).toEqual({
			status: 400,
			code: 'X',
			detail: 'm',
		});
		const both = '{"error":"E","code":"X","detail":"d","message":"m"}';
		expect(answer(400, both).failed).toEqual({ status: 400, code: 'E', detail: 'd' });
	});

	test.each(['', 'null', '[]', '7', '"text"', '{"error":5,"detail":[],"scimType":{}}'])(
		'says no more than its status with the body %j',
		(text) => {
			expect(answer(400, text).failed).toEqual({ status: 400 });
		},
	);

	test('the wait that it asks for reaches both the retry and the person', () => {
		for (const wait of ['9', 'Sun, 01 Mar 2026 12:00:09 GMT']) {
			expect(answer(503, '', { 'retry-after': wait })).toEqual({
				body: undefined,
				failure: { kind: 'status', status: 503, retryAfterMs: 9000 },
				failed: { status: 503, retryAfterMs: 9000 },
			});
		}
	});

	test.each([
		[400, true],
		[404, true],
		[499, true],
		[429, false],
		[500, false],
		[503, false],
	])('a page with %i hides what went wrong: %j', (status, isHidden) => {
		const { failed } = answer(status, PAGE);
		expect(failed?.unexpectedBody).toBe(isHidden ? 'a web page instead of JSON' : undefined);
	});

	test.each(['not found', 'a < b', '"<b>"'])('the text %j hides nothing', (text) => {
		expect(answer(404, text).failed).toEqual({ status: 404 });
	});
});
