/** Time in this process, sped up as the sandbox's clock is. */

const realNow = Date.now.bind(Date);
const realElapsed = performance.now.bind(performance);
const realTimeout = globalThis.setTimeout;

export interface Time {
	/** Moves this process's clocks on at once, as `advance` does the sandbox's. */
	jump(ms: number): void;
	/** Puts everything back. */
	restore(): void;
}

/**
 * From now on `Date.now`, `performance.now` and waits by `setTimeout` run `rate` times as fast. Time limits of requests
 * (AbortSignal.timeout, sockets) stay in real time: answers really travel.
 */
export function speedUp(rate: number): Time {
	const started = realNow();
	const begun = realElapsed();
	let jumped = 0;
	Date.now = () => Math.floor(started + (realNow() - started) * rate + jumped);
	performance.now = () => begun + (realElapsed() - begun) * rate + jumped;
	const sooner = (callback: (...all: unknown[]) => void, ms = 0, ...all: unknown[]) =>
		realTimeout(callback, ms / rate, ...all);
	globalThis.setTimeout = Object.defineProperties(
		sooner,
		Object.getOwnPropertyDescriptors(realTimeout),
	) as typeof setTimeout;
	return {
		jump: (ms) => void (jumped += ms),
		restore() {
			Date.now = realNow;
			performance.now = realElapsed;
			globalThis.setTimeout = realTimeout;
		},
	};
}

/** Waits until `Date.now` has reached the moment. */
export async function until(moment: number): Promise<void> {
	for (let left = moment - Date.now(); left > 0; left = moment - Date.now()) {
		await new Promise((resolve) => setTimeout(resolve, left));
	}
}

/** Milliseconds of real time. */
export const stopwatch = () => {
	const from = realElapsed();
	return () => realElapsed() - from;
};
