/**
 * With durable cursors n8n reads what a poll goes on from some moments before it calls the node, and stores what the
 * poll left some moments after. Two polls at least a minute apart never get into each other's way by this; two poll
 * times close to each other do.
 */
const SETTLING_MS = 5000;

/** What a poll began with and what it left. */
interface Ended {
	from: string;
	left: string;
	/** Of the process's own clock, milliseconds. */
	at: number;
}

/** Keeps the polls of a trigger apart in this process: n8n starts the next one in time, finished or not. */
export class Turns {
	private readonly running = new Set<string>();

	private readonly ended = new Map<string, Ended>();

	/**
	 * Runs a poll, unless another one of the trigger is under way, or n8n has given this one what the one before began
	 * with, since it would emit the same again.
	 * @param kept the node's static data; the poll may replace its cursor
	 * @returns null when it is not this poll's turn
	 */
	async take<T>(
		trigger: string,
		kept: { cursor?: unknown },
		poll: () => Promise<T>,
	): Promise<T | null> {
		const from = digest(kept.cursor);
		if (this.running.has(trigger) || this.isBehind(trigger, from)) return null;
		this.running.add(trigger);
		try {
			const result = await poll();
			this.ended.set(trigger, { from, left: digest(kept.cursor), at: performance.now() });
			return result;
		} finally {
			this.running.delete(trigger);
		}
	}

	private isBehind(trigger: string, stored: string): boolean {
		const last = this.ended.get(trigger);
		if (last === undefined || performance.now() - last.at >= SETTLING_MS) return false;
		return last.from !== last.left && last.from === stored;
	}
}

/** Longer texts are packed lists, to the end of which a poll adds what it has emitted. */
const SHORT_TEXT = 200;

/** What tells one cursor from another, without going through the 1.5 MB that one may hold. */
const digest = (cursor: unknown) =>
	JSON.stringify(cursor, (_, value: unknown) =>
		typeof value === 'string' && value.length > SHORT_TEXT
			? [value.length, value.slice(-SHORT_TEXT)]
			: value,
	) ?? '';
