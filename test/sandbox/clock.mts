/** Milliseconds since the epoch, or anything Date can read. */
export type Instant = number | string | Date;

export interface ClockChange {
	/** Jump to this moment. */
	now?: Instant;
	/** Sandbox seconds per real second: 1 is real time, 0 is frozen, 60 is a minute a second. */
	rate?: number;
	/** Error of the `Date` response header against the sandbox clock, in milliseconds. */
	skewMs?: number;
}

/** @throws {RangeError} when the value is no moment. */
export function toMs(instant: Instant): number {
	const ms = typeof instant === 'number' ? instant : new Date(instant).getTime();
	if (!Number.isFinite(ms)) throw new RangeError(`Not a moment: ${String(instant)}`);
	return ms;
}

/** The sandbox's own time: dates of entries, retention, job durations and token expiry follow it. */
export class Clock {
	private base = Date.now();
	private realBase = Date.now();
	private rate = 1;
	private skewMs = 0;

	now(): number {
		return Math.floor(this.base + (Date.now() - this.realBase) * this.rate);
	}

	/** @returns the time after the change, in milliseconds. */
	set({ now, rate, skewMs }: ClockChange): number {
		if (rate !== undefined && !(rate >= 0)) throw new RangeError('rate must be 0 or more');
		this.base = now === undefined ? this.now() : toMs(now);
		this.realBase = Date.now();
		this.rate = rate ?? this.rate;
		this.skewMs = skewMs ?? this.skewMs;
		return this.base;
	}

	advance(ms: number): number {
		return this.set({ now: this.now() + ms });
	}

	/** Value of the `Date` response header. */
	header(): string {
		return new Date(this.now() + this.skewMs).toUTCString();
	}

	/** A running clock keeps its distance to real time over a restart, a frozen one its moment. */
	save() {
		const { rate, skewMs } = this;
		return { offsetMs: this.now() - Date.now(), frozenAt: this.now(), rate, skewMs };
	}

	restore(saved: ReturnType<Clock['save']>): void {
		const now = saved.rate === 0 ? saved.frozenAt : Date.now() + saved.offsetMs;
		this.set({ now, rate: saved.rate, skewMs: saved.skewMs });
	}
}
