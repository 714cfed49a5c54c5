import type { AuditLogEntry } from '../shared/auditLog';
import { parseEntryDate } from '../shared/auditLog';
import { entryKey, floorSecond, SECOND } from './seen';
import type { WorkingState } from './state';

/** The log as the cursor needs it. */
export interface LogReader {
	/** Pages of the range, newest first, one request each, requested when asked for. Bounds are sent as they are. */
	pages(range: Range): AsyncGenerator<AuditLogEntry[], void, undefined>;
	/** This machine's time, epoch milliseconds. */
	clock(): number;
	/** The service's clock minus this machine's, as the latest answer told it; 0 before. */
	clockOffset(): number;
}

/** Whole seconds in epoch milliseconds, `until` excluded. Without `until`, up to the newest entry. */
export interface Range {
	since: number;
	until?: number;
}

export interface Limits {
	/** New dated entries that match the filters. */
	entries: number;
	/** New dated entries that have to be remembered. */
	remembered: number;
	/** No request after this moment of the local clock. */
	deadline: number;
}

export interface ReadOptions extends Limits {
	/** Entries dated before this second need not be remembered once the range has been read. */
	keepFrom: number;
	/** Stop where the part begins that is known from earlier polls. */
	stopAtBoundary?: 'always' | 'when nothing is new';
	matches(entry: AuditLogEntry): boolean;
}

export interface NewEntry {
	entry: AuditLogEntry;
	/** Its date; undefined when it has none that can be read. */
	millis?: number;
	/** It has a date, and not one in the future. */
	dated: boolean;
	matches: boolean;
	/** Whole second up to which it has to be remembered, epoch milliseconds. */
	keptUntil: number;
}

export interface RangeRead {
	/**
	 * `all`: to the end of the range. `boundary`: down to the entry that the last complete poll ended with.
	 * Otherwise the limit that stopped it, and the entries are only a part.
	 */
	outcome: 'all' | 'boundary' | 'entries' | 'remembered' | 'deadline';
	/** Entries not seen before, newest first, by key. */
	added: Map<string, NewEntry>;
	/** Dates of the newest and the oldest entry read, new or not; future ones do not count. */
	newest?: number;
	oldest?: number;
	/** How far the boundary may move: date of the newest entry that is on time. */
	settled?: number;
}

const DAY_MS = 24 * 60 * 60 * SECOND;

/**
 * Entries whose date says nothing about how long the log will return them (none, or in the future) are remembered
 * as long as they come and this much longer, more than the log's retention.
 */
const UNDATED_KEPT_MS = 31 * DAY_MS;

/** The service's clock is known by a header with whole seconds, and by answers that take their time. */
const CLOCK_TOLERANCE_MS = 2 * SECOND;

/**
 * An entry that was dated in the future when it was first read may be ahead of many that are still to come, so it
 * moves the boundary only when it is as old as the service's entries are at most when they appear.
 */
const SETTLED_AFTER_MS = 2 * DAY_MS;

/** A log that never ends, whatever it sends as tokens. */
const MOST_PAGES = 10_000;

/**
 * Reads a range. Neither emits nor advances anything: `state` is changed only in how long entries that came again
 * are remembered.
 */
export async function readRange(
	log: LogReader,
	range: Range,
	state: WorkingState,
	options: ReadOptions,
): Promise<RangeRead> {
	const read: RangeRead = { outcome: 'all', added: new Map() };
	let matching = 0;
	let remembered = 0;
	let atBoundary = false;

	const take = (entry: AuditLogEntry) => {
		if (typeof entry !== 'object' || entry === null) return;
		const now = log.clock() + log.clockOffset();
		const millis = parseEntryDate(entry.date);
		const dated = millis !== undefined && millis <= now + CLOCK_TOLERANCE_MS;
		if (dated) {
			// The filter is inclusive, with or without the rest of that second: the next range begins there.
			if (range.until !== undefined && millis >= range.until) return;
			read.newest = Math.max(read.newest ?? millis, millis);
			read.oldest = Math.min(read.oldest ?? millis, millis);
			if (millis < state.boundary) atBoundary = true;
			if (millis < state.horizon || millis < state.floor) return;
		}
		const key = entryKey(entry);
		const known = state.seen.get(key);
		if (dated && (known === undefined || millis <= now - SETTLED_AFTER_MS)) {
			read.settled = Math.max(read.settled ?? millis, millis);
		}
		if (read.added.has(key)) return;
		const keptUntil = floorSecond(dated ? millis : now + UNDATED_KEPT_MS);
		if (known !== undefined) {
			if (millis === state.boundary) atBoundary = true;
			const outdated = dated ? known !== keptUntil : known < keptUntil - DAY_MS;
			if (outdated) state.seen.set(key, keptUntil);
			return;
		}
		const matches = options.matches(entry);
		read.added.set(key, { entry, millis, dated, matches, keptUntil });
		if (dated && matches) matching++;
		if (dated && keptUntil >= options.keepFrom) remembered++;
	};

	let pages = 0;
	for await (const page of log.pages(range)) {
		for (const entry of page) take(entry);
		if (matching > options.entries) read.outcome = 'entries';
		else if (remembered > options.remembered) read.outcome = 'remembered';
		else if (atBoundary && mayStop(options, read)) read.outcome = 'boundary';
		else if (log.clock() >= options.deadline) read.outcome = 'deadline';
		if (read.outcome !== 'all') return read;
		if (++pages >= MOST_PAGES) {
			throw new Error(`The audit log did not end after ${MOST_PAGES} pages`);
		}
	}
	return read;
}

function mayStop({ stopAtBoundary }: ReadOptions, { added }: RangeRead): boolean {
	return stopAtBoundary === 'always' || (stopAtBoundary !== undefined && added.size === 0);
}

/** By date; those without one last. Equal dates stay in the order given. */
export function oldestFirst(entries: NewEntry[]): NewEntry[] {
	const date = ({ millis }: NewEntry) => millis ?? Number.MAX_SAFE_INTEGER;
	return [...entries].sort((a, b) => date(a) - date(b));
}
