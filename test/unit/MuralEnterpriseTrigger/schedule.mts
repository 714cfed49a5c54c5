import fc from 'fast-check';

import type { ServiceStyle } from './model.mts';

/** Schedules of what happens to a trigger: entries arrive, time passes, polls run, fail and are rolled back. */

export interface Arrival {
	/** Milliseconds until it becomes visible. */
	delay: number;
	/** Share of the late-entries window that it is late by, or milliseconds; future ones are dated ahead. */
	kind: 'onTime' | 'late' | 'future' | 'undated' | 'malformed';
	share: number;
	millisecond: number;
	hasId: boolean;
	/** How many with the very same date. */
	ties: number;
	action: 'A' | 'B';
}

export type Step =
	| { do: 'arrive'; arrival: Arrival }
	| { do: 'wait'; ms: number }
	| { do: 'poll'; budget: number; failIn?: number }
	/** The host goes back to the state it saved with the last emission. */
	| { do: 'restart' };

export interface Schedule {
	style: ServiceStyle;
	lookBack: number;
	lateWindow: number;
	reReadEvery: number;
	maxEntries: number;
	/** Entries remembered beyond what cannot be done without; undefined: plenty. */
	spareMemory?: number;
	filter: 'none' | 'local' | 'service';
	before: Arrival[];
	steps: Step[];
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const style: fc.Arbitrary<ServiceStyle> = fc.record({
	token: fc.constantFrom('position', 'offset'),
	end: fc.constantFrom('emptyPage', 'noToken', 'nullToken', 'emptyToken'),
	pageSizes: fc.oneof(
		fc.constant<number[]>([1000]),
		fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 4 }),
	),
	latencies: fc.array(fc.constantFrom(0, 10, 300, 2000), { minLength: 1, maxLength: 3 }),
	untilWholeSecond: fc.boolean(),
	newerTieFirst: fc.boolean(),
	undated: fc.constantFrom('top', 'bottom', 'filtered'),
	dateHeader: fc.boolean(),
	localSkew: fc.constant(0),
});

/** A wrong local clock can be told from a right one only by the Date header. */
const skewed = style.chain((chosen) =>
	chosen.dateHeader
		? fc
				.constantFrom(0, 700, -3 * MINUTE, 5 * MINUTE, -2 * HOUR, 26 * HOUR)
				.map((localSkew) => ({ ...chosen, localSkew }))
		: fc.constant(chosen),
);

const arrival: fc.Arbitrary<Arrival> = fc.record({
	delay: fc.oneof(
		{ weight: 3, arbitrary: fc.constant(0) },
		{ weight: 1, arbitrary: fc.integer({ min: 0, max: 8000 }) },
	),
	kind: fc.oneof(
		{ weight: 12, arbitrary: fc.constant('onTime' as const) },
		{ weight: 8, arbitrary: fc.constant('late' as const) },
		{
			weight: 2,
			arbitrary: fc.constantFrom('future' as const, 'undated' as const, 'malformed' as const),
		},
	),
	share: fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true })),
	millisecond: fc.constantFrom(0, 1, 500, 999),
	hasId: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, fc.constant(false)),
	ties: fc.oneof(
		{ weight: 5, arbitrary: fc.constant(1) },
		{ weight: 1, arbitrary: fc.integer({ min: 2, max: 12 }) },
	),
	action: fc.constantFrom('A', 'B'),
});

const step: fc.Arbitrary<Step> = fc.oneof(
	{ weight: 5, arbitrary: fc.record({ do: fc.constant('arrive' as const), arrival }) },
	{
		weight: 2,
		arbitrary: fc.record({
			do: fc.constant('wait' as const),
			ms: fc.oneof(
				fc.integer({ min: 1, max: 3000 }),
				fc.constantFrom(MINUTE, 10 * MINUTE, 61 * MINUTE, 9 * HOUR, 60 * HOUR),
			),
		}),
	},
	{
		weight: 5,
		arbitrary: fc.record(
			{
				do: fc.constant('poll' as const),
				budget: fc.constantFrom(5 * MINUTE, 5 * MINUTE, 10_000, 2000, 0),
				failIn: fc.integer({ min: 1, max: 6 }),
			},
			{ requiredKeys: ['do', 'budget'] },
		),
	},
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
);

export const schedule: fc.Arbitrary<Schedule> = fc.record(
	{
		style: skewed,
		lookBack: fc.constantFrom(0, HOUR, 72 * HOUR),
		lateWindow: fc.constantFrom(0, 10 * MINUTE, 48 * HOUR, 48 * HOUR, 7 * 24 * HOUR),
		reReadEvery: fc.constantFrom(MINUTE, 10 * MINUTE, HOUR),
		maxEntries: fc.constantFrom(1, 3, 10, 10_000),
		spareMemory: fc.constantFrom(0, 2, 10),
		filter: fc.constantFrom('none', 'local', 'service'),
		before: fc.array(arrival, { maxLength: 6 }),
		steps: fc.array(step, { minLength: 1, maxLength: 40, size: 'large' }),
	},
	{
		requiredKeys: [
			'style',
			'lookBack',
			'lateWindow',
			'reReadEvery',
			'maxEntries',
			'filter',
			'before',
			'steps',
		],
	},
);
