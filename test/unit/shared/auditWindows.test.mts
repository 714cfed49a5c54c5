import fc from 'fast-check';

import type { AuditLogEntry, AuditLogQuery } from '../../../nodes/shared/auditLog';
import { readWindows } from '../../../nodes/shared/auditWindows';
import type { LogEntry, LogOptions } from './fakeLog.mts';
import { FakeLog, ids, readAll } from './fakeLog.mts';

const START = Date.UTC(2026, 8, 1, 12);

/** Few seconds and few milliseconds: ties and entries at the bounds of a second are common. */
const moment = (seconds: number) =>
	fc
		.tuple(fc.integer({ min: 0, max: seconds }), fc.constantFrom(0, 0, 1, 500, 999))
		.map(([second, millis]) => START + second * 1000 + millis);

const entry = (seconds: number): fc.Arbitrary<Omit<LogEntry, 'id'>> =>
	fc.record(
		{ at: moment(seconds), date: fc.constantFrom(null, '', 'yesterday') },
		{ requiredKeys: ['at'] },
	);

const named = (entries: Array<Omit<LogEntry, 'id'>>, prefix: string): LogEntry[] =>
	entries.map((each, index) => ({ ...each, id: `${prefix}${index}` }));

const scenario = fc
	.constantFrom(5, 40, 400)
	.chain((seconds) =>
		fc.record({
			entries: fc.array(entry(seconds), { maxLength: 120 }).map((entries) => named(entries, 'a')),
			late: fc.array(fc.record({ at: moment(seconds) }), { maxLength: 40 }),
			since: fc.option(moment(seconds), { nil: undefined }),
			until: fc.option(moment(seconds), { nil: undefined }),
			untilCovers: fc.constantFrom<LogOptions['untilCovers']>('second', 'moment'),
			sizes: fc.infiniteStream(fc.integer({ min: 1, max: 4 })),
			parallel: fc.integer({ min: 2, max: 8 }),
			scheduler: fc.scheduler(),
		}),
	)
	.filter(({ since, until }) => since === undefined || until === undefined || since <= until);

type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

function reading(options: { parallel: number; limit?: number }, taken: () => number = () => 0) {
	const { parallel, limit = Number.POSITIVE_INFINITY } = options;
	return { parallel, pageSize: 4, since: () => START, wanted: () => limit - taken() };
}

function logOf({ entries, untilCovers, sizes, scheduler }: Scenario, arrive?: () => void) {
	return new FakeLog(entries, {
		untilCovers,
		pageSize: () => sizes.next().value as number,
		arrive: async () => {
			await scheduler.schedule(Promise.resolve());
			arrive?.();
		},
	});
}

const oneByOne = async ({ entries, untilCovers }: Scenario, query: AuditLogQuery) =>
	await readAll(new FakeLog(entries, { untilCovers, pageSize: () => 4 }).pages(query));

describe('date windows side by side', () => {
	test('give the entries of one read after the other, in the same order', async () => {
		await fc.assert(
			fc.asyncProperty(scenario, async (play) => {
				const { since, until, parallel, scheduler } = play;
				const log = logOf(play);
				const range = { since, until };
				const read = readAll(
					readWindows((query) => log.pages(query), range, reading({ parallel })),
				);
				const entries = await scheduler.waitFor(read);
				expect(ids(entries)).toEqual(ids(await oneByOne(play, range)));
			}),
			{ numRuns: 500 },
		);
	});

	test('give each entry once, newest first, and none is missed while others appear at any place', async () => {
		await fc.assert(
			fc.asyncProperty(scenario, async (play) => {
				const { since, until, parallel, scheduler } = play;
				const late = named(play.late, 'b');
				// Without a date there is nothing to cut an entry by while its neighbours change.
				const entries = play.entries.map(({ at, id }) => ({ at, id }));
				const log = logOf({ ...play, entries }, () => log.insert(late.splice(0, 1)));
				const range = { since, until };
				const read = readAll(
					readWindows((query) => log.pages(query), range, reading({ parallel })),
				);
				const given = await scheduler.waitFor(read);
				expect(new Set(ids(given)).size).toBe(given.length);
				const old = ids(given).filter((id) => id?.startsWith('a'));
				expect(old).toEqual(ids(await oneByOne({ ...play, entries }, range)));
				const dates = given.map(({ date }) => date as string);
				expect(dates).toEqual(dates.toSorted().reverse());
			}),
			{ numRuns: 500 },
		);
	});

	test('give the newest entries of a limit', async () => {
		await fc.assert(
			fc.asyncProperty(scenario, fc.integer({ min: 1, max: 60 }), async (play, limit) => {
				const { parallel, scheduler } = play;
				fc.pre(play.entries.length >= limit);
				const log = logOf({ ...play, sizes: fc.stream(fours()) });
				const taken: AuditLogEntry[] = [];
				const take = async () => {
					const options = reading({ parallel, limit }, () => taken.length);
					for await (const page of readWindows((query) => log.pages(query), {}, options)) {
						taken.push(...page.slice(0, limit - taken.length));
						if (taken.length === limit) return;
					}
				};
				await scheduler.waitFor(take());
				expect(ids(taken)).toEqual(ids(await oneByOne(play, {})).slice(0, limit));
			}),
			{ numRuns: 300 },
		);
	});
});

function* fours() {
	for (;;) yield 4;
}

test('a failure comes after all that one read after the other gives before it', async () => {
	await fc.assert(
		fc.asyncProperty(scenario, moment(40), async (play, failsBefore) => {
			const { parallel, scheduler } = play;
			const log = logOf(play);
			const failing = async function* (query: AuditLogQuery) {
				for await (const page of log.pages(query)) {
					const isFine = page.filter(({ id }) => positionOf(play, id) >= failsBefore);
					if (isFine.length > 0) yield isFine;
					if (isFine.length < page.length) throw new Error('lost');
				}
			};
			const taken: AuditLogEntry[] = [];
			const take = async () => {
				for await (const page of readWindows(failing, {}, reading({ parallel }))) {
					taken.push(...page);
				}
			};
			const all = await oneByOne(play, {});
			const expected = all.filter(({ id }) => positionOf(play, id) >= failsBefore);
			if (expected.length === all.length) await scheduler.waitFor(take());
			else await expect(scheduler.waitFor(take())).rejects.toThrow('lost');
			expect(ids(taken)).toEqual(ids(expected));
		}),
		{ numRuns: 300 },
	);
});

const positionOf = ({ entries }: Scenario, id: unknown) =>
	(entries.find((each) => each.id === id) as LogEntry).at;

test('the default range is asked for after the first page, when the clock of the service is known', async () => {
	const log = new FakeLog(evenly(2000), { untilCovers: 'second', pageSize: () => 10 });
	const known: number[] = [];
	const since = () => {
		known.push(log.sent.size);
		return START - 500_000;
	};
	const options = { ...reading({ parallel: 4 }), pageSize: 10, since };
	const read = await readAll(readWindows((query) => log.pages(query), {}, options));
	expect(read.length).toBeGreaterThanOrEqual(500);
	expect(known).toEqual([expect.any(Number)]);
	expect(known[0]).toBeGreaterThan(0);
	expect(log.requests[0]).toEqual({});
	const bounded = log.requests.filter(({ until }) => until !== undefined);
	expect(new Set(bounded.map((query) => query.since))).toEqual(new Set([START - 500_000]));
});

test.each([
	[4, 1],
	[50, 1],
	[51, 2],
	[1000, 23],
])('for %d entries it sends at most %d requests', async (limit, requests) => {
	const log = new FakeLog(evenly(20_000), { untilCovers: 'second', pageSize: () => 50 });
	const taken: AuditLogEntry[] = [];
	const options = { ...reading({ parallel: 8, limit }, () => taken.length), pageSize: 50 };
	for await (const page of readWindows((query) => log.pages(query), {}, options)) {
		taken.push(...page);
		if (taken.length >= limit) break;
	}
	expect(log.requests.length).toBeLessThanOrEqual(requests);
});

interface Stretch {
	seconds: number;
	perSecond: number;
}

/** A log that ends at START, newest stretch first. */
function logFrom(stretches: Stretch[]): LogEntry[] {
	const entries: LogEntry[] = [];
	let second = START / 1000;
	for (const { seconds, perSecond } of stretches) {
		for (const last = second - seconds; second > last; second--) {
			for (let i = 0; i < perSecond; i++) {
				entries.push({ at: second * 1000 + 999 - i, id: `${entries.length}` });
			}
		}
	}
	return entries;
}

const evenly = (seconds: number) => logFrom([{ seconds, perSecond: 1 }]);

const pageSize = 50;

/** Reads a log each of whose answers takes a round; `restRounds` more pass between two pages taken. */
async function timed(entries: LogEntry[], parallel: number, restRounds = 0) {
	let waiting: Array<() => void> = [];
	const round = async () => await new Promise<void>((resolve) => waiting.push(resolve));
	const log = new FakeLog(entries, {
		untilCovers: 'second',
		pageSize: () => pageSize,
		arrive: round,
	});
	const range = { since: (entries.at(-1) as LogEntry).at };
	const options = { ...reading({ parallel }), pageSize };
	const taken: AuditLogEntry[] = [];
	let isOver = false;
	const take = async () => {
		for await (const page of readWindows((query) => log.pages(query), range, options)) {
			taken.push(...page);
			for (let i = 0; i < restRounds; i++) await round();
		}
		isOver = true;
	};
	const done = take();
	let rounds = 0;
	let mostAhead = 0;
	const settle = async () => await new Promise((resolve) => setImmediate(resolve));
	for (await settle(); !isOver; await settle()) {
		if (++rounds > 5000) throw new Error('The log is read for ever');
		for (const resolve of waiting.splice(0)) resolve();
		mostAhead = Math.max(mostAhead, log.sent.size - taken.length);
	}
	await done;
	expect(ids(taken)).toEqual(ids(entries));
	return { rounds, requests: log.requests.length, mostAhead };
}

const DAY = { seconds: 1500, perSecond: 5 };
const NIGHT = { seconds: 1500, perSecond: 1 };

test.each([
	['an even log', [{ ...NIGHT, seconds: 20_000 }], 1.1],
	['busy days and quieter nights', [DAY, NIGHT, DAY, NIGHT, DAY, NIGHT], 1.4],
	['silence between days', [DAY, { ...NIGHT, perSecond: 0 }, DAY, NIGHT], 1.4],
])('%s: eight windows take a fifth of the time and few more requests', async (_, log, requests) => {
	const entries = logFrom(log);
	const sequential = entries.length / pageSize + 1;
	const eight = await timed(entries, 8);
	expect(eight.rounds).toBeLessThan(sequential / 5);
	expect(eight.requests).toBeLessThan(sequential * requests);
});

test('memory does not grow with the log, however slowly its entries are taken', async () => {
	const { mostAhead } = await timed(evenly(20_000), 4, 3);
	// Five pages a window; one more is being taken, one was cut.
	expect(mostAhead).toBeLessThanOrEqual((5 * 4 + 2) * pageSize);
});
