import type { INodeProperties } from 'n8n-workflow';

import { pageSizeOption } from '../../../shared/auditDescriptions';
import type { AuditLogQuery } from '../../../shared/auditLog';
import {
	DEFAULT_RANGE_MS,
	MAX_PAGE_SIZE,
	mergeNewestFirst,
	readPages,
} from '../../../shared/auditLog';
import type { Pages } from '../../../shared/auditWindows';
import { readWindows } from '../../../shared/auditWindows';
import type { OperationContext } from '../operation';
import { collection, wholeNumber } from '../operation';
import { entryTest, readActions, readRange } from './auditParameters';

/** Reading the log by the parameters that audit log operations share. */

export const readingOptions: INodeProperties[] = [
	pageSizeOption,
	{
		displayName: 'Parallel Windows',
		name: 'parallelWindows',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 20 },
		default: 1,
		description:
			'How many date windows of the range to read at the same time. The result is the same, sooner, for a few more requests.',
	},
];

const PARALLEL_BOUNDS = { min: 1, max: 20 };

/**
 * The entries that the filters ask for, newest first, by pages. Every parameter is read before the first request.
 * @param wanted entries that the caller still takes
 */
export async function* readEntries(
	context: OperationContext,
	wanted: () => number = () => Number.POSITIVE_INFINITY,
): Pages {
	const { client, itemIndex } = context;
	const range = readRange(context);
	const actions = readActions(context);
	const matches = entryTest(context);
	const { pageSize = MAX_PAGE_SIZE, parallelWindows = 1 } = collection(context, 'options');
	const size = wholeNumber(context, pageSize, 'Page Size', { min: 1, max: MAX_PAGE_SIZE });
	const windows = wholeNumber(context, parallelWindows, 'Parallel Windows', PARALLEL_BOUNDS);

	// What is filtered out here does not count, so only an unfiltered read can ask for less than a page.
	const unread = () => (matches ? Number.POSITIVE_INFINITY : wanted());
	const maxResults = () => Math.min(size, unread());
	const read = (query: AuditLogQuery) => readPages(client, query, { maxResults, itemIndex });
	// The service takes one action per request: several are read side by side and merged.
	const queries = actions.length === 0 ? [range] : actions.map((action) => ({ ...range, action }));
	const parallel = Math.floor(windows / queries.length);
	const since = () => Date.now() + client.clockOffsetMs - DEFAULT_RANGE_MS;
	const sources = queries.map((query) =>
		parallel > 1
			? readWindows(read, query, { parallel, pageSize: size, since, wanted: unread })
			: read(query),
	);
	const pages = sources.length === 1 ? sources[0] : mergeNewestFirst(sources);
	for await (const page of pages) yield matches ? page.filter(matches) : page;
}
