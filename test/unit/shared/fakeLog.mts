import type { AuditLogEntry, AuditLogQuery } from '../../../nodes/shared/auditLog';
import type { Pages } from '../../../nodes/shared/auditWindows';

/** An audit log in memory that answers as the spec says, for tests of how it is read. */

export interface LogEntry {
	/** Where the entry stands, epoch milliseconds. */
	at: number;
	id: string;
	/** Sent in place of the date. */
	date?: string | null;
}

export interface LogOptions {
	/** Entries of a page; called for each. */
	pageSize(): number;
	/** Whether `until` covers its whole second or only its first millisecond; the spec can be read both ways. */
	untilCovers: 'second' | 'moment';
	/** Called when a request arrives; the page is made after it. */
	arrive?(query: AuditLogQuery): Promise<void>;
}

const SECOND = 1000;
/** Far more than any test needs. */
const TOO_MANY_REQUESTS = 10_000;
const floorSecond = (millis: number) => Math.floor(millis / SECOND) * SECOND;

export class FakeLog {
	readonly requests: AuditLogQuery[] = [];

	/** Ids of all entries sent so far. */
	readonly sent = new Set<string>();

	private entries: LogEntry[] = [];

	constructor(
		entries: LogEntry[],
		private readonly options: LogOptions,
	) {
		this.insert(entries);
	}

	insert(added: LogEntry[]): void {
		this.entries = [...this.entries, ...added].sort(
			(a, b) => b.at - a.at || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0),
		);
	}

	/** Paging goes by position, so what is inserted before it is not seen. Ends with an empty page. */
	async *pages(query: AuditLogQuery): Pages {
		const since = floorSecond(query.since ?? Number.NEGATIVE_INFINITY);
		const until =
			floorSecond(query.until ?? Number.POSITIVE_INFINITY) +
			(this.options.untilCovers === 'second' ? SECOND - 1 : 0);
		let after: LogEntry | undefined;
		for (;;) {
			this.requests.push(query);
			if (this.requests.length > TOO_MANY_REQUESTS) throw new Error('The log is read for ever');
			await this.options.arrive?.(query);
			const isLeft = ({ at, id }: LogEntry) =>
				at >= since &&
				at <= until &&
				(!after || at < after.at || (at === after.at && id < after.id));
			const page = this.entries.filter(isLeft).slice(0, this.options.pageSize());
			if (page.length === 0) return;
			after = page.at(-1);
			for (const { id } of page) this.sent.add(id);
			yield page.map(({ at, id, date }) => ({
				id,
				date: date === undefined ? new Date(at).toISOString().replace('T', ' ').slice(0, -1) : date,
			}));
		}
	}
}

export async function readAll(pages: Pages): Promise<AuditLogEntry[]> {
	const entries: AuditLogEntry[] = [];
	for await (const page of pages) entries.push(...page);
	return entries;
}

export const ids = (entries: Array<{ id?: string | null }>) => entries.map(({ id }) => id);
