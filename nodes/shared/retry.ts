import { DateTime } from 'luxon';

/** When a request may be sent again, and after how long. Pure: no clock, no sleep, no randomness of its own. */

/** Why one attempt failed. `code` is Node's or axios' error code, e.g. `ECONNRESET`. */
export type AttemptFailure =
	| { kind: 'status'; status: number; retryAfterMs?: number }
	| { kind: 'network'; code: string }
	| { kind: 'truncated' };

/** Attempts in all, the first one included. */
export const MAX_ATTEMPTS = 5;

/**
 * Longest time between a request's first 429 and its last attempt where requests are paced below a known limit: there
 * a 429 only says that other workers take their share, so it does not count as an attempt.
 */
export const MAX_THROTTLED_MS = 300_000;

const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

/** A service that asks for a longer wait than this gets an error instead of a silent hour. */
export const MAX_RETRY_AFTER_MS = 120_000;

/** 501 and 505 do not pass; proxies add 5xx of their own (520 to 530) that do. */
const isTransient = (status: number) =>
	status === 429 || (status >= 500 && status !== 501 && status !== 505);

/** No connection was made, and another attempt may make one. */
const UNREACHABLE = new Set(['ECONNREFUSED', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Codes of certificates and TLS handshakes that fail, which comes before anything is sent. */
export const TLS_CODE = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|EPROTO|ERR_SSL/;

const TRANSIENT_NETWORK = new Set([
	...UNREACHABLE,
	'ECONNRESET',
	'ECONNABORTED',
	'ETIMEDOUT',
	'EPIPE',
	'ERR_STREAM_PREMATURE_CLOSE',
	'ERR_BAD_RESPONSE',
]);

/** True when the service surely did not apply the request. */
export function surelyNotApplied(failure: AttemptFailure): boolean {
	if (failure.kind === 'status') {
		const { status } = failure;
		return (status >= 300 && status < 500) || status === 501;
	}
	if (failure.kind === 'truncated') return false;
	const { code } = failure;
	return UNREACHABLE.has(code) || code === 'ENOTFOUND' || TLS_CODE.test(code);
}

/** Reads are re-sent after any passing failure; mutations only when they surely were not applied. */
export function mayRetry(isRead: boolean, failure: AttemptFailure): boolean {
	const passing =
		failure.kind === 'status'
			? isTransient(failure.status)
			: failure.kind === 'truncated' || TRANSIENT_NETWORK.has(failure.code);
	return passing && (isRead || surelyNotApplied(failure));
}

/**
 * Milliseconds to wait before attempt `attempt + 1` (`attempt` counts from 1): capped exponential backoff with
 * full jitter over its upper half, and never less than the service asked for.
 * @param random number in [0, 1)
 */
export function retryDelay(attempt: number, random: number, retryAfterMs = 0): number {
	const ceiling = Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** (attempt - 1));
	return Math.max(retryAfterMs, Math.round(ceiling / 2 + (ceiling / 2) * random));
}

/**
 * Milliseconds that a `Retry-After` header asks for (seconds or an HTTP date); undefined when absent or unreadable.
 * @param nowMs clock for the date form, epoch milliseconds
 */
export function parseRetryAfter(value: unknown, nowMs: number): number | undefined {
	const text = String(value ?? '').trim();
	if (/^\d+(\.\d+)?$/.test(text)) return Math.round(Number(text) * 1000);
	const date = DateTime.fromHTTP(text);
	return date.isValid ? Math.max(0, date.toMillis() - nowMs) : undefined;
}

/** How long the 429s of one paced request make everybody wait: the delays of its first attempts, then no longer ones. */
const MOST_THROTTLE_STEPS = 4;

/** What one request has been through, and by that whether it is sent again. */
export class Attempts {
	private failed = 0;

	private throttled = 0;

	private throttledSince?: number;

	/**
	 * @param isRead reads are re-sent after any passing failure
	 * @param isPaced the request belongs to a lane with a known limit, so its 429s are waited out
	 */
	constructor(
		private readonly isRead: boolean,
		private readonly isPaced: boolean,
	) {}

	/**
	 * Milliseconds to wait before the next attempt; undefined when there is none.
	 * @param nowMs any clock that never goes back
	 * @param random number in [0, 1)
	 */
	delayAfter(failure: AttemptFailure, nowMs: number, random: number): number | undefined {
		const asked = failure.kind === 'status' ? failure.retryAfterMs : undefined;
		if (!mayRetry(this.isRead, failure) || (asked ?? 0) > MAX_RETRY_AFTER_MS) return undefined;
		if (this.isPaced && isThrottle(failure)) {
			this.throttledSince ??= nowMs;
			this.throttled = Math.min(this.throttled + 1, MOST_THROTTLE_STEPS);
			const delay = retryDelay(this.throttled, random, asked);
			return nowMs + delay - this.throttledSince > MAX_THROTTLED_MS ? undefined : delay;
		}
		this.failed++;
		return this.failed < MAX_ATTEMPTS ? retryDelay(this.failed, random, asked) : undefined;
	}
}

/** True when the service refused the request for its rate. */
export function isThrottle(failure: AttemptFailure): boolean {
	return failure.kind === 'status' && failure.status === 429;
}
