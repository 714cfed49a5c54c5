import type { AuditLogEntry, AuditLogQuery } from './auditLog';
import { parseEntryDate } from './auditLog';

/**
 * The audit log read as date windows side by side: the entries, the order and the exactness of one read after the
 * other. A log knows neither its length nor its pages beforehand, only dates, so a range starts as one window. As
 * long as fewer requests are on their way than allowed, the newest window that has many pages left is split: it
 * keeps the next few pages, the older part becomes a window of its own. All reading stays close to what is given
 * out next, so memory does not grow with the range; busy hours get narrow windows and quiet nights wide ones.
 */

export type Pages = AsyncGenerator<AuditLogEntry[], void, undefined>;

export interface WindowOptions {
	/** Requests at the same time, at most. */
	parallel: number;
	/** Entries that a page holds at most. */
	pageSize: number;
	/** Start of the range in epoch milliseconds, asked for once a first page has come. */
	since(): number;
	/** Entries that the caller still takes; what lies beyond is not read ahead. */
	wanted(): number;
}

const SECOND_MS = 1000;

/** A window keeps this many pages when it is split. Not a whole number, so that the last one surely reaches the end. */
const PAGES_KEPT = 3.75;
/** With fewer pages left than this the extra request of one more window gains nothing. */
const PAGES_TO_SPLIT = 5;
/** Pages in memory and on their way for each of the parallel requests, at most. */
const PAGES_AHEAD = 5;

/**
 * All pages of a range, newest first. Ends and fails where one read after the other would.
 * @param read opens a query that differs from `range` in its bounds; both are inclusive
 */
export async function* readWindows(
	read: (query: AuditLogQuery) => Pages,
	range: AuditLogQuery,
	options: WindowOptions,
): Pages {
	const reader = new WindowReader(read, range, options);
	try {
		for (let page = await reader.next(); page; page = await reader.next()) yield page;
	} finally {
		reader.stop();
	}
}

class WindowReader {
	/** Newest first, without gaps; the first one is being given out. */
	private windows: Window[];

	private readonly reading = new Set<Promise<void>>();

	/** Entries read and not yet taken. */
	private ahead = 0;

	/** Entries of the page that the caller is taking. */
	private given = 0;

	private since: number | undefined;

	constructor(
		private readonly read: (query: AuditLogQuery) => Pages,
		private readonly range: AuditLogQuery,
		private readonly options: WindowOptions,
	) {
		this.windows = [new Window(read(range))];
	}

	async next(): Promise<AuditLogEntry[] | undefined> {
		this.ahead -= this.given;
		this.given = 0;
		for (;;) {
			this.fill();
			const [first] = this.windows;
			if (!first) return undefined;
			const page = first.ready.shift();
			if (page) {
				this.given = page.length;
				return page;
			}
			if (first.failure) throw first.failure.error;
			if (first.isDone) this.windows.shift();
			else await Promise.race(this.reading);
		}
	}

	stop(): void {
		this.windows = [];
	}

	/** Starts requests, those closest to what is given out next before others. */
	private fill(): void {
		while (this.reading.size < this.options.parallel) {
			const window =
				this.windows.find(({ isDone, isReading }) => !isDone && !isReading) ?? this.split();
			if (!window || !this.hasRoom(window)) return;
			const page = this.readPage(window);
			this.reading.add(page);
			void page.then(() => {
				this.reading.delete(page);
				this.fill();
			});
		}
	}

	private hasRoom(window: Window): boolean {
		const isAwaited = this.given === 0 && window === this.windows[0] && window.ready.length === 0;
		const { pageSize, parallel, wanted } = this.options;
		const most = Math.min(wanted(), PAGES_AHEAD * parallel * pageSize);
		return isAwaited || this.ahead + this.reading.size * pageSize < most;
	}

	private async readPage(window: Window): Promise<void> {
		const added = await window.readPage();
		this.ahead += added;
	}

	/** Takes the older part off the first window with many pages left. */
	private split(): Window | undefined {
		const index = this.windows.findIndex(
			(window) => window.hasSpan && window.pagesLeft(this.oldest()) > PAGES_TO_SPLIT,
		);
		if (index < 0) return undefined;
		const window = this.windows[index];
		const at = floorSecond(window.position - PAGES_KEPT * window.pageSpan);
		const since = this.range.since ?? this.oldest();
		const older = new Window(this.read({ ...this.range, since, until: at }), at, window);
		window.end = at;
		this.windows.splice(index + 1, 0, older);
		return older;
	}

	private oldest(): number {
		return (this.since ??= floorSecond(this.range.since ?? this.options.since()));
	}
}

/** Entries dated before `start` and at or after `end`. */
class Window {
	readonly ready: AuditLogEntry[][] = [];

	isReading = false;

	isDone = false;

	failure: { error: unknown } | undefined;

	/** Absent: the end of the range. */
	end: number | undefined;

	/** Date of the oldest entry read so far. */
	position: number;

	/** Milliseconds that a page covers. */
	pageSpan: number;

	private hasBegun: boolean;

	/**
	 * @param start absent: the newest entry of the range
	 * @param newer the window whose older part this one is
	 */
	constructor(
		private readonly pages: Pages,
		private readonly start?: number,
		newer?: Window,
	) {
		this.hasBegun = start === undefined;
		this.position = start ?? Number.NEGATIVE_INFINITY;
		this.pageSpan = newer?.pageSpan ?? Number.POSITIVE_INFINITY;
		this.end = newer?.end;
	}

	/** Whether a page has told how much time one covers. */
	get hasSpan(): boolean {
		return this.pageSpan !== Number.POSITIVE_INFINITY;
	}

	/** @param oldest start of the whole range */
	pagesLeft(oldest: number): number {
		return this.isDone ? 0 : (this.position - (this.end ?? oldest)) / this.pageSpan;
	}

	/** Reads one page into `ready`. @returns the entries added */
	async readPage(): Promise<number> {
		this.isReading = true;
		try {
			const { value, done } = await this.pages.next();
			if (done) {
				this.isDone = true;
				return 0;
			}
			this.measure(value);
			const own = this.own(value);
			if (own.length > 0) this.ready.push(own);
			return own.length;
		} catch (error) {
			this.failure = { error };
			this.isDone = true;
			return 0;
		} finally {
			this.isReading = false;
		}
	}

	private measure(page: AuditLogEntry[]): void {
		const top = dateOf(page.find(isDated));
		const bottom = dateOf(page.findLast(isDated));
		if (top === undefined || bottom === undefined) return;
		// A service that took no notice of `until` would have the window begin anew for ever.
		this.position = Math.min(bottom, this.start ?? bottom);
		this.pageSpan = Math.max(SECOND_MS, top - bottom);
	}

	/**
	 * The filter takes whole seconds and the spec leaves open whether 12:00:00.500 lies after an `until` of 12:00:00.
	 * So neighbours both get the second of their boundary, and both cut at the first entry dated before it.
	 */
	private own(page: AuditLogEntry[]): AuditLogEntry[] {
		let from = 0;
		if (!this.hasBegun) {
			from = firstBefore(page, this.start as number);
			this.hasBegun = from < page.length;
		}
		if (this.end === undefined || this.position >= this.end) return page.slice(from);
		this.isDone = true;
		return page.slice(from, firstBefore(page, this.end));
	}
}

/** Index of the first entry dated before `moment`; the length when there is none. */
function firstBefore(page: AuditLogEntry[], moment: number): number {
	const index = page.findIndex((entry) => (dateOf(entry) ?? moment) < moment);
	return index < 0 ? page.length : index;
}

function dateOf(entry: AuditLogEntry | undefined): number | undefined {
	return parseEntryDate(entry?.date);
}

function isDated(entry: AuditLogEntry): boolean {
	return dateOf(entry) !== undefined;
}

function floorSecond(millis: number): number {
	return Math.floor(millis / SECOND_MS) * SECOND_MS;
}
