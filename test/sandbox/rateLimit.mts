import type { Behaviour } from './behaviour.mts';

type Limits = Behaviour['transfer'];

/** Requests let through per app, in real time (spec: Limits). Refused requests do not count. */
export class RateLimit {
	private readonly passed = new Map<string, number[]>();

	clear(): void {
		this.passed.clear();
	}

	/** @returns milliseconds until a request can pass again, 0 when this one has passed. */
	take(app: string, limits: Limits, now = performance.now()): number {
		const { limit, windowMs, window } = limits;
		const start = window === 'fixed' ? Math.floor(now / windowMs) * windowMs : now - windowMs;
		const inside = (at: number) => (window === 'fixed' ? at >= start : at > start);
		const times = (this.passed.get(app) ?? []).filter(inside);
		this.passed.set(app, times);
		if (times.length < limit) {
			times.push(now);
			return 0;
		}
		return (window === 'fixed' ? start : (times[0] ?? now)) + windowMs - now;
	}
}

/** Value of the Retry-After header, undefined when it is switched off. @param wall sandbox time. */
export function retryAfter(waitMs: number, limits: Limits, wall: number): string | undefined {
	const seconds = Math.max(1, Math.ceil(waitMs / 1000));
	if (limits.retryAfter === 'seconds') return String(seconds);
	if (limits.retryAfter === 'date') return new Date(wall + seconds * 1000 + 999).toUTCString();
	return undefined;
}
