import { get } from 'lodash';

import type { AuditLogEntry } from './auditLog';
import { BYTE_ORDER_MARK, csvLine } from './csv';

/** Audit log entries as text files. Spec: Audit log entry. */

export interface ExportFormat {
	extension: string;
	mimeType: string;
	/** What every file begins with. */
	header: string;
	/** One entry, with its line end. */
	line(entry: AuditLogEntry): string;
}

/** One JSON object a line, as the service gave it. */
export const ndjson: ExportFormat = {
	extension: 'ndjson',
	mimeType: 'application/x-ndjson',
	header: '',
	line: (entry) => `${JSON.stringify(entry)}\n`,
};

export interface CsvOptions {
	/** Paths such as `actor.email`; all columns when empty. */
	columns: string[];
	byteOrderMark: boolean;
	/** See csvCell. */
	escapeFormulas: boolean;
}

/** The spec's fields. */
const PARTS = {
	actor: ['id', 'email', 'name', 'type', 'company'],
	affected: ['id', 'type', 'company'],
} as const;
const PLAIN_FIELDS = ['id', 'date', 'action', 'ip'] as const;

/** Holds, as JSON, the fields of an entry that the spec does not name. */
const OTHER = 'other';

/**
 * A table with one header, whatever the entries carry: the fields of the spec, flattened, and a last column `other`
 * for the rest as a JSON object, empty when there is none. So all files have the same columns and nothing is lost.
 */
export function csv({ columns, byteOrderMark, escapeFormulas }: CsvOptions): ExportFormat {
	const names = columns.length > 0 ? columns : ALL_COLUMNS.map(({ name }) => name);
	const readers = names.map((name) => {
		const known = ALL_COLUMNS.find((column) => column.name === name);
		return known?.read ?? ((entry: AuditLogEntry) => get(entry, name) as unknown);
	});
	return {
		extension: 'csv',
		mimeType: 'text/csv',
		header: (byteOrderMark ? BYTE_ORDER_MARK : '') + csvLine(names, escapeFormulas),
		line: (entry) =>
			csvLine(
				readers.map((read) => read(entry)),
				escapeFormulas,
			),
	};
}

interface Column {
	name: string;
	read(entry: AuditLogEntry): unknown;
}

const plain = (name: (typeof PLAIN_FIELDS)[number]): Column => ({
	name,
	read: (entry) => entry[name],
});

const nested = (part: keyof typeof PARTS): Column[] =>
	PARTS[part].map((field) => ({
		name: `${part}.${field}`,
		read: (entry) => (entry[part] as Record<string, unknown> | null | undefined)?.[field],
	}));

const ALL_COLUMNS: Column[] = [
	plain('date'),
	plain('action'),
	...nested('actor'),
	...nested('affected'),
	plain('ip'),
	plain('id'),
	{ name: OTHER, read: otherFields },
];

/** What no column of the spec's fields shows; undefined when there is none. */
function otherFields(entry: AuditLogEntry): Record<string, unknown> | undefined {
	const other: Array<[string, unknown]> = [];
	for (const name of Object.keys(entry)) {
		if ((PLAIN_FIELDS as readonly string[]).includes(name)) continue;
		const rest = Object.hasOwn(PARTS, name)
			? otherParts(entry[name], PARTS[name as keyof typeof PARTS])
			: entry[name];
		if (rest !== undefined) other.push([name, rest]);
	}
	return other.length === 0 ? undefined : Object.fromEntries(other);
}

/** A part that is no object has no columns. */
function otherParts(part: unknown, known: readonly string[]): unknown {
	if (part === null || part === undefined) return undefined;
	if (typeof part !== 'object' || Array.isArray(part)) return part;
	const rest = Object.entries(part).filter(([name]) => !known.includes(name));
	return rest.length === 0 ? undefined : Object.fromEntries(rest);
}
