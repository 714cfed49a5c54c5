import { RETENTION_MS } from '../shared/auditLog';
import type { PollOptions, PollResult } from './pollTypes';
import type { LogReader, NewEntry, Range, RangeRead, ReadOptions } from './readRange';
import { oldestFirst, readRange } from './readRange';
import { floorSecond, SECOND } from './seen';
import { FILL, grown, isWhole, shrunk } from './slices';
import type { Walk, WorkingState } from './state';
import { decodeState, encodeState, newState } from './state';

/** The service's own clock moves while a request is under way. */
const MARGIN_MS = 60 * SECOND;
/** `covered` is brought up to date this often, so that a quiet poll leaves the state as it is. */
const COVERED_STEP_MS = 60 * 60 * SECOND;

/**
 * One poll. Reads what is new, emits it oldest first and returns the state to keep.
 *
 * Why nothing is lost and nothing repeated: an entry is emitted only when its key is not in `seen`, and it is in
 * `seen` from then on for as long as a read can return it. Reads start at the boundary, or, when the late-entries
 * window is due, at the horizon, which moves on to `start - lateWindow` only after everything before has been read
 * again at or after `start`. Every state is complete in itself, so going back to an older one repeats only what was
 * emitted after it.
 *
 * @param stored the state of the poll before, as JSON; anything else starts a fresh cursor
 * @throws whatever the reader throws; `stored` is never changed
 */
export async function poll(
	stored: unknown,
	log: LogReader,
	options: PollOptions,
): Promise<PollResult> {
	const kept = decodeState(stored);
	if (kept?.fingerprint === options.fingerprint) return await new Poll(kept, log, options).run();
	const fresh = kept ? 'changed' : stored === undefined || stored === null ? 'first' : 'invalid';
	// One request, which also tells the service's time and whether the credential works.
	await probe(log);
	const now = log.clock() + log.clockOffset();
	const lookBack = Math.min(options.lookBack, RETENTION_MS - COVERED_STEP_MS);
	const state = newState(options.fingerprint, now - lookBack, now);
	if (lookBack === 0) return { entries: [], state: encodeState(state), fresh };
	return { ...(await new Poll(state, log, options).run()), fresh };
}

async function probe(log: LogReader): Promise<void> {
	await log.pages({ since: floorSecond(log.clock()) }).next();
}

/** `paused`: the budget is used up, the next poll goes on. `held`: the memory is full. */
type Outcome = 'done' | 'paused' | 'held';

class Poll {
	private readonly found: NewEntry[] = [];

	/** A slice of a longer stretch is complete, so this poll has achieved something. */
	private advanced = false;

	/** Entries without a date did not fit into the memory. */
	private waiting = false;

	private gap?: PollResult['gap'];

	constructor(
		private readonly state: WorkingState,
		private readonly log: LogReader,
		private readonly options: PollOptions,
	) {}

	async run(): Promise<PollResult> {
		const { state, log, options } = this;
		const startedAt = log.clock();
		const holdLeft = (state.heldUntil ?? startedAt) - startedAt;
		if (holdLeft > 0 && holdLeft <= options.reReadEvery) return this.result(true);
		delete state.heldUntil;
		const { covered } = state;
		await this.skipExpired();
		// What this poll reads as news need not be read again for the sake of late entries.
		const known = floorSecond(state.backlog?.at ?? state.boundary) + SECOND;
		const news = await this.readNews();
		this.tellGap(covered);
		// By the service's clock, which is known now; the news were read after it.
		const start = startedAt + log.clockOffset();
		if (news === 'done' && (this.found.length > 0 || start - state.covered >= COVERED_STEP_MS)) {
			state.covered = Math.max(state.covered, start);
		}
		const { size } = state.seen;
		const lateEntries = news === 'paused' ? 'paused' : await this.reRead(start, known);
		const stuck = news === 'held' && state.seen.size >= size;
		if (stuck) state.heldUntil = startedAt + options.reReadEvery;
		return this.result(stuck || lateEntries === 'held' || this.waiting);
	}

	private result(held: boolean): PollResult {
		return {
			entries: oldestFirst(this.found).map(({ entry }) => entry),
			state: encodeState(this.state),
			...(this.gap && { gap: this.gap }),
			...(held && { held }),
		};
	}

	/** The oldest moment the log reaches back to. */
	private oldest(): number {
		return this.log.clock() + this.log.clockOffset() - RETENTION_MS + MARGIN_MS;
	}

	/** Moves past what has left the log. */
	private async skipExpired(): Promise<void> {
		const { state } = this;
		// Only the service's own clock may make the cursor skip what it has not read.
		if (state.covered < this.oldest()) await probe(this.log);
		const second = floorSecond(this.oldest()) + SECOND;
		if (state.horizon >= second) return;
		state.horizon = second;
		state.boundary = Math.max(state.boundary, second);
		state.seen.forgetBefore(second);
		if (state.backlog) state.backlog.at = Math.max(state.backlog.at, second);
		if (state.sweep) state.sweep.at = Math.max(state.sweep.at, second);
	}

	/** What had left the log before this poll could read it. */
	private tellGap(covered: number): void {
		const to = this.oldest();
		if (covered >= to) return;
		this.gap = { from: covered, to };
		this.state.covered = Math.max(this.state.covered, to);
	}

	/** Everything newer than the boundary; when that is too much for a poll, in slices, oldest first. */
	private async readNews(): Promise<Outcome> {
		const { state, options } = this;
		let deadline: number | undefined;
		for (;;) {
			if (state.backlog) {
				const needed = options.lateWindow === 0 ? state.backlog.goal : state.horizon;
				const outcome = await this.walk(state.backlog, needed);
				if (outcome !== 'done') return outcome;
				delete state.backlog;
			}
			const since = floorSecond(state.boundary);
			const read = await this.readToEnd(since, deadline);
			if (isWhole(read)) {
				this.absorb(read);
				return 'done';
			}
			if (read.newest === undefined) {
				// So many entries without a date that nothing else was reached in time.
				deadline = Number.POSITIVE_INFINITY;
			} else {
				// Up to what is known to be there: the rest may still be arriving.
				const goal = Math.max(since, floorSecond(read.newest)) + SECOND;
				state.backlog = { at: since, goal, length: shrunk(goal - since, read) };
			}
			if (this.mustStop(read)) return 'paused';
		}
	}

	/** Reads the late-entries window up to `goal` again when that is due, in slices. */
	private async reRead(start: number, goal: number): Promise<Outcome> {
		const { state, options } = this;
		if (options.lateWindow === 0) {
			delete state.sweep;
			this.moveHorizon(state.boundary);
			return 'done';
		}
		if (!state.sweep) {
			if (Math.abs(start - state.swept) < options.reReadEvery) return 'done';
			state.sweep = { at: state.horizon, goal, length: goal - state.horizon, start };
		}
		const needed = state.sweep.start - options.lateWindow - MARGIN_MS;
		const outcome = await this.walk(state.sweep, needed);
		if (outcome === 'paused') return 'paused';
		if (outcome === 'done') this.moveHorizon(needed);
		// A sweep that was held begins anew when it is due again: by then less has to be remembered.
		state.swept = outcome === 'done' ? state.sweep.start : start;
		delete state.sweep;
		return outcome;
	}

	/**
	 * Reads a stretch slice by slice, each whole; `walk` tells how far it has come.
	 * @param needed what is dated before need not be remembered once its slice has been read
	 */
	private async walk(walk: Walk, needed: number): Promise<Outcome> {
		while (walk.at < walk.goal) {
			if (this.log.clock() >= this.options.deadline) return 'paused';
			const until = Math.min(walk.at + walk.length, walk.goal);
			const smallest = until - walk.at <= SECOND;
			const keepFrom = this.horizonUpTo(Math.min(until, needed));
			const read = await this.read({ since: walk.at, until }, smallest, { keepFrom });
			if (isWhole(read)) {
				this.absorb(read);
				this.moveHorizon(Math.min(until, needed));
				this.advanced = true;
				this.state.covered = Math.max(this.state.covered, until);
				walk.at = until;
				walk.length = grown(walk.length, read, this.options.maxEntries - this.found.length);
			} else if (smallest) {
				return 'held';
			} else {
				walk.length = shrunk(until - walk.at, read);
			}
			if (this.mustStop(read)) return 'paused';
		}
		return 'done';
	}

	/** From `since` to the newest entry; not down to `since` when what is known begins before. */
	private async readToEnd(since: number, deadline?: number): Promise<RangeRead> {
		const { state, options } = this;
		return await this.read({ since }, false, {
			keepFrom: state.horizon,
			stopAtBoundary: options.lateWindow > 0 ? 'always' : 'when nothing is new',
			...(deadline !== undefined && { deadline }),
		});
	}

	/** @param smallest the range cannot be divided: neither the number of entries nor the time stops the read */
	private async read(
		range: Range,
		smallest: boolean,
		own: Pick<ReadOptions, 'keepFrom' | 'stopAtBoundary'> & { deadline?: number },
	): Promise<RangeRead> {
		const { state, log, options } = this;
		const now = log.clock();
		// Half of the time left, until something is complete: the other half is for smaller slices.
		const deadline = this.advanced ? options.deadline : now + (options.deadline - now) / 2;
		return await readRange(log, range, state, {
			entries: smallest ? Number.POSITIVE_INFINITY : options.maxEntries - this.found.length,
			deadline: smallest ? Number.POSITIVE_INFINITY : deadline,
			remembered: Math.max(0, options.maxRemembered - state.seen.size),
			matches: options.matches,
			...own,
		});
	}

	/** Takes in a range that was read whole. */
	private absorb(read: RangeRead): void {
		const { state } = this;
		state.boundary = Math.max(state.boundary, read.settled ?? state.boundary);
		const added = [...read.added];
		const undated = added.filter(([, { dated }]) => !dated);
		// No slice leaves those out, so they come again and can wait for a place in the memory.
		const room = this.options.maxRemembered - state.seen.size - (added.length - undated.length);
		const waiting = new Set(undated.slice(Math.max(0, room)).map(([key]) => key));
		this.waiting ||= waiting.size > 0;
		for (const [key, entry] of added.reverse()) {
			if (waiting.has(key)) continue;
			const { millis, keptUntil } = entry;
			// The clock may have passed the date of an entry while the range was read.
			const passed = millis !== undefined && millis <= state.boundary;
			state.seen.set(key, passed ? floorSecond(millis) : keptUntil);
			if (entry.matches) this.found.push(entry);
		}
	}

	private mustStop(read: RangeRead): boolean {
		const { maxEntries, deadline } = this.options;
		const enough = isWhole(read) ? maxEntries * FILL : 1;
		return this.found.length >= enough || this.log.clock() >= deadline;
	}

	/** How far the horizon may move towards `time`. */
	private horizonUpTo(time: number): number {
		const { horizon, boundary } = this.state;
		return Math.max(horizon, floorSecond(Math.min(time, boundary)));
	}

	private moveHorizon(time: number): void {
		const horizon = this.horizonUpTo(time);
		if (horizon === this.state.horizon) return;
		this.state.horizon = horizon;
		this.state.seen.forgetBefore(horizon);
	}
}
