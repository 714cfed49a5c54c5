import type * as Workflow from 'n8n-workflow';

/**
 * Waiting without waiting: `sleep` of n8n-workflow moves the clocks on and returns. In a test file:
 * `jest.mock('n8n-workflow', () => jest.requireActual('./fakeSleep.mts').mockedWorkflow());`
 */

/** Milliseconds of every sleep so far. */
export const sleeps: number[] = [];

const realNow = performance.now.bind(performance);

let ahead = 0;

/** Called with every sleep before it ends, e.g. to cancel in the middle of it. */
let onSleep: (ms: number) => void = () => {};

export function mockedWorkflow(): typeof Workflow {
	const actual = jest.requireActual<typeof Workflow>('n8n-workflow');
	return {
		...actual,
		sleep: async (ms: number, signal?: AbortSignal) => {
			signal?.throwIfAborted();
			sleeps.push(ms);
			onSleep(ms);
			signal?.throwIfAborted();
			ahead += ms;
		},
	};
}

/** For `beforeEach`: forgets the sleeps and puts the clocks under control. */
export function resetSleeps(during: (ms: number) => void = () => {}): void {
	sleeps.length = 0;
	onSleep = during;
	jest.spyOn(performance, 'now').mockImplementation(() => realNow() + ahead);
}
