import type { IDataObject } from 'n8n-workflow';

import type { Client, ServiceRequest } from './client';
import type { ShareText } from './sharedTexts';

/** The audit log: query, paging, types. Spec: Audit log entry, GET /audit-log, Limits. */

/** Spec: Audit log entry. Newer responses carry further fields and nulls; they pass through. */
export interface AuditLogEntry {
	id?: string | null;
	action?: string | null;
	/** UTC; `2022-02-01 22:19:42.841` or ISO. */
	date?: string | null;
	ip?: string | null;
	actor?: AuditLogActor | null;
	affected?: AuditLogAffected | null;
	[field: string]: unknown;
}

export interface AuditLogActor {
	company?: string | null;
	email?: string | null;
	id?: string | null;
	name?: string | null;
	type?: string | null;
	[field: string]: unknown;
}

export interface AuditLogAffected {
	company?: string | null;
	id?: string | null;
	type?: string | null;
	[field: string]: unknown;
}

export interface AuditLogPage {
	/** Newest first. */
	data: AuditLogEntry[];
	/** Opaque. Every page carries one by the spec; absent, null and '' end the log. */
	nextToken?: string | null;
}

/** Bounds in epoch milliseconds, sent with second precision, both inclusive. */
export interface AuditLogQuery {
	since?: number;
	until?: number;
	/** One action name; the service takes no more per request. */
	action?: string;
}

/** Largest page (spec: Limits). */
export const MAX_PAGE_SIZE = 1000;
/** Entries older than this are gone (spec: Limits, Log retention). */
export const RETENTION_MS = 30 * 24 * 60 * 60 * 1000;
/** What the service reads without bounds (spec: Limits, Default range). */
export const DEFAULT_RANGE_MS = 7 * 24 * 60 * 60 * 1000;

/** Date, time, zone. Anything else would be read in the time zone of this machine, if at all. */
const ENTRY_DATE =
	/^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|[+-]\d\d:?\d\d)?)?$/i;

/** Epoch milliseconds of an entry's date in either style (UTC when it names no zone); undefined when unreadable. */
export function parseEntryDate(value: unknown): number | undefined {
	if (typeof value !== 'string') return undefined;
	const [, day, time = '00:00', zone = 'Z'] = ENTRY_DATE.exec(value.trim()) ?? [];
	if (day === undefined) return undefined;
	const millis = Date.parse(`${day}T${time}${zone.toUpperCase()}`);
	return Number.isNaN(millis) ? undefined : millis;
}

/** `yyyy-mm-dd HH:mm:ss` in UTC, the form the filters take. Rounds down to the second. */
export function formatFilterDate(millis: number): string {
	return new Date(millis).toISOString().slice(0, 19).replace('T', ' ');
}

/** A date that only needs other separators to be in ISO form; days that not every month has are left out. */
const PLAIN_DATE =
	/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])[T ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z?$/;

/** The ISO form of an entry's date; null when unreadable. */
export function isoDate(date: unknown): string | null {
	// Reading a date takes longer than all the rest of an entry, so most are not. (`join` because texts put together
	// by a template would keep their parts, in three times the memory.)
	if (typeof date === 'string' && PLAIN_DATE.test(date)) {
		return [date.slice(0, 10), 'T', date.slice(11, 23), 'Z'].join('');
	}
	const millis = parseEntryDate(date);
	return millis === undefined ? null : new Date(millis).toISOString();
}

/**
 * One entry as a flat object of ten fields. `date` stays as sent; `dateIso` is the same moment in ISO form.
 * @param share applied to the texts that repeat from entry to entry
 */
export function simplifyEntry(
	entry: AuditLogEntry,
	share: ShareText = (value) => value,
): IDataObject {
	return {
		date: entry.date ?? null,
		dateIso: isoDate(entry.date),
		action: share(entry.action) ?? null,
		actorEmail: share(entry.actor?.email) ?? null,
		actorName: share(entry.actor?.name) ?? null,
		actorType: share(entry.actor?.type) ?? null,
		affectedType: share(entry.affected?.type) ?? null,
		affectedId: entry.affected?.id ?? null,
		ip: share(entry.ip) ?? null,
		id: entry.id ?? null,
	};
}

function pageRequest(
	query: AuditLogQuery,
	maxResults: number | undefined,
	nextToken: string | undefined,
	itemIndex?: number,
): ServiceRequest {
	const filters = {
		'filter[date][since]': query.since === undefined ? undefined : formatFilterDate(query.since),
		'filter[date][until]': query.until === undefined ? undefined : formatFilterDate(query.until),
		'filter[action]': query.action,
	};
	return {
		method: 'GET',
		path: ['audit-log'],
		// With a token the service ignores everything but maxResults (rule 4).
		query: { maxResults, ...(nextToken === undefined ? filters : { nextToken }) },
		lane: 'audit',
		itemIndex,
	};
}

/**
 * One page. With a token, the query is ignored by the service (rule 4).
 * @param maxResults entries at most, 1 to 1000; the service's own choice when absent
 * @throws NodeApiError when the answer is not a list of entries with a token
 */
export async function readPage(
	client: Client,
	query: AuditLogQuery,
	{
		maxResults,
		nextToken,
		itemIndex,
	}: { maxResults?: number; nextToken?: string; itemIndex?: number } = {},
): Promise<AuditLogPage> {
	const request = pageRequest(query, maxResults, nextToken, itemIndex);
	const page = await client.request<AuditLogPage | undefined>(request);
	if (!Array.isArray(page?.data)) {
		throw client.unexpected(request, "JSON without the list 'data'");
	}
	if (!page.data.every((entry) => typeof entry === 'object' && entry !== null)) {
		throw client.unexpected(request, "a list 'data' that holds more than entries");
	}
	if (typeof (page.nextToken ?? '') !== 'string') {
		throw client.unexpected(request, 'a page token that is no text');
	}
	return page;
}

/**
 * All pages of a query, newest first. Ends on an empty page or on a missing, null or empty token; a short page is
 * not the end.
 * @throws NodeApiError when a token comes back again, since the same pages would follow for ever
 */
export async function* readPages(
	client: Client,
	query: AuditLogQuery,
	{ maxResults, itemIndex }: { maxResults?: () => number; itemIndex?: number } = {},
): AsyncGenerator<AuditLogEntry[], void, undefined> {
	const seen = new Set<string>();
	let nextToken: string | undefined;
	for (;;) {
		const page = await readPage(client, query, {
			maxResults: maxResults?.(),
			nextToken,
			itemIndex,
		});
		if (page.data.length === 0) return;
		yield page.data;
		if (page.nextToken === undefined || page.nextToken === null || page.nextToken === '') return;
		nextToken = page.nextToken;
		if (seen.has(nextToken)) {
			throw client.unexpected(
				pageRequest(query, undefined, nextToken, itemIndex),
				'a page token it had given before, so the log would never end',
			);
		}
		seen.add(nextToken);
	}
}

/**
 * Merges queries that differ in their action, newest first, each entry once. Memory does not grow with the log.
 * @param sources page iterators, each newest first
 */
export async function* mergeNewestFirst(
	sources: Array<AsyncGenerator<AuditLogEntry[], void, undefined>>,
): AsyncGenerator<AuditLogEntry[], void, undefined> {
	try {
		const heads = await Promise.all(sources.map(async (pages) => new Head(pages).advance()));
		let open = heads.filter((head) => head.entry !== undefined);
		// The same entry has the same date in every source.
		let seenAt: number | undefined;
		const seen = new Set<unknown>();
		while (open.length > 0) {
			const batch: AuditLogEntry[] = [];
			let newest: Head;
			do {
				newest = open.reduce((best, head) => (head.millis > best.millis ? head : best));
				if (newest.millis !== seenAt) seen.clear();
				seenAt = newest.millis;
				const entry = newest.entry as AuditLogEntry;
				if (typeof entry.id !== 'string' || !seen.has(entry.id)) batch.push(entry);
				seen.add(entry.id);
			} while (newest.step());
			if (batch.length > 0) yield batch;
			await newest.advance();
			open = open.filter((head) => head.entry !== undefined);
		}
	} finally {
		// Whoever stops early stops the reading ahead of every source.
		for (const pages of sources) void pages.return();
	}
}

/** Read position in one source of a merge. */
class Head {
	entry: AuditLogEntry | undefined;

	/** Date of `entry`; an unreadable date keeps the place of the entry before it. */
	millis = Number.POSITIVE_INFINITY;

	private page: AuditLogEntry[] = [];

	private index = 0;

	constructor(private readonly pages: AsyncGenerator<AuditLogEntry[], void, undefined>) {}

	/** Moves on within the page; false at its end. */
	step(): boolean {
		this.entry = this.page[++this.index];
		if (this.entry === undefined) return false;
		this.millis = parseEntryDate(this.entry.date) ?? this.millis;
		return true;
	}

	/** Fetches the next page. */
	async advance(): Promise<this> {
		const next = await this.pages.next();
		this.page = next.done ? [] : next.value;
		this.index = -1;
		this.step();
		return this;
	}
}
