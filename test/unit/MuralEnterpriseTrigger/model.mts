import type { AuditLogEntry, AuditLogPage } from '../../../nodes/shared/auditLog';
import { readPages } from '../../../nodes/shared/auditLog';
import type { Client, ServiceRequest } from '../../../nodes/shared/client';
import type { LogReader } from '../../../nodes/MuralEnterpriseTrigger/readRange';

/** A model of the service's audit log on a clock of its own, with everything the spec leaves open as a choice. */

export interface LoggedEntry {
	entry: AuditLogEntry;
	/** Its date; undefined when it has none that can be read. */
	millis?: number;
	/** When it becomes visible, service time. */
	appears: number;
	/** Counts entries in the order of their creation. */
	order: number;
}

export interface ServiceStyle {
	/** A token points behind the last entry sent, or holds the number of entries sent. */
	token: 'position' | 'offset';
	end: 'emptyPage' | 'noToken' | 'nullToken' | 'emptyToken';
	/** Entries on a page at most, by turns. */
	pageSizes: number[];
	/** Milliseconds until an answer, by turns: the log changes meanwhile. */
	latencies: number[];
	/** `until` means the end of its second, or its beginning. */
	untilWholeSecond: boolean;
	/** Which of two entries with the same date comes first. */
	newerTieFirst: boolean;
	/** Where entries without a date stand, and whether a date filter leaves them out. */
	undated: 'top' | 'bottom' | 'filtered';
	/** Whether answers carry a Date header, with whole seconds. */
	dateHeader: boolean;
	/** This machine's clock minus the service's, milliseconds. */
	localSkew: number;
}

export const RETENTION_MS = 30 * 24 * 3600_000;

/** Far more than any poll needs. */
const MOST_REQUESTS = 3000;

type Row = LoggedEntry & { sortDate: number };

export class ModelService {
	now: number;

	requests = 0;

	/** Requests until the one that fails, counted down. */
	failIn = Number.POSITIVE_INFINITY;

	readonly log: LoggedEntry[] = [];

	private readonly tokens: Array<{ query: Query; after?: Row; sent: number }> = [];

	constructor(
		now: number,
		readonly style: ServiceStyle,
	) {
		this.now = now;
	}

	add(logged: Omit<LoggedEntry, 'order'>): LoggedEntry {
		const full = { ...logged, order: this.log.length };
		this.log.push(full);
		return full;
	}

	/** A reader as the node makes one: a new one each poll, which does not know the service's clock yet. */
	reader(action?: string): LogReader {
		let offset = 0;
		let requests = 0;
		const clock = () => this.now + this.style.localSkew;
		const client = {
			request: async ({ query }: ServiceRequest) => {
				if (++requests > MOST_REQUESTS) throw new Error('The poll does not come to an end');
				const answer = this.answer(query as Query);
				if (this.style.dateHeader) offset = Math.floor(this.now / 1000) * 1000 - clock();
				return answer;
			},
			unexpected: (_request: ServiceRequest, what: string) => new Error(what),
		} as unknown as Client;
		return {
			pages: (range) => readPages(client, { ...range, action }, { maxResults: () => 1000 }),
			clock,
			clockOffset: () => offset,
		};
	}

	private turn(list: number[]): number {
		return list[this.requests % list.length];
	}

	private answer(query: Query): AuditLogPage {
		this.requests++;
		this.now += this.turn(this.style.latencies) / 2;
		if (--this.failIn === 0) throw new Error('The service is failing');
		const page = this.page(query);
		this.now += this.turn(this.style.latencies) / 2;
		return page;
	}

	private page(query: Query): AuditLogPage {
		const from =
			query.nextToken === undefined ? { query, sent: 0 } : this.tokens[Number(query.nextToken)];
		const rows = this.rows(from.query);
		const start =
			this.style.token === 'offset' || from.after === undefined
				? from.sent
				: rows.findIndex((row) => this.compare(row, from.after as Row) > 0);
		const rest = start < 0 ? [] : rows.slice(start);
		const sent = rest.slice(0, this.turn(this.style.pageSizes));
		const data = sent.map(({ entry }) => structuredClone(entry));
		const more = sent.length < rest.length || this.style.end === 'emptyPage';
		if (!more) {
			if (this.style.end === 'noToken') return { data };
			return { data, nextToken: this.style.end === 'nullToken' ? null : '' };
		}
		this.tokens.push({
			query: from.query,
			after: sent.at(-1) ?? from.after,
			sent: from.sent + sent.length,
		});
		return { data, nextToken: String(this.tokens.length - 1) };
	}

	private rows(query: Query): Row[] {
		const since = seconds(query['filter[date][since]']) ?? -Infinity;
		const until = seconds(query['filter[date][until]']) ?? Infinity;
		const last = until + (this.style.untilWholeSecond ? 999 : 0);
		const action = query['filter[action]'];
		const { undated } = this.style;
		return this.log
			.filter(({ entry, millis, appears }) => {
				if (appears > this.now || (action !== undefined && entry.action !== action)) return false;
				if (millis === undefined) return undated !== 'filtered';
				return millis >= since && millis <= last && millis >= this.now - RETENTION_MS;
			})
			.map((logged) => ({
				...logged,
				sortDate: logged.millis ?? (undated === 'top' ? 1e15 : -1e15),
			}))
			.sort((a, b) => this.compare(a, b));
	}

	private compare(a: Row, b: Row): number {
		const ties = this.style.newerTieFirst ? b.order - a.order : a.order - b.order;
		return b.sortDate - a.sortDate || ties;
	}
}

type Query = Partial<
	Record<'nextToken' | 'filter[date][since]' | 'filter[date][until]' | 'filter[action]', string>
>;

function seconds(text: string | undefined): number | undefined {
	return text === undefined ? undefined : Date.parse(`${text.replace(' ', 'T')}Z`);
}
