import fc from 'fast-check';

import type { AttemptFailure } from '../../../nodes/shared/retry';
import {
	Attempts,
	MAX_ATTEMPTS,
	MAX_RETRY_AFTER_MS,
	MAX_THROTTLED_MS,
} from '../../../nodes/shared/retry';

const TOO_MANY: AttemptFailure = { kind: 'status', status: 429 };
const UNAVAILABLE: AttemptFailure = { kind: 'status', status: 503 };

/** The waits until the attempts end, when each attempt takes `ms` and fails in the same way. */
function waits(attempts: Attempts, failure: AttemptFailure, random = 0.5, ms = 0): number[] {
	const delays: number[] = [];
	for (let now = 0; ; ) {
		const delay = attempts.delayAfter(failure, (now += ms), random);
		if (delay === undefined) return delays;
		delays.push(delay);
		now += delay;
	}
}

test('a request has five attempts, a little more time between them each time', () => {
	expect(waits(new Attempts(true, false), UNAVAILABLE)).toEqual([375, 750, 1500, 3000]);
	expect(waits(new Attempts(true, true), UNAVAILABLE)).toHaveLength(MAX_ATTEMPTS - 1);
	expect(waits(new Attempts(true, false), TOO_MANY)).toHaveLength(MAX_ATTEMPTS - 1);
});

test('where requests are paced, 429s are waited out and count as no attempt', () => {
	fc.assert(
		fc.property(
			fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
			fc.nat(3000),
			(random, ms) => {
				const attempts = new Attempts(false, true);
				const delays = waits(attempts, TOO_MANY, random, ms);
				const total = delays.reduce((sum, delay) => sum + delay + ms, 0);
				expect(Math.max(...delays)).toBeLessThanOrEqual(4000);
				expect(total).toBeLessThanOrEqual(MAX_THROTTLED_MS + ms);
				expect(total).toBeGreaterThan(MAX_THROTTLED_MS - 4000 - ms);
			},
		),
	);
	const attempts = new Attempts(true, true);
	for (let n = 0; n < 20; n++) expect(attempts.delayAfter(TOO_MANY, n, 0)).toBeDefined();
	expect(waits(attempts, UNAVAILABLE)).toHaveLength(MAX_ATTEMPTS - 1);
});

test('what was asked for is waited for, up to two minutes; a longer wait ends the attempts', () => {
	for (const isPaced of [false, true]) {
		const asked = (retryAfterMs: number) =>
			new Attempts(true, isPaced).delayAfter({ ...TOO_MANY, retryAfterMs }, 0, 0);
		expect(asked(0)).toBe(250);
		expect(asked(9000)).toBe(9000);
		expect(asked(MAX_RETRY_AFTER_MS)).toBe(MAX_RETRY_AFTER_MS);
		expect(asked(MAX_RETRY_AFTER_MS + 1)).toBeUndefined();
	}
});

test('the last attempt of a paced request may come when the time is just up, not after it', () => {
	const last = (now: number) => {
		const attempts = new Attempts(true, true);
		attempts.delayAfter(TOO_MANY, 0, 0);
		return attempts.delayAfter({ ...TOO_MANY, retryAfterMs: 100_000 }, now, 0);
	};
	expect(last(MAX_THROTTLED_MS - 100_000)).toBe(100_000);
	expect(last(MAX_THROTTLED_MS - 100_000 + 1)).toBeUndefined();
});

test.each<AttemptFailure>([
	UNAVAILABLE,
	{ kind: 'status', status: 500 },
	{ kind: 'network', code: 'ECONNRESET' },
	{ kind: 'network', code: 'ETIMEDOUT' },
	{ kind: 'truncated' },
])('a change that may have been applied is never sent again: %j', (failure) => {
	expect(new Attempts(false, true).delayAfter(failure, 0, 0)).toBeUndefined();
	expect(new Attempts(false, false).delayAfter(failure, 0, 0)).toBeUndefined();
	expect(new Attempts(true, false).delayAfter(failure, 0, 0)).toBeDefined();
});
