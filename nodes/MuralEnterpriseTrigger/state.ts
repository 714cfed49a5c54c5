import { floorSecond, SECOND, SeenEntries } from './seen';

export const VERSION = 1;

/** A stretch of the log that is read in slices, oldest first. Whole seconds in epoch milliseconds. */
export interface Walk {
	/** Everything before it has been read. */
	at: number;
	/** Where the walk ends, itself excluded. */
	goal: number;
	/** Length of the next slice. */
	length: number;
}

/** What is kept between polls, as JSON. Times are epoch milliseconds of the service's clock. */
export interface CursorState {
	version: typeof VERSION;
	/** Of what the entries depend on: base URL, credential, filter sent to the service. */
	fingerprint: string;
	/** Entries dated before it are never emitted: the moment of activation, or N hours before it. */
	floor: number;
	/** Date of the newest entry read (`floor` before the first): all visible entries up to it have been read. */
	boundary: number;
	/**
	 * Whole second, at most the boundary's. Nothing dated before it is read any more, and everything read that is
	 * dated at or after it is in `seen`.
	 */
	horizon: number;
	/** When the last complete re-read of the late-entries window began. */
	swept: number;
	/** The log had been read up to here when it was last complete; what expired unread lies after it. */
	covered: number;
	/** News being read in slices. */
	backlog?: Walk;
	/** The late-entries window being re-read; `start` is when that began. */
	sweep?: Walk & { start: number };
	/** No reads before this moment (local clock), because `seen` is full. */
	heldUntil?: number;
	/** SeenEntries, counted from `horizon`. */
	seen: string;
}

/** The state with `seen` unpacked, changed freely during a poll and thrown away when it fails. */
export interface WorkingState extends Omit<CursorState, 'seen'> {
	seen: SeenEntries;
}

export function newState(fingerprint: string, floor: number, now: number): WorkingState {
	return {
		version: VERSION,
		fingerprint,
		floor,
		boundary: floor,
		horizon: floorSecond(floor),
		swept: now,
		covered: floor,
		seen: SeenEntries.none(),
	};
}

export function encodeState(state: WorkingState): CursorState {
	return { ...state, seen: state.seen.encode(state.horizon) };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Within what a JavaScript date can express, so that a filter can be made of it. */
const isMoment = (value: unknown): value is number =>
	Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= 8.64e15;

const isSecond = (value: unknown) => isMoment(value) && value % SECOND === 0;

function isWalk(value: unknown): value is Walk {
	return (
		isObject(value) &&
		isSecond(value.at) &&
		isSecond(value.goal) &&
		isSecond(value.length) &&
		(value.length as number) > 0
	);
}

function isSweep(value: unknown): value is Walk & { start: number } {
	return isWalk(value) && isMoment((value as Walk & { start?: unknown }).start);
}

/** @returns undefined when the value is not a state that this version wrote */
export function decodeState(value: unknown): WorkingState | undefined {
	if (!isObject(value) || value.version !== VERSION) return undefined;
	const { fingerprint, floor, boundary, horizon, swept, covered } = value;
	const { backlog, sweep, heldUntil, seen } = value;
	if (typeof fingerprint !== 'string' || typeof seen !== 'string') return undefined;
	if (!isMoment(floor) || !isMoment(boundary) || !isMoment(horizon)) return undefined;
	if (!isMoment(swept) || !isMoment(covered)) return undefined;
	if (horizon % SECOND !== 0) return undefined;
	if (backlog !== undefined && !isWalk(backlog)) return undefined;
	if (sweep !== undefined && !isSweep(sweep)) return undefined;
	if (heldUntil !== undefined && !isMoment(heldUntil)) return undefined;
	const entries = SeenEntries.decode(seen, horizon);
	if (!entries) return undefined;
	return {
		version: VERSION,
		fingerprint,
		floor,
		boundary,
		horizon,
		swept,
		covered,
		...(backlog && { backlog: { ...backlog } }),
		...(sweep && { sweep: { ...sweep } }),
		...(heldUntil !== undefined && { heldUntil }),
		seen: entries,
	};
}
