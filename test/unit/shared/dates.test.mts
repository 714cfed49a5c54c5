import fc from 'fast-check';
import { DateTime } from 'luxon';

import { parseMoment } from '../../../nodes/shared/dates';

const at = (iso: string) => Date.parse(iso);

describe('parseMoment', () => {
	test.each([
		['ISO with Z', '2026-01-31T08:00:00Z', '2026-01-31T08:00:00Z'],
		['ISO with an offset', '2026-01-31T08:00:00+02:00', '2026-01-31T06:00:00Z'],
		['ISO with milliseconds', '2026-01-31T08:00:00.123Z', '2026-01-31T08:00:00.123Z'],
		['ISO without a zone', '2026-01-31T08:00:00', '2026-01-31T13:00:00Z'],
		['the date picker', '2026-01-31T00:00:00', '2026-01-31T05:00:00Z'],
		['ISO without seconds', '2026-01-31T08:00', '2026-01-31T13:00:00Z'],
		['basic ISO', '20260131T080000Z', '2026-01-31T08:00:00Z'],
		["the service's own form", '2026-01-31 08:00:00', '2026-01-31T13:00:00Z'],
		['with milliseconds', '2026-01-31 08:00:00.5', '2026-01-31T13:00:00.500Z'],
		['a date alone', '2026-01-31', '2026-01-31T05:00:00Z'],
		['white space around', ' 2026-01-31\n', '2026-01-31T05:00:00Z'],
	])('%s, in the time zone of the workflow', (_, text, expected) => {
		expect(parseMoment(text, 'America/New_York', 'start')).toBe(at(expected));
	});

	test.each([
		['2026-01-31', 'UTC', '2026-01-31T23:59:59.999Z'],
		['20260131', 'UTC', '2026-01-31T23:59:59.999Z'],
		['2026-01-31', 'Asia/Tokyo', '2026-01-31T14:59:59.999Z'],
		// The day has 25 hours.
		['2026-10-25', 'Europe/Berlin', '2026-10-25T22:59:59.999Z'],
		['2026-01-31T00:00:00Z', 'UTC', '2026-01-31T00:00:00Z'],
	])('%s in %s as an end', (text, zone, expected) => {
		expect(parseMoment(text, zone, 'end')).toBe(at(expected));
	});

	test('a Date, an n8n DateTime, a DateTime of another copy of luxon', () => {
		const millis = at('2026-01-31T08:00:00.123Z');
		expect(parseMoment(new Date(millis), 'Asia/Tokyo', 'end')).toBe(millis);
		expect(parseMoment(DateTime.fromMillis(millis), 'Asia/Tokyo', 'end')).toBe(millis);
		expect(parseMoment({ toMillis: () => millis }, 'Asia/Tokyo', 'end')).toBe(millis);
	});

	test.each([
		['yesterday'],
		[''],
		['2026-02-30'],
		['2026-13-01T00:00:00Z'],
		['14:30'],
		['1430'],
		['2026'],
		['2026-01'],
		['1769846400000'],
		[1769846400000],
		[null],
		[undefined],
		[true],
		[{}],
		[[]],
		[new Date(Number.NaN)],
		[DateTime.invalid('because')],
	])('%p is no moment', (value) => {
		expect(parseMoment(value, 'UTC', 'start')).toBeUndefined();
	});

	test('reads back every moment it is given as ISO, whatever the zone', () => {
		const zones = fc.constantFrom('UTC', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia');
		const millis = fc.integer({ min: at('1990-01-01'), max: at('2100-01-01') });
		fc.assert(
			fc.property(millis, zones, zones, (moment, written, workflow) => {
				const text = DateTime.fromMillis(moment, { zone: written }).toISO();
				expect(parseMoment(text, workflow, 'end')).toBe(moment);
			}),
		);
	});

	test('never throws and never gives NaN', () => {
		fc.assert(
			fc.property(fc.anything(), (value) => {
				const moment = parseMoment(value, 'UTC', 'end');
				expect(moment === undefined || Number.isFinite(moment)).toBe(true);
			}),
		);
	});
});
