import type { PacerClock } from '../../../nodes/shared/rateLimit';

interface Sleeper {
	at: number;
	wake(): void;
}

/** Far more than any test needs. */
const MOST_WOKEN = 10_000;

/** Lets everything run that needs no time. */
export const settle = async () => await new Promise((resolve) => setImmediate(resolve));

/** A clock that stands until `run` moves it from one sleeper to the next. */
export class VirtualClock implements PacerClock {
	private time = 0;

	private sleepers: Sleeper[] = [];

	/** @param late milliseconds that the next timer fires late (or, when negative, early) */
	constructor(private readonly late: () => number = () => 0) {}

	now(): number {
		return this.time;
	}

	async sleep(ms: number, signal?: AbortSignal): Promise<void> {
		await new Promise<void>((resolve, reject) => {
			const sleeper = { at: Math.max(this.time, this.time + ms + this.late()), wake: resolve };
			this.sleepers.push(sleeper);
			signal?.addEventListener('abort', () => {
				this.sleepers = this.sleepers.filter((other) => other !== sleeper);
				reject(signal.reason as Error);
			});
		});
	}

	/**
	 * Moves on until nobody sleeps any more.
	 * @throws when somebody always goes to sleep again
	 */
	async run(): Promise<void> {
		await settle();
		for (let woken = 0; this.sleepers.length > 0; woken++) {
			if (woken > MOST_WOKEN) throw new Error('The sleepers do not come to an end');
			const next = this.sleepers.reduce((first, other) => (other.at < first.at ? other : first));
			this.sleepers = this.sleepers.filter((other) => other !== next);
			this.time = next.at;
			next.wake();
			await settle();
		}
	}
}
