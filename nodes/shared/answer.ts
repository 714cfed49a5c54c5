import type { IN8nHttpFullResponse } from 'n8n-workflow';

import type { Failed } from './errors';
import type { AttemptFailure } from './retry';
import { parseRetryAfter } from './retry';
import { TextBuffer } from './textBuffer';

/** From what the host's HTTP helper gives to a parsed body, or to why the attempt failed. Spec: Endpoints, Errors. */

/** One attempt: a body, or `failure` (may it be sent again?) and `failed` (what a person is told). */
export interface Answer {
	body: unknown;
	failure?: AttemptFailure;
	failed?: Failed;
}

/** The HTTP library's own timeout, and the client's deadline: a cancelled execution never gets here. */
const TIMEOUT_CODE = new Set(['ECONNABORTED', 'ERR_CANCELED']);

/** No answer came. `error` is the HTTP library's; only its code or message is taken, for it holds the request's headers. */
export function networkAnswer(error: unknown): Answer {
	const chain = [error, (error as { cause?: unknown }).cause] as Array<
		{ code?: unknown; message?: unknown; httpCode?: unknown } | undefined
	>;
	// n8n 1.x keeps the library's code in `httpCode`, and nothing else of its error.
	const found = chain
		.flatMap((link) => [link?.code, link?.httpCode])
		.find((code) => typeof code === 'string' && /[A-Z]/.test(code));
	if (found === undefined) {
		const detail = String(chain[0]?.message ?? '');
		return { body: undefined, failure: { kind: 'network', code: '' }, failed: { detail } };
	}
	const code = TIMEOUT_CODE.has(found as string) ? 'ETIMEDOUT' : (found as string);
	return { body: undefined, failure: { kind: 'network', code }, failed: { code } };
}

/**
 * Buffers of earlier answers: a new one for each page of a long read would wait for the garbage collector, dozens at a
 * time.
 */
const spare: TextBuffer[] = [];
const MOST_SPARE = 4;
const LARGEST_SPARE_BYTES = 2 * 1024 * 1024;

/** The whole body of a streamed answer; fails when the connection does. */
export async function readText(body: unknown): Promise<string> {
	const bytes = spare.pop() ?? new TextBuffer();
	try {
		for await (const piece of body as AsyncIterable<Uint8Array>) bytes.appendBytes(piece);
		return new TextDecoder().decode(bytes.content());
	} finally {
		bytes.clear();
		if (spare.length < MOST_SPARE && bytes.capacity <= LARGEST_SPARE_BYTES) spare.push(bytes);
	}
}

/**
 * An answer with any status.
 * @param text its body
 * @param nowMs the service's clock in epoch milliseconds, for a `Retry-After` that holds a date
 */
export function readAnswer(response: IN8nHttpFullResponse, text: string, nowMs: number): Answer {
	const { statusCode: status, headers } = response;
	const json = parse(text);
	const retryAfterMs = parseRetryAfter(headers['retry-after'], nowMs);
	const failure: AttemptFailure = { kind: 'status', status, retryAfterMs };
	if (status >= 200 && status < 300) {
		if (text.trim() === '') return { body: undefined };
		if (json !== undefined) return { body: json };
		const isJson = String(headers['content-type'] ?? '').includes('json');
		const unexpectedBody = isJson ? 'incomplete JSON' : notJson(text);
		return {
			body: undefined,
			failure: isJson ? { kind: 'truncated' } : failure,
			failed: { status, unexpectedBody },
		};
	}
	if (status >= 300 && status < 400) {
		const location = String(headers.location ?? '');
		return { body: undefined, failure, failed: { status, location } };
	}
	const said = (json ?? {}) as Record<string, unknown>;
	const textOf = (name: string) =>
		typeof said[name] === 'string' ? (said[name] as string) : undefined;
	return {
		body: undefined,
		failure,
		failed: {
			status,
			retryAfterMs,
			code: textOf('error') ?? textOf('code'),
			detail: textOf('detail') ?? textOf('message'),
			scimType: textOf('scimType'),
			// A page in place of an error body says nothing of the operation, except that it failed with the status.
			...(status < 500 && status !== 429 && text.trimStart().startsWith('<')
				? { unexpectedBody: notJson(text) }
				: {}),
		},
	};
}

function notJson(text: string): string {
	return text.trimStart().startsWith('<') ? 'a web page instead of JSON' : 'text that is not JSON';
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
