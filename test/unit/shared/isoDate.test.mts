import fc from 'fast-check';

import { isoDate, parseEntryDate } from '../../../nodes/shared/auditLog';

const digits = (max: number, length = 2) =>
	fc.integer({ min: 0, max }).map((number) => String(number).padStart(length, '0'));

/** Dates in every style, a little out of range too. */
const date = fc
	.tuple(
		digits(9999, 4),
		digits(14),
		digits(33),
		fc.constantFrom(' ', 'T', 't', '  '),
		digits(25),
		digits(61),
		digits(61),
		fc.constantFrom('', '.8', '.841', '.000', '.8417', ',841'),
		fc.constantFrom('', 'Z', 'z', '+02:00', ' '),
	)
	.map(([y, m, d, t, h, min, s, ms, zone]) => `${y}-${m}-${d}${t}${h}:${min}:${s}${ms}${zone}`);

test('is the moment that is read from the date, without reading most', () => {
	fc.assert(
		fc.property(fc.oneof(date, fc.string(), fc.anything()), (value) => {
			const millis = parseEntryDate(value);
			expect(isoDate(value)).toBe(millis === undefined ? null : new Date(millis).toISOString());
		}),
		{ numRuns: 20_000 },
	);
});

test.each([
	['2022-02-01 22:19:42.841', '2022-02-01T22:19:42.841Z'],
	['2022-02-01T22:19:42.841Z', '2022-02-01T22:19:42.841Z'],
	['2024-02-29 22:19:42.841', '2024-02-29T22:19:42.841Z'],
	['2022-12-31 22:19:42', '2022-12-31T22:19:42.000Z'],
	// What the host's own reading makes of a day that the month has not.
	['2022-02-29 22:19:42.841', '2022-03-01T22:19:42.841Z'],
	['2022-13-01 22:19:42.841', null],
	['x2022-02-01 22:19:42.841', null],
	['yyyy-02-01 22:19:42.841', null],
	['2022-02-1x 22:19:42.841', null],
	['2022-02-01_22:19:42.841', null],
	['2022-02-01 1x:19:42.841', null],
	['2022-02-01 22:1x:42.841', null],
	['2022-02-01 22:19:4x.841', null],
	['2022-02-01 22:19:42.xxx', null],
	['2022-02-01 22:19:42.841 and more', null],
	[null, null],
])('%j is %j', (value, iso) => {
	expect(isoDate(value)).toBe(iso);
});
