import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface Match {
	/** GET, POST …; any when absent. */
	method?: string;
	/** Regular expression (or its source) tested against the path below the base path; any when absent. */
	path?: string | RegExp;
}

export type FaultAction =
	/** An error status; `retryAfter` in seconds or, as 'date', an HTTP date that many seconds ahead. */
	| { kind: 'status'; status: number; retryAfter?: number; retryAfterAs?: 'seconds' | 'date' }
	/** Connection reset. */
	| { kind: 'reset' }
	/** No answer at all, the connection stays open. */
	| { kind: 'hang' }
	/** An HTML page, as a proxy sends it (status 200 when absent). */
	| { kind: 'html'; status?: number }
	/** The error (502 when absent) of a proxy that shows what it was sent, the Authorization header included. */
	| { kind: 'echo'; as?: 'html' | 'json'; status?: number }
	/** Redirect (302 when absent) to another address; `location` + path + query. */
	| { kind: 'redirect'; location: string; status?: number }
	/** Another body: JSON of `body`, or `text` as it is. */
	| { kind: 'body'; body?: unknown; text?: string; status?: number }
	/** The true body cut in half: the connection breaks ('connection') or the JSON just ends ('json'). */
	| { kind: 'truncate'; as?: 'connection' | 'json' }
	/** The true body in pieces over `ms` milliseconds. */
	| { kind: 'slow'; ms: number }
	/** The true body under another content type. */
	| { kind: 'contentType'; contentType: string };

export type Fault = Match &
	FaultAction & {
		/** Matching requests to let pass first. */
		skip?: number;
		/** Requests to hit (default 1; null: for ever). */
		count?: number | null;
		/** Probability that a matching request is hit (default 1). */
		rate?: number;
		/** Whether the request takes effect first. Always true for truncate, slow and contentType. */
		applied?: boolean;
	};

export interface Latency extends Match {
	/** Milliseconds before a request is looked at, plus up to `jitterMs` more. */
	ms: number;
	jitterMs?: number;
}

interface Armed {
	id: number;
	fault: Fault;
	path: RegExp | null;
	skip: number;
	left: number;
	hits: number;
}

declare module 'fastify' {
	interface FastifyRequest {
		/** Fault to play once the request has taken effect. */
		fault: Fault | null;
	}
}

const pattern = (path: Match['path']) => (path === undefined ? null : new RegExp(path));

const matches = (match: Match, path: RegExp | null, request: { method: string; path: string }) =>
	(match.method === undefined || match.method.toUpperCase() === request.method) &&
	(path === null || path.test(request.path));

export class Faults {
	private armed: Armed[] = [];
	private latencies: Array<{ latency: Latency; path: RegExp | null }> = [];
	private lastId = 0;

	/** @returns an id to clear it by. */
	add(fault: Fault): number {
		this.armed.push({
			id: ++this.lastId,
			fault,
			path: pattern(fault.path),
			skip: fault.skip ?? 0,
			left: fault.count === null ? Infinity : (fault.count ?? 1),
			hits: 0,
		});
		return this.lastId;
	}

	list() {
		return this.armed.map(({ id, fault, left, hits }) => ({
			id,
			fault: { ...fault, path: fault.path && String(fault.path) },
			left: left === Infinity ? null : left,
			hits,
		}));
	}

	clear(id?: number): void {
		this.armed = id === undefined ? [] : this.armed.filter((armed) => armed.id !== id);
	}

	setLatency(latencies: Latency[]): void {
		this.latencies = latencies.map((latency) => ({ latency, path: pattern(latency.path) }));
	}

	/** Waits as long as the first matching latency says. */
	async delay(request: { method: string; path: string }): Promise<void> {
		const found = this.latencies.find(({ latency, path }) => matches(latency, path, request));
		if (!found) return;
		const { ms, jitterMs = 0 } = found.latency;
		await sleep(ms + Math.random() * jitterMs);
	}

	/** The first armed fault that hits this request. */
	pick(request: { method: string; path: string }): Fault | null {
		for (const armed of this.armed) {
			if (armed.left <= 0 || !matches(armed.fault, armed.path, request)) continue;
			if (armed.skip > 0) {
				armed.skip--;
				continue;
			}
			if (Math.random() >= (armed.fault.rate ?? 1)) continue;
			armed.left--;
			armed.hits++;
			return armed.fault;
		}
		return null;
	}
}

const NEEDS_BODY = new Set(['truncate', 'slow', 'contentType']);

export const isApplied = (fault: Fault) => fault.applied === true || NEEDS_BODY.has(fault.kind);

const HTML =
	'<!DOCTYPE html><html><body><h1>Bad gateway</h1><p>The proxy says no.</p></body></html>';

function retryAfter(seconds: number, as: 'seconds' | 'date' | undefined, now: number): string {
	return as === 'date' ? new Date(now + seconds * 1000).toUTCString() : String(seconds);
}

const received = ({ method, url, headers }: FastifyRequest) =>
	`Received: ${method} ${url} ${JSON.stringify(headers)}`;

/** The answer of a fault that does not need the true one: status, headers and body. */
function substitute(fault: Fault, request: FastifyRequest, reply: FastifyReply, now: number) {
	reply.removeHeader('content-length').removeHeader('location');
	switch (fault.kind) {
		case 'status':
			reply.code(fault.status).type('application/json');
			if (fault.retryAfter !== undefined) {
				reply.header('retry-after', retryAfter(fault.retryAfter, fault.retryAfterAs, now));
			}
			return fault.status === 429 ? '{}' : '{"error":"UNAVAILABLE"}';
		case 'html':
			reply.code(fault.status ?? 200).type('text/html; charset=utf-8');
			return HTML;
		case 'echo':
			reply.code(fault.status ?? 502);
			if (fault.as === 'html') {
				reply.type('text/html; charset=utf-8');
				return HTML.replace('The proxy says no.', received(request));
			}
			reply.type('application/json');
			return JSON.stringify({ error: 'BAD_GATEWAY', detail: received(request) });
		case 'redirect':
			reply.code(fault.status ?? 302).header('location', fault.location + request.url);
			return '';
		case 'body':
			reply.code(fault.status ?? 200).type('application/json');
			return fault.text ?? (fault.body === undefined ? '' : JSON.stringify(fault.body));
		default:
			return undefined;
	}
}

const never = () => new Promise<never>(() => {});

/** Plays a fault before the request takes effect. */
export async function playBefore(
	fault: Fault,
	request: FastifyRequest,
	reply: FastifyReply,
	now: number,
): Promise<void> {
	if (fault.kind === 'hang') return never();
	if (fault.kind === 'reset') {
		reply.hijack();
		request.raw.socket.resetAndDestroy();
		return;
	}
	await reply.send(substitute(fault, request, reply, now));
}

async function* pieces(text: Buffer, ms: number) {
	const parts = 10;
	for (let i = 0; i < parts; i++) {
		yield text.subarray((i * text.length) / parts, ((i + 1) * text.length) / parts);
		await sleep(ms / parts);
	}
}

async function* half(text: Buffer, request: FastifyRequest) {
	yield text.subarray(0, text.length / 2);
	// Time for the first half to leave.
	await sleep(20);
	request.raw.socket.destroy();
}

/** Plays a fault on the answer of a request that took effect. @returns the body to send. */
export async function playAfter(
	fault: Fault,
	request: FastifyRequest,
	reply: FastifyReply,
	payload: string | null | undefined,
	now: number,
): Promise<string | Readable> {
	const body = Buffer.from(payload ?? '');
	switch (fault.kind) {
		case 'hang':
			return never();
		case 'reset':
			request.raw.socket.resetAndDestroy();
			return '';
		case 'truncate':
			if (fault.as === 'json') {
				reply.removeHeader('content-length');
				return body.subarray(0, body.length / 2).toString();
			}
			reply.header('content-length', body.length);
			return Readable.from(half(body, request));
		case 'slow':
			reply.header('content-length', body.length);
			return Readable.from(pieces(body, fault.ms));
		case 'contentType':
			reply.header('content-type', fault.contentType);
			return body.toString();
		default:
			return substitute(fault, request, reply, now) ?? '';
	}
}
