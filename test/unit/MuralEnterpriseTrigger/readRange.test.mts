import type { AuditLogEntry } from '../../../nodes/shared/auditLog';
import type {
	LogReader,
	NewEntry,
	Range,
	ReadOptions,
} from '../../../nodes/MuralEnterpriseTrigger/readRange';
import { oldestFirst, readRange } from '../../../nodes/MuralEnterpriseTrigger/readRange';
import { entryKey } from '../../../nodes/MuralEnterpriseTrigger/seen';
import type { WorkingState } from '../../../nodes/MuralEnterpriseTrigger/state';
import { newState } from '../../../nodes/MuralEnterpriseTrigger/state';

const NOW = Date.UTC(2026, 2, 1, 12);
const SECOND = 1000;
const DAY = 86_400_000;

const at = (millis: number, change: Partial<AuditLogEntry> = {}): AuditLogEntry => ({
	id: `at ${millis - NOW}`,
	date: new Date(millis).toISOString(),
	...change,
});

/** Reads these pages; everything from ten days ago on is new, and nothing limits the read, unless told otherwise. */
class Reading {
	readonly state: WorkingState = newState('f', NOW - 10 * DAY, NOW);

	readonly options: ReadOptions = {
		entries: 100,
		remembered: 100,
		deadline: NOW + DAY,
		keepFrom: 0,
		matches: ({ action }) => action !== 'other',
	};

	/** This machine's clock when reading begins, and how much every page takes. */
	clock = NOW;

	pageTakes = 0;

	offset = 0;

	requests = 0;

	ranges: Range[] = [];

	async read(pages: AuditLogEntry[][], range: Range = { since: 0 }) {
		const reader: LogReader = {
			pages: (asked) => this.pages(asked, pages),
			clock: () => this.clock,
			clockOffset: () => this.offset,
		};
		return await readRange(reader, range, this.state, this.options);
	}

	private async *pages(range: Range, pages: AuditLogEntry[][]) {
		this.ranges.push(range);
		for (const page of pages) {
			this.requests++;
			this.clock += this.pageTakes;
			yield page;
		}
	}

	/** Makes an entry known, to be kept up to then. */
	know(entry: AuditLogEntry, until: number): void {
		this.state.seen.set(entryKey(entry), until);
	}
}

const idsOf = (added: Map<string, NewEntry>) => [...added.values()].map(({ entry }) => entry.id);

test('new entries come in the order of the log, each once, with what is to be remembered of them', async () => {
	const reading = new Reading();
	const [a, b, c] = [NOW - 1500, NOW - 2500, NOW - 3500].map((millis) => at(millis));
	reading.know(c, NOW - 4000);
	const other = { ...b, action: 'other' };
	const read = await reading.read([[a, other], [a, c], []], { since: NOW - 5000 });
	expect(read).toMatchObject({ outcome: 'all', newest: NOW - 1500, oldest: NOW - 3500 });
	expect([...read.added]).toEqual([
		[
			entryKey(a),
			{ entry: a, millis: NOW - 1500, dated: true, matches: true, keptUntil: NOW - 2000 },
		],
		[
			entryKey(b),
			{ entry: other, millis: NOW - 2500, dated: true, matches: false, keptUntil: NOW - 3000 },
		],
	]);
	expect(reading.ranges).toEqual([{ since: NOW - 5000 }]);
	expect(reading.requests).toBe(3);
});

test('an empty log has no dates', async () => {
	expect(await new Reading().read([])).toEqual({ outcome: 'all', added: new Map() });
});

test('what is at or after `until` is another range', async () => {
	const entries = [NOW - 1, NOW - 1000, NOW - 1001].map((millis) => at(millis));
	const read = await new Reading().read([entries], { since: 0, until: NOW - 1000 });
	expect(idsOf(read.added)).toStrictEqual([entries[2].id]);
	expect(read).toMatchObject({ newest: NOW - 1001, oldest: NOW - 1001, settled: NOW - 1001 });
});

test('what is before the horizon or the floor is not new, nor is what is no entry', async () => {
	for (const bound of ['horizon', 'floor'] as const) {
		const reading = new Reading();
		reading.state[bound] = NOW - 2000;
		const entries = [at(NOW - 2000), at(NOW - 2001), null, 'text', 7] as AuditLogEntry[];
		const read = await reading.read([entries]);
		expect(idsOf(read.added)).toStrictEqual([entries[0].id]);
		expect(read.settled).toBe(NOW - 2000);
	}
});

describe('an entry without a date that can be used', () => {
	test.each<[string, AuditLogEntry]>([
		['none', { id: 'x' }],
		['an unreadable one', { id: 'x', date: 'yesterday' }],
		['one more than two seconds ahead', at(NOW + 2001)],
	])('%s: is new, is remembered for 31 days, and tells nothing of the range', async (_, entry) => {
		const reading = new Reading();
		const read = await reading.read([[entry]], { since: 0, until: NOW - 5000 });
		const [only] = read.added.values();
		const remembered = Math.floor((NOW + 31 * DAY) / SECOND) * SECOND;
		expect(only).toMatchObject({ dated: false, matches: true, keptUntil: remembered });
		expect(read).toEqual({ outcome: 'all', added: read.added });
	});

	test('is ahead or not by the clock of the service', async () => {
		const reading = new Reading();
		reading.offset = -3_600_000;
		const read = await reading.read([[at(NOW - 3_600_000 + 2000), at(NOW - 3_600_000 + 2001)]]);
		expect([...read.added.values()].map(({ dated }) => dated)).toEqual([true, false]);
	});

	test('does not count for the limits', async () => {
		const reading = new Reading();
		Object.assign(reading.options, { entries: 0, remembered: 0 });
		const read = await reading.read([[{ id: 'x' }, { id: 'y' }]]);
		expect(read.outcome).toBe('all');
	});
});

test('an entry that comes twice counts once', async () => {
	const reading = new Reading();
	Object.assign(reading.options, { entries: 1, remembered: 1 });
	const read = await reading.read([[at(NOW)], [at(NOW)]]);
	expect([read.outcome, read.added.size]).toEqual(['all', 1]);
});

describe('how long entries that come again are remembered', () => {
	const kept = async (entry: AuditLogEntry, until: number) => {
		const reading = new Reading();
		reading.know(entry, until);
		expect((await reading.read([[entry]])).added.size).toBe(0);
		return reading.state.seen.get(entryKey(entry));
	};

	test('a dated one up to its second, however long it was meant to be', async () => {
		for (const until of [NOW - 9000, NOW - 5000, NOW + 31 * DAY]) {
			expect(await kept(at(NOW - 4500), until)).toBe(NOW - 5000);
		}
	});

	test('an undated one 31 days from now, brought up to date once a day', async () => {
		expect(await kept({ id: 'x' }, NOW + 30 * DAY - SECOND)).toBe(NOW + 31 * DAY);
		expect(await kept({ id: 'x' }, NOW + 30 * DAY)).toBe(NOW + 30 * DAY);
		expect(await kept({ id: 'x' }, NOW + 40 * DAY)).toBe(NOW + 40 * DAY);
	});
});

describe('how far the boundary may move', () => {
	test('to the newest entry that is new, not to one of the future', async () => {
		const read = await new Reading().read([[at(NOW + 9000), at(NOW - 1000), at(NOW - 2000)]]);
		expect(read.settled).toBe(NOW - 1000);
	});

	test('to an entry that was known only when it is two days old', async () => {
		for (const [age, settled] of [
			[2 * DAY, NOW - 2 * DAY],
			[2 * DAY - 1, undefined],
		] as const) {
			const reading = new Reading();
			const entry = at(NOW - age);
			reading.know(entry, NOW);
			expect((await reading.read([[entry]])).settled).toBe(settled);
		}
	});
});

describe('a read ends', () => {
	const pages = [1, 2, 3, 4].map((n) => [at(NOW - n * 2000), at(NOW - n * 2000 - 1000)]);

	const ended = async (change: Partial<ReadOptions>, setUp = (_: Reading) => {}) => {
		const reading = new Reading();
		Object.assign(reading.options, change);
		setUp(reading);
		const { outcome } = await reading.read(pages);
		return [outcome, reading.requests];
	};

	test('with the page by which more match than asked for', async () => {
		expect(await ended({ entries: 8 })).toEqual(['all', 4]);
		expect(await ended({ entries: 7 })).toEqual(['entries', 4]);
		expect(await ended({ entries: 4 })).toEqual(['entries', 3]);
		expect(await ended({ entries: 0, matches: () => false })).toEqual(['all', 4]);
	});

	test('with the page by which more must be remembered than there is room', async () => {
		expect(await ended({ remembered: 8 })).toEqual(['all', 4]);
		expect(await ended({ remembered: 3 })).toEqual(['remembered', 2]);
		expect(await ended({ remembered: 0, keepFrom: NOW - 4999 })).toEqual(['remembered', 1]);
		// Five seconds ago and newer: the first page and the first of the second one.
		expect(await ended({ remembered: 3, keepFrom: NOW - 5000 })).toEqual(['remembered', 2]);
		expect(await ended({ remembered: 4, keepFrom: NOW - 5000 })).toEqual(['all', 4]);
		expect(await ended({ remembered: 0, keepFrom: NOW })).toEqual(['all', 4]);
	});

	test('after the first page that came at the deadline or later', async () => {
		const slow = (reading: Reading) => (reading.pageTakes = 1000);
		expect(await ended({ deadline: NOW + 2000 }, slow)).toEqual(['deadline', 2]);
		expect(await ended({ deadline: NOW + 2001 }, slow)).toEqual(['deadline', 3]);
		expect(await ended({ deadline: NOW - 1 }, slow)).toEqual(['deadline', 1]);
	});

	test.each<[ReadOptions['stopAtBoundary'], string, number]>([
		['always', 'boundary', 2],
		['when nothing is new', 'all', 4],
		[undefined, 'all', 4],
	])('at the boundary when it may (%j)', async (stopAtBoundary, outcome, requests) => {
		const before = (reading: Reading) => (reading.state.boundary = NOW - 4999);
		expect(await ended({ stopAtBoundary }, before)).toEqual([outcome, requests]);
	});

	test('at the boundary when nothing was new', async () => {
		const known = (reading: Reading) => {
			reading.state.boundary = NOW - 2000;
			for (const entry of pages.flat()) reading.know(entry, NOW);
		};
		expect(await ended({ stopAtBoundary: 'when nothing is new' }, known)).toEqual(['boundary', 1]);
		expect(await ended({}, known)).toEqual(['all', 4]);
	});

	test('at a known entry of the boundary, not at a new one', async () => {
		const one = (isKnown: boolean) => async () => {
			const reading = new Reading();
			reading.options.stopAtBoundary = 'always';
			reading.state.boundary = NOW - 2000;
			if (isKnown) reading.know(at(NOW - 2000), NOW);
			return (await reading.read([[at(NOW - 2000)], [at(NOW - 2000, { id: 'b' })]])).outcome;
		};
		expect(await one(true)()).toBe('boundary');
		expect(await one(false)()).toBe('all');
	});

	test('a known entry after the boundary is not there yet', async () => {
		const known = (reading: Reading) => {
			reading.state.boundary = NOW - 8000;
			reading.know(pages[0][0], NOW);
		};
		expect(await ended({ stopAtBoundary: 'always' }, known)).toEqual(['boundary', 4]);
	});
});

test('oldest first: by date, those without one last, equal ones in the order given', () => {
	const entries = [3, undefined, 1, 2, 1, undefined, 3].map(
		(millis, index): NewEntry => ({
			entry: { id: String(index) },
			millis,
			dated: millis !== undefined,
			matches: true,
			keptUntil: 0,
		}),
	);
	const order = [...entries];
	expect(oldestFirst(entries).map(({ entry }) => entry.id)).toEqual([
		'2',
		'4',
		'3',
		'0',
		'6',
		'1',
		'5',
	]);
	expect(entries).toEqual(order);
});
