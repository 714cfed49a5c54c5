import type { IDataObject } from 'n8n-workflow';
import pLimit from 'p-limit';

import type { Client, Query, ServiceRequest } from './client';
import { requestScim } from './serviceProviderConfig';

/** Paging of list responses. Spec: SCIM list response, SCIM groups (count, startIndex), Limits. */

export const MAX_COUNT = 100;

/** Pages asked for at the same time, at most. */
const MAX_SIDE_BY_SIDE = 10;

/** Spec: SCIM list response. The mapping list carries the same fields without `schemas`. */
export interface ListResponse<T> {
	totalResults?: number;
	/** 1-based. */
	startIndex?: number;
	itemsPerPage?: number;
	Resources: T[];
}

export interface ListRequest {
	path: string[];
	scim: boolean;
	query?: Query;
	sentences?: ServiceRequest['sentences'];
	itemIndex?: number;
}

export interface PagingOptions {
	/** Resources that the caller takes at most; more are not read ahead. Default: all. */
	limit?: number;
	/** Pages to read at the same time once the first one has told how many there are. Default 1. */
	sideBySide?: number;
}

/**
 * One page of a list.
 * @param startIndex 1-based
 * @param count resources at most, 1 to 100
 * @throws NodeApiError when the answer has no `Resources`, or holds another page than the one asked for
 */
export async function readListPage<T = IDataObject>(
	client: Client,
	list: ListRequest,
	startIndex: number,
	count = MAX_COUNT,
): Promise<ListResponse<T>> {
	const request: ServiceRequest = {
		...list,
		method: 'GET',
		query: { ...list.query, startIndex, count },
	};
	const page = await requestScim<ListResponse<T> | undefined>(client, request);
	// RFC 7644, 3.4.2: `Resources` may be absent when nothing matches.
	if (page?.Resources === undefined && page?.totalResults === 0) return { ...page, Resources: [] };
	if (!Array.isArray(page?.Resources)) {
		throw client.unexpected(request, "JSON without the list 'Resources'");
	}
	if (!page.Resources.every((resource) => typeof resource === 'object' && resource !== null)) {
		throw client.unexpected(request, "a list 'Resources' that holds more than resources");
	}
	if (
		typeof page.startIndex === 'number' &&
		page.startIndex !== startIndex &&
		page.Resources.length > 0
	) {
		throw client.unexpected(
			request,
			`the page at ${page.startIndex} instead of the one at ${startIndex}, so the list would never end`,
		);
	}
	return page;
}

/** True when nothing follows the page that ended before `nextIndex`. */
export function isLastPage(page: ListResponse<unknown>, nextIndex: number): boolean {
	if (page.Resources.length === 0) return true;
	return typeof page.totalResults === 'number' && nextIndex > page.totalResults;
}

/**
 * All pages of a list in the service's order; a resource goes out once. A short page is not the end: servers may cap
 * `count`. What is there all the time is never missed while others only come, or only go: when the list has become
 * shorter, what moved up is read again. (The service tells no more than a total, so as many coming as going between
 * two pages stay unseen.)
 *
 * Pages read ahead give the same: one counts only if its total is the one of the page before it, which means that
 * nothing moved between the two; otherwise it is read again, after that page.
 */
export async function* readListPages<T extends { id?: string } = IDataObject & { id?: string }>(
	client: Client,
	list: ListRequest,
	{ limit = Number.POSITIVE_INFINITY, sideBySide = 1 }: PagingOptions = {},
): AsyncGenerator<T[], void, undefined> {
	const size = Math.min(MAX_COUNT, limit);
	const width = Math.min(sideBySide, MAX_SIDE_BY_SIDE);
	const inTurn = pLimit(width);
	const read = async (at: number, count = size) =>
		await inTurn(async () => await readListPage<T>(client, list, at, count));
	const ahead = new ReadAhead(read, width);
	const seen = new Set<string>();
	const isNew = ({ id }: T) => typeof id !== 'string' || (!seen.has(id) && !!seen.add(id));
	let next = 1;
	let total: number | undefined;
	let lowest = Number.POSITIVE_INFINITY;
	let movedUpAt = 0;
	let firstIds: string | undefined;
	for (;;) {
		const early = ahead.take(next);
		let page = await (early ?? read(next, Math.min(size, ahead.distance(next))));
		if (early && page.totalResults !== total) {
			ahead.clear();
			page = await read(next);
		}
		const gone = (total ?? 0) - (page.totalResults ?? total ?? 0);
		total = page.totalResults;
		// The second condition ends it with a service whose totals jump up and down.
		if (gone > 0 && ((total as number) < lowest || next > movedUpAt)) {
			ahead.clear();
			lowest = Math.min(lowest, total as number);
			movedUpAt = Math.max(movedUpAt, next);
			next = Math.max(1, next - gone);
			continue;
		}
		lowest = Math.min(lowest, total ?? lowest);
		next += page.Resources.length;
		const ids = page.Resources.map(({ id }) => id).join();
		// Without a total, only this tells that a service knows no pages and repeats the whole list.
		const isLast = isLastPage(page, next) || (total === undefined && ids === firstIds);
		firstIds ??= ids;
		if (!isLast) ahead.start(next, page.Resources.length, Math.min(total ?? 0, limit));
		yield page.Resources.filter(isNew);
		if (isLast) return;
	}
}

/** Pages on their way, by start index. */
class ReadAhead<T> {
	private readonly pages = new Map<number, Promise<ListResponse<T>>>();

	/** Resources a page: as many as the first one held, since that may be the server's cap. */
	private stride = 0;

	constructor(
		private readonly read: (at: number, count: number) => Promise<ListResponse<T>>,
		private readonly width: number,
	) {}

	take(at: number): Promise<ListResponse<T>> | undefined {
		const page = this.pages.get(at);
		this.pages.delete(at);
		return page;
	}

	/** From `at` to the next page that is on its way. */
	distance(at: number): number {
		const following = [...this.pages.keys()].filter((start) => start > at);
		return Math.min(...following) - at;
	}

	/** Asks for pages from `at` on, none that starts beyond `end`. */
	start(at: number, firstLength: number, end: number): void {
		if (this.width < 2) return;
		this.stride ||= firstLength;
		for (const start of this.pages.keys()) if (start < at) this.pages.delete(start);
		const starts = [...this.pages.keys()].map((start) => start + this.stride);
		let start = Math.max(at, ...starts);
		for (; this.pages.size < this.width && start <= end; start += this.stride) {
			const page = this.read(start, this.stride);
			// Whoever takes the page sees the failure; nobody may.
			page.catch(() => undefined);
			this.pages.set(start, page);
		}
	}

	clear(): void {
		this.pages.clear();
	}
}
