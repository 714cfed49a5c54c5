/**
 * Pacing shared by everything that uses one key in this process. Clock and sleep are passed in.
 * Spec: Limits (transfer: at most 25 requests per second per app; excess gets 429).
 */

export interface PacerClock {
	/** Milliseconds of a clock that never goes back. */
	now(): number;
	/** Resolves after `ms`; rejects when the signal aborts. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** After a 429 the rate is halved; it grows back by this many requests per second for every second without one. */
const RECOVERY_PER_SECOND = 1;
const LOWEST_RATE = 1;

/**
 * Spaces requests evenly at `maxPerSecond` (not at all when undefined) and, after a 429, holds everybody back until
 * the service takes requests again. Several workers share a limit by each lowering its rate on 429 and raising it
 * slowly. First come, first served; the distance is kept to the request sent last, however late a timer was, so no
 * window of a second ever holds more than `maxPerSecond`.
 */
export class Pacer {
	/** Settles once everybody before has sent or given up. */
	private queue: Promise<void> = Promise.resolve();

	private lastSentAt = Number.NEGATIVE_INFINITY;

	private heldUntil = Number.NEGATIVE_INFINITY;

	private rate: number;

	private rateSetAt = Number.NEGATIVE_INFINITY;

	constructor(
		private readonly clock: PacerClock,
		readonly maxPerSecond?: number,
	) {
		this.rate = maxPerSecond ?? Number.POSITIVE_INFINITY;
	}

	/**
	 * Resolves, with the time, when the caller may send one request; rejects as soon as the signal aborts. Whoever
	 * gives up takes no slot from the others.
	 */
	async acquire(signal?: AbortSignal): Promise<number> {
		const before = this.queue;
		let leave = () => {};
		this.queue = new Promise((resolve) => (leave = resolve));
		try {
			await unlessAborted(before, signal);
			for (;;) {
				signal?.throwIfAborted();
				const now = this.clock.now();
				const slot = Math.max(this.lastSentAt + 1000 / this.rateAt(now), this.heldUntil);
				if (slot <= now) {
					this.lastSentAt = now;
					return now;
				}
				// A hold may come while we sleep, so the slot is worked out anew afterwards.
				await this.clock.sleep(slot - now, signal);
			}
		} finally {
			void before.then(leave);
		}
	}

	/**
	 * Tells that the service answered 429: nobody sends before `waitMs` have passed.
	 * @param sentAt when the refused request was sent, as `acquire` gave it; answers to requests sent before the
	 * rate was last lowered are one sign with that one, not another
	 */
	throttled(waitMs: number, sentAt: number): void {
		const now = this.clock.now();
		this.heldUntil = Math.max(this.heldUntil, now + waitMs);
		if (sentAt < this.rateSetAt) return;
		this.rate = Math.max(LOWEST_RATE, this.rateAt(now) / 2);
		this.rateSetAt = now;
	}

	/** Requests per second allowed at the moment. */
	private rateAt(now: number): number {
		if (this.maxPerSecond === undefined) return this.rate;
		const recovered = ((now - this.rateSetAt) / 1000) * RECOVERY_PER_SECOND;
		return Math.min(this.maxPerSecond, this.rate + recovered);
	}
}

async function unlessAborted(promise: Promise<void>, signal?: AbortSignal): Promise<void> {
	if (!signal) return await promise;
	signal.throwIfAborted();
	let abort = () => {};
	const aborted = new Promise<never>((_, reject) => {
		abort = () => reject(signal.reason as Error);
		signal.addEventListener('abort', abort);
	});
	try {
		await Promise.race([promise, aborted]);
	} finally {
		signal.removeEventListener('abort', abort);
	}
}
