import type { NewEntry, RangeRead } from '../../../nodes/MuralEnterpriseTrigger/readRange';
import { grown, isWhole, shrunk } from '../../../nodes/MuralEnterpriseTrigger/slices';

const NOW = Date.UTC(2026, 2, 1, 12);
const SECOND = 1000;

/** A read that found so many new entries with a date, and so many without. */
function read(dated: number, undated = 0, change: Partial<RangeRead> = {}): RangeRead {
	const added = new Map<string, NewEntry>();
	for (let n = 0; n < dated + undated; n++) {
		added.set(`${n}`, { entry: {}, dated: n < dated, matches: true, keptUntil: NOW });
	}
	return { outcome: 'all', added, ...change };
}

test.each<[RangeRead['outcome'], boolean]>([
	['all', true],
	['boundary', true],
	['entries', false],
	['remembered', false],
	['deadline', false],
])('a range that ended with %j was read whole: %j', (outcome, expected) => {
	expect(isWhole(read(0, 0, { outcome }))).toBe(expected);
});

describe('after a complete slice the next one is', () => {
	test.each<[string, RangeRead, number, number]>([
		['sixteen times as long when nothing was new', read(0), 100, 16],
		['as much longer as fills four fifths of the room', read(10), 100, 8],
		['a whole number of times as long', read(10), 99, 7],
		['sixteen times as long at most', read(1), 10_000, 16],
		['never shorter', read(100), 50, 1],
		['never shorter when there is no room', read(10), 0, 1],
		['not shorter for entries without a date, which come with every slice', read(10, 90), 100, 8],
	])('%s', (_, found, room, times) => {
		expect(grown(7 * SECOND, found, room)).toBe(times * 7 * SECOND);
	});
});

describe('after a slice that was too long the next one is', () => {
	const dates = (newest?: number, oldest?: number) => read(1, 0, { newest, oldest });
	test.each<[string, number, RangeRead, number]>([
		['four fifths of what could be read', 100, dates(NOW, NOW - 20_000), 16],
		['half as long at most', 100, dates(NOW, NOW - 90_000), 50],
		['half as long when no date told how dense the log is', 100, dates(), 50],
		['a second at least', 100, dates(NOW, NOW - 300), 1],
		['a second when all was of one moment', 100, dates(NOW, NOW), 1],
		['a second when a second was too long', 1, dates(NOW, NOW - 900), 1],
		['a whole number of seconds', 5, dates(), 2],
		['whole seconds of what could be read', 100, dates(NOW, NOW - 11_000), 8],
	])('%s', (_, seconds, found, expected) => {
		expect(shrunk(seconds * SECOND, found)).toBe(expected * SECOND);
	});
});
