import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import type { ExportFormat } from '../../../shared/auditExport';
import { csv, ndjson } from '../../../shared/auditExport';
import type { AuditLogEntry } from '../../../shared/auditLog';
import { isoDate } from '../../../shared/auditLog';
import { optionsCollection } from '../../../shared/descriptions';
import { TextBuffer } from '../../../shared/textBuffer';
import type { Operation, OperationContext } from '../operation';
import {
	badInput,
	collection,
	nameList,
	optionalText,
	parameter,
	requiredText,
	toggle,
	toItem,
	wholeNumber,
} from '../operation';
import { auditFilters } from './auditParameters';
import { readEntries, readingOptions } from './readEntries';

const DEFAULT_FILE_NAME = 'audit-log';
const DEFAULT_ENTRIES_PER_FILE = 50_000;

const onlyCsv = { displayOptions: { show: { '/format': ['csv'] } } };

const exportOptions: INodeProperties[] = [
	{
		displayName: 'Byte Order Mark',
		name: 'byteOrderMark',
		type: 'boolean',
		default: false,
		description: 'Whether the file starts with the mark by which Excel knows UTF-8',
		...onlyCsv,
	},
	{
		displayName: 'Entries per File',
		name: 'entriesPerFile',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: DEFAULT_ENTRIES_PER_FILE,
		description: 'When a file has this many entries, the next one begins',
	},
	{
		displayName: 'Escape Formulas',
		name: 'escapeFormulas',
		type: 'boolean',
		default: true,
		description:
			"Whether to put ' before texts that a spreadsheet would run as a formula: those that begin with =, +, -, @, a tab or a line break. Anybody can give a thing such a name.",
		...onlyCsv,
	},
	{
		displayName: 'File Name',
		name: 'fileName',
		type: 'string',
		default: DEFAULT_FILE_NAME,
		description: 'Name of the files, without the number and the extension, which are added',
	},
];

/** Spec: GET /audit-log, Audit log entry. */
export const exportFiles: Operation = {
	option: {
		name: 'Export',
		value: 'export',
		action: 'Export audit log entries to files',
		description: 'Write recorded actions into CSV or NDJSON files, newest first',
	},
	properties: [
		{
			displayName: 'Format',
			name: 'format',
			type: 'options',
			options: [
				{ name: 'CSV', value: 'csv', description: 'A table, one entry a row' },
				{
					name: 'NDJSON',
					value: 'ndjson',
					description: 'One JSON object a line, as the service gives it',
				},
			],
			default: 'csv',
		},
		{
			displayName: 'Columns',
			name: 'columns',
			type: 'string',
			default: '',
			placeholder: 'e.g. date, action, actor.email',
			description:
				"Names of the columns, separated by commas; a dot goes one level down. Empty: all, with what the table has no column for as JSON in 'other'.",
			displayOptions: { show: { format: ['csv'] } },
		},
		{
			displayName: 'Put Output File in Field',
			name: 'binaryPropertyName',
			type: 'string',
			required: true,
			default: 'data',
			hint: 'The name of the output binary field to put the file in',
		},
		auditFilters,
		optionsCollection([...exportOptions, ...readingOptions]),
	],
	async execute(context) {
		const format = readFormat(context);
		const field = requiredText(context, 'binaryPropertyName', 'Put Output File in Field');
		const options = collection(context, 'options');
		const { entriesPerFile = DEFAULT_ENTRIES_PER_FILE } = options;
		const most = wholeNumber(context, entriesPerFile, 'Entries per File', { min: 1 });
		const name = optionalText(context, options, 'fileName', 'File Name') ?? DEFAULT_FILE_NAME;

		const items: INodeExecutionData[] = [];
		const file = new FileInMaking(format);
		const finish = async () => {
			const number = String(items.length + 1).padStart(3, '0');
			const fileName = `${name}-${number}.${format.extension}`;
			const binary = await context.host.helpers.prepareBinaryData(
				file.content(),
				fileName,
				format.mimeType,
			);
			const item = toItem(context, { fileName, ...file.summary() });
			items.push({ ...item, binary: { [field]: binary } });
			file.startAgain();
		};
		for await (const page of readEntries(context)) {
			for (const entry of page) {
				file.add(entry);
				if (file.entries === most) await finish();
			}
		}
		if (file.entries > 0) await finish();
		return items;
	},
};

function readFormat(context: OperationContext): ExportFormat {
	const format = parameter(context, 'format') ?? 'csv';
	if (format === 'ndjson') return ndjson;
	if (format !== 'csv') {
		throw badInput(
			context,
			`'Format' is neither csv nor ndjson: '${String(format)}'`,
			"Choose one in 'Format', or use an expression that gives csv or ndjson.",
		);
	}
	const { byteOrderMark = false, escapeFormulas = true } = collection(context, 'options');
	return csv({
		columns: nameList(context, parameter(context, 'columns'), 'Columns'),
		byteOrderMark: toggle(context, byteOrderMark, 'Byte Order Mark'),
		escapeFormulas: toggle(context, escapeFormulas, 'Escape Formulas'),
	});
}

/**
 * One file until it is handed over to n8n, which takes it whole and has stored or copied it when it says so. The next
 * file gets the same memory.
 */
class FileInMaking {
	entries = 0;

	private readonly text = new TextBuffer();

	private newest: AuditLogEntry | undefined;

	private oldest: AuditLogEntry | undefined;

	constructor(private readonly format: ExportFormat) {
		this.startAgain();
	}

	startAgain(): void {
		this.entries = 0;
		this.text.clear();
		this.text.append(this.format.header);
	}

	/** Entries come newest first. */
	add(entry: AuditLogEntry): void {
		if (this.entries === 0) this.newest = entry;
		this.oldest = entry;
		this.entries++;
		this.text.append(this.format.line(entry));
	}

	/** Valid until the next change. */
	content(): Buffer {
		return this.text.content();
	}

	/** Dates in ISO form; null when unreadable. */
	summary() {
		return {
			entries: this.entries,
			newestDate: isoDate(this.newest?.date),
			oldestDate: isoDate(this.oldest?.date),
		};
	}
}
