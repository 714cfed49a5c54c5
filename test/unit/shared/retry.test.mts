import fc from 'fast-check';

import type { AttemptFailure } from '../../../nodes/shared/retry';
import {
	mayRetry,
	parseRetryAfter,
	retryDelay,
	surelyNotApplied,
} from '../../../nodes/shared/retry';

const status = (code: number): AttemptFailure => ({ kind: 'status', status: code });
const network = (code: string): AttemptFailure => ({ kind: 'network', code });

describe('may be sent again', () => {
	/** [failure, a read, a change, the service surely did not apply it] */
	test.each<[string, AttemptFailure, boolean, boolean, boolean]>([
		['429', status(429), true, true, true],
		['500', status(500), true, false, false],
		['502', status(502), true, false, false],
		['503', status(503), true, false, false],
		['504', status(504), true, false, false],
		['501', status(501), false, false, true],
		['507', status(507), true, false, false],
		['522', status(522), true, false, false],
		['505', status(505), false, false, false],
		['200 with a page', status(200), false, false, false],
		['300', status(300), false, false, true],
		['302', status(302), false, false, true],
		['400', status(400), false, false, true],
		['401', status(401), false, false, true],
		['404', status(404), false, false, true],
		['409', status(409), false, false, true],
		['truncated', { kind: 'truncated' }, true, false, false],
		['ECONNREFUSED', network('ECONNREFUSED'), true, true, true],
		['EAI_AGAIN', network('EAI_AGAIN'), true, true, true],
		['EHOSTUNREACH', network('EHOSTUNREACH'), true, true, true],
		['ENETUNREACH', network('ENETUNREACH'), true, true, true],
		['ECONNRESET', network('ECONNRESET'), true, false, false],
		['ETIMEDOUT', network('ETIMEDOUT'), true, false, false],
		['EPIPE', network('EPIPE'), true, false, false],
		['ERR_BAD_RESPONSE', network('ERR_BAD_RESPONSE'), true, false, false],
		['ENOTFOUND', network('ENOTFOUND'), false, false, true],
		['CERT_HAS_EXPIRED', network('CERT_HAS_EXPIRED'), false, false, true],
		['SELF_SIGNED_CERT_IN_CHAIN', network('SELF_SIGNED_CERT_IN_CHAIN'), false, false, true],
		[
			'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
			network('UNABLE_TO_VERIFY_LEAF_SIGNATURE'),
			false,
			false,
			true,
		],
		['ERR_TLS_CERT_ALTNAME_INVALID', network('ERR_TLS_CERT_ALTNAME_INVALID'), false, false, true],
		['an unknown code', network('EWHATEVER'), false, false, false],
		['no code', network(''), false, false, false],
	])('%s', (_, failure, read, change, notApplied) => {
		expect(mayRetry(true, failure)).toBe(read);
		expect(mayRetry(false, failure)).toBe(change);
		expect(surelyNotApplied(failure)).toBe(notApplied);
	});

	test('a change only ever when it surely was not applied, and never what a read may not', () => {
		const code = fc.oneof(fc.string(), fc.constantFrom('ECONNRESET', 'ECONNREFUSED', 'ENOTFOUND'));
		const failures: fc.Arbitrary<AttemptFailure> = fc.oneof(
			fc.integer({ min: 100, max: 599 }).map(status),
			code.map(network),
			fc.constant({ kind: 'truncated' as const }),
		);
		fc.assert(
			fc.property(failures, (failure) => {
				if (!mayRetry(false, failure)) return;
				expect(surelyNotApplied(failure)).toBe(true);
				expect(mayRetry(true, failure)).toBe(true);
			}),
		);
	});
});

test('the wait grows, stays below half a minute, and is never shorter than asked for', () => {
	const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
	fc.assert(
		fc.property(
			fc.integer({ min: 1, max: 50 }),
			random,
			fc.nat(200_000),
			(attempt, chance, asked) => {
				const delay = retryDelay(attempt, chance);
				expect(delay).toBeGreaterThanOrEqual(Math.min(15_000, 250 * 2 ** (attempt - 1)));
				expect(delay).toBeLessThanOrEqual(Math.min(30_000, 500 * 2 ** (attempt - 1)));
				expect(retryDelay(attempt, chance, asked)).toBe(Math.max(asked, delay));
			},
		),
	);
});

describe('parseRetryAfter', () => {
	const now = Date.parse('2026-01-31T08:00:00Z');

	test.each([
		['0', 0],
		['7', 7000],
		[' 120 ', 120_000],
		['1.5', 1500],
		['0.25', 250],
		[7, 7000],
		['Sat, 31 Jan 2026 08:00:09 GMT', 9000],
		['Saturday, 31-Jan-26 08:00:09 GMT', 9000],
		['Sat Jan 31 08:00:09 2026', 9000],
		['Sat, 31 Jan 2026 07:59:00 GMT', 0],
	])('%j', (value, expected) => {
		expect(parseRetryAfter(value, now)).toBe(expected);
	});

	test.each([
		[undefined],
		[null],
		[''],
		['soon'],
		['-1'],
		['1e3'],
		['1, 2'],
		['retry 2099'],
		['2026-01-31T08:00:09Z'],
	])('%j is unreadable', (value) => {
		expect(parseRetryAfter(value, now)).toBeUndefined();
	});

	test('reads every whole second and every HTTP date, and gives no nonsense for the rest', () => {
		fc.assert(
			fc.property(fc.nat(), fc.string(), (seconds, text) => {
				expect(parseRetryAfter(String(seconds), now)).toBe(seconds * 1000);
				const date = new Date(now + seconds * 1000).toUTCString();
				expect(parseRetryAfter(date, now)).toBe(seconds * 1000);
				const other = parseRetryAfter(text, now);
				expect(other === undefined || other >= 0).toBe(true);
			}),
		);
	});
});
