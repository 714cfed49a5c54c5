import fc from 'fast-check';

import { Play } from './play.mts';
import { regressions } from './regressions.mts';
import { schedule } from './schedule.mts';

/** More schedules, or the same again: CURSOR_RUNS=100000, CURSOR_SEED=1 in the environment; CURSOR_SHRINK=0 to see
 * one that fails at once, as it was drawn. */
const { CURSOR_RUNS = '10000', CURSOR_SEED, CURSOR_SHRINK } = process.env;

test(
	'every entry is emitted exactly once, whatever happens',
	async () => {
		const property = fc.asyncProperty(schedule, async (steps) => await new Play(steps).run());
		await fc.assert(property, {
			numRuns: Number(CURSOR_RUNS),
			seed: CURSOR_SEED === undefined ? undefined : Number(CURSOR_SEED),
			endOnFailure: CURSOR_SHRINK === '0',
			examples: regressions.map((steps) => [steps]),
		});
	},
	30 * 60_000,
);
