import type { ServiceStyle } from './model.mts';
import type { Arrival, Schedule, Step } from './schedule.mts';

/** Schedules that once failed, shrunk by fast-check, each with what was wrong. They run before all others. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const style: ServiceStyle = {
	token: 'position',
	end: 'emptyPage',
	pageSizes: [1000],
	latencies: [0],
	untilWholeSecond: false,
	newerTieFirst: false,
	undated: 'top',
	dateHeader: false,
	localSkew: 0,
};

const plain: Omit<Schedule, 'steps'> = {
	style,
	lookBack: 0,
	lateWindow: 0,
	reReadEvery: MINUTE,
	maxEntries: 1,
	filter: 'none',
	before: [],
};

const entry = (change: Partial<Arrival> = {}): Arrival => ({
	delay: 0,
	kind: 'onTime',
	share: 0,
	millisecond: 0,
	hasId: true,
	ties: 1,
	action: 'A',
	...change,
});
const arrive = (change: Partial<Arrival> = {}): Step => ({ do: 'arrive', arrival: entry(change) });
const poll = (budget = 5 * MINUTE): Step => ({ do: 'poll', budget });
const wait = (ms: number): Step => ({ do: 'wait', ms });

export const regressions: Schedule[] = [
	// The end of a backlog was read without a limit, although more had arrived since it was planned.
	{ ...plain, spareMemory: 0, steps: [arrive(), arrive({ delay: 3000 }), wait(MINUTE), poll()] },
	// A page that reached the boundary was taken in whole, however much it held.
	{
		...plain,
		style: { ...style, pageSizes: [2], latencies: [2000] },
		lookBack: 72 * HOUR,
		lateWindow: 48 * HOUR,
		spareMemory: 0,
		before: [entry(), entry({ kind: 'late', share: 1 })],
		steps: [poll(), arrive({ kind: 'late' }), poll()],
	},
	// Entries in the future filled the limits, so that no slice was ever small enough.
	{
		...plain,
		style: { ...style, pageSizes: [1] },
		lookBack: 72 * HOUR,
		lateWindow: 48 * HOUR,
		spareMemory: 0,
		before: [
			entry({ hasId: false }),
			entry({ kind: 'late', share: 1 }),
			entry({ ties: 6 }),
			entry({ kind: 'late' }),
		],
		steps: [
			wait(MINUTE),
			arrive({ kind: 'late', ties: 8 }),
			arrive({ kind: 'future', share: 1, ties: 2 }),
			wait(MINUTE),
			poll(),
		],
	},
	// A re-read came on by two seconds a poll, since it stopped at the first slice that was too long.
	{
		...plain,
		style: { ...style, pageSizes: [1] },
		lookBack: HOUR,
		lateWindow: 48 * HOUR,
		spareMemory: 2,
		before: [entry()],
		steps: [
			arrive({ share: 1 }),
			wait(MINUTE),
			arrive({ kind: 'late', share: 0.0000347, hasId: false }),
			arrive({ share: 1, ties: 2 }),
			arrive(),
		],
	},
	// An entry a moment in the future moved the boundary past others that were on time.
	{ ...plain, before: [entry({ kind: 'future' })], steps: [poll()] },
	// Where `until` means the end of its second, a slice held entries of the next one, and never became small enough.
	{
		...plain,
		style: { ...style, pageSizes: [1], latencies: [2000, 0], untilWholeSecond: true },
		lookBack: 72 * HOUR,
		lateWindow: 10 * MINUTE,
		spareMemory: 0,
		before: [entry({ kind: 'late' })],
		steps: [arrive({ kind: 'late', share: 1, ties: 3 }), arrive(), arrive(), { do: 'restart' }],
	},
	// Entries without a date that come with every slice kept a full memory full.
	{
		...plain,
		style: { ...style, pageSizes: [1], latencies: [2000], undated: 'bottom' },
		lookBack: HOUR,
		lateWindow: 48 * HOUR,
		maxEntries: 3,
		spareMemory: 2,
		before: [entry(), entry({ share: 1 }), entry()],
		steps: [
			arrive(),
			arrive(),
			poll(),
			arrive({ kind: 'late' }),
			arrive({ kind: 'malformed', ties: 2 }),
		],
	},
	// Entries without a date took the place in the memory that dated ones had been promised.
	{
		...plain,
		lookBack: 72 * HOUR,
		lateWindow: 48 * HOUR,
		maxEntries: 10_000,
		spareMemory: 0,
		before: [entry(), entry({ share: 1 })],
		steps: [arrive({ kind: 'undated' }), arrive({ delay: 3000 }), arrive({ hasId: false })],
	},
	// Pages without a single date, until the time was up: the backlog was forgotten and began anew, for ever.
	{
		...plain,
		style: { ...style, pageSizes: [2, 4], latencies: [2000] },
		lookBack: 72 * HOUR,
		lateWindow: 48 * HOUR,
		before: [entry({ kind: 'undated', ties: 7 })],
		steps: [
			arrive({ kind: 'undated' }),
			arrive({ share: 1 }),
			arrive(),
			arrive({ kind: 'late', share: 1, ties: 2 }),
		],
	},
	// The same, and then everything was emitted at once.
	{
		...plain,
		style: { ...style, pageSizes: [1], latencies: [2000] },
		steps: [
			arrive({ kind: 'late', ties: 4 }),
			wait(1315),
			poll(0),
			{ do: 'poll', budget: 5 * MINUTE, failIn: 5 },
			arrive({ kind: 'malformed' }),
			arrive({ delay: 2685 }),
			{ do: 'restart' },
			arrive(),
			arrive({ kind: 'malformed', ties: 2 }),
			poll(10_000),
		],
	},
	// An entry became known while it was still ahead of the clock, and was remembered for 31 days.
	{
		...plain,
		style: { ...style, token: 'offset', latencies: [0, 2000], dateHeader: true },
		maxEntries: 3,
		steps: [
			arrive({ kind: 'late', millisecond: 999 }),
			arrive({ delay: 825, millisecond: 1 }),
			arrive({ share: 1, millisecond: 999 }),
			poll(),
			wait(2335),
			arrive({ millisecond: 1 }),
			arrive({ delay: 5238, kind: 'late' }),
			poll(0),
			poll(),
			wait(9 * HOUR),
			arrive({ kind: 'late' }),
			poll(10_000),
		],
	},
];
