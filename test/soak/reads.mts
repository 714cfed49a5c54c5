import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Dump } from '../sandbox/index.mts';

/** The lists that a minute's workflows read, and what has to be in them. */

const LOOK_BACK_MS = 5 * 60_000;

export interface Read {
	parameters: INodeParameters & { resource: string; operation: string };
	/** What is wrong with a list that was read without an error. */
	check(items: INodeExecutionData[]): string | undefined;
}

const idsOf = (items: INodeExecutionData[]) => items.map(({ json }) => String(json.id));

/** @param dump of just now; only the log goes on growing */
export function planReads(dump: Dump): Read[] {
	const everything = (resource: string, expected: Array<{ id: string }>): Read => ({
		parameters: { resource, operation: 'getAll', returnAll: true },
		check: (items) => difference(idsOf(items), new Set(expected.map(({ id }) => id)), 'exactly'),
	});
	const until = Math.floor(Date.parse(dump.now) / 1000) * 1000 - 2000;
	const since = until - LOOK_BACK_MS;
	const inRange = dump.log.entries.filter(({ date }) => {
		const millis = Date.parse(`${String(date).replace(' ', 'T')}Z`);
		return millis >= since && millis <= until;
	});
	const visible = new Set(inRange.map(({ id }) => String(id)));
	const filters = { since: new Date(since).toISOString(), until: new Date(until).toISOString() };
	const log = { resource: 'auditLog', filters };
	return [
		everything('user', dump.users),
		everything('group', dump.groups),
		everything('mapping', dump.mappings),
		{
			parameters: { ...log, operation: 'getAll', returnAll: true },
			check: (items) => difference(idsOf(items), visible, 'at least'),
		},
		{
			parameters: { ...log, operation: 'export', format: 'ndjson' },
			check: (items) => difference(items.flatMap(exportedIds), visible, 'at least'),
		},
	];
}

function exportedIds({ binary }: INodeExecutionData): string[] {
	const text = Buffer.from(binary?.data?.data ?? '', 'base64').toString('utf8');
	const lines = text.split('\n').filter((line) => line !== '');
	return lines.map((line) => String((JSON.parse(line) as { id: string }).id));
}

function difference(
	ids: string[],
	expected: Set<string>,
	bound: 'at least' | 'exactly',
): string | undefined {
	const found = new Set(ids);
	const missing = [...expected].filter((id) => !found.has(id)).length;
	const strange = bound === 'exactly' ? ids.filter((id) => !expected.has(id)).length : 0;
	const repeated = ids.length - found.size;
	if (missing + strange + repeated === 0) return undefined;
	return `${missing} missing, ${strange} strange, ${repeated} repeated of ${expected.size}`;
}
