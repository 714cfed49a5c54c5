import { notBoolean, notEmail, optionalText } from './rows.mts';
import type { BadInput } from './rows.mts';

const now = new Date().toISOString();
const wholeNumber = (at: string, range: string, bad: unknown): BadInput => ({
	at,
	bad,
	message: `'…' is not a whole number ${range}`,
});
const bound = (at: string): BadInput[] => [
	{ at, good: now, bad: 'yesterday', message: "'…' is not a date: 'yesterday'" },
	{ at, good: now, bad: { a: 1 }, message: "'…' is not a date" },
	{ at, good: now, bad: '', message: "'…' is empty" },
	{ at, good: now, bad: '2001-01-01', message: 'is before the start of the audit log' },
];
const names = (at: string, good: unknown): BadInput[] => [
	{ at, good, bad: [], message: "'…' is empty" },
	{ at, good, bad: ' , ', message: "'…' is empty" },
	{ at, good, bad: null, message: "'…' is empty" },
	{ at, good, bad: 5, message: "'…' is not a list of names" },
];

export const auditLog: BadInput[] = [
	...bound('filters.since'),
	...bound('filters.until'),
	{
		at: 'filters.until',
		given: { filters: { since: now } },
		good: now,
		bad: new Date(Date.now() - 3_600_000).toISOString(),
		message: "is before 'Since'",
	},
	...names('filters.actions', ['CREATE_MURAL']),
	...names('filters.otherActions', 'CREATE_MURAL'),
	...names('filters.affectedTypes', ['USER']),
	{
		at: 'filters.otherActions',
		good: 'CREATE_MURAL',
		bad: 'CREATE MURAL',
		message: "'CREATE MURAL' is not an action name",
	},
	{
		at: 'filters.actions',
		good: ['CREATE_MURAL'],
		bad: ['?'],
		message: "'?' is not an action name",
	},
	...optionalText('filters.actorEmail', 'nobody@example.com'),
	notEmail('filters.actorEmail', { good: 'nobody@example.com' }),
	wholeNumber('options.pageSize', 'from 1 to 1000', 0),
	wholeNumber('options.pageSize', 'from 1 to 1000', 1001),
	wholeNumber('options.parallelWindows', 'from 1 to 20', 0),
	wholeNumber('options.parallelWindows', 'from 1 to 20', 21),
	{ at: 'format', bad: 'xls', message: "'…' is neither csv nor ndjson: 'xls'" },
	{ at: 'columns', bad: { a: 1 }, message: "'…' is not a list of names" },
	...['', null].map((bad) => ({
		at: 'binaryPropertyName',
		bad,
		message: bad === '' ? "'…' is empty" : "'…' is missing",
	})),
	notBoolean('options.byteOrderMark'),
	notBoolean('options.escapeFormulas'),
	wholeNumber('options.entriesPerFile', 'of 1 or more', 0),
	...optionalText('options.fileName', 'log'),
];
