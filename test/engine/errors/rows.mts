import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/index.mts';

/** An expression that finds nothing. */
export const ABSENT = Symbol('absent');

/** A value that an operation has to refuse before it sends anything. */
export interface BadInput {
	/** The parameter, as `placesOf` names it. Applies to every operation of the resource that has it. */
	at: string;
	/** Only these operations. */
	only?: string[];
	/** What an expression gives there, or, where there can be none, what the workflow holds. */
	bad: unknown;
	/** How the parameter is filled in, if it is a locator. */
	mode?: 'email' | 'id' | 'list' | 'name';
	/**
	 * A value that is fine there, or what gives it. Default: what the case of the operation has (as an e-mail for
	 * that mode), else the parameter's default.
	 */
	good?: unknown;
	/** The error's message; `'…'` stands for the display name in quotes. */
	message: string;
	/** Further parameters that the row needs. */
	given?: INodeParameters | ((sandbox: Sandbox) => INodeParameters);
}

/** Somebody who exists, not the first one. */
export const somebody = (sandbox: Sandbox) => [...sandbox.state.users.values()][5].userName;

const integer = (at: string, range: string, ...bad: unknown[]): BadInput[] =>
	bad.map((value) => ({ at, bad: value, message: `'…' is not a whole number ${range}` }));

export const notBoolean = (at: string, row: Partial<BadInput> = {}): BadInput => ({
	at,
	bad: 'maybe',
	message: "'…' is neither true nor false",
	...row,
});

/** Rows for a text that has to be there. */
export const text = (at: string, row: Partial<BadInput> = {}): BadInput[] => [
	{ at, bad: '', message: "'…' is empty", ...row },
	{ at, bad: ' \t', message: "'…' is empty", ...row },
	{ at, bad: { a: 1 }, message: "'…' is not a text", ...row },
	{ at, bad: null, message: "'…' is missing", ...row },
];

/** Rows for a text under Options or Fields, which may be absent, but not blank. */
export const optionalText = (
	at: string,
	good: unknown,
	row: Partial<BadInput> = {},
): BadInput[] => [
	{ at, good, bad: '', message: "'…' is empty", ...row },
	{ at, good, bad: ['a'], message: "'…' is not a text", ...row },
];

/** Rows for a locator. */
export const locator = (at: string, row: Partial<BadInput> = {}): BadInput[] =>
	(['id', 'list'] as const).flatMap((mode) =>
		['', ' ', null, { a: 1 }].map((bad) => ({ at, bad, mode, message: "'…' is empty", ...row })),
	);

export const notEmail = (at: string, row: Partial<BadInput> = {}): BadInput => ({
	at,
	bad: 'ann at example',
	message: "'…' is not an e-mail address: 'ann at example'",
	...row,
});

/** Parameters that mean the same wherever they appear. */
export const SHARED: BadInput[] = [
	...integer('options.concurrency', 'from 1 to 50', 0, 51, 1.5, 'many', null),
	...integer('options.timeout', 'from 1 to 3600', 0, 3601, 0.5, 'long', null),
	...integer('limit', 'of 1 or more', 0, -1, 1.5, 'all', null).map((row) => ({
		...row,
		given: { returnAll: false },
	})),
	notBoolean('returnAll'),
	{
		at: 'output',
		// An expression there makes the editor ask for the fields too.
		given: { fields: 'id' },
		bad: 'everything',
		message: "'…' is not one of: simplified, raw, selected",
	},
	{
		at: 'fields',
		given: { output: 'selected' },
		good: 'id',
		bad: ' , ',
		message: "'…' is empty",
	},
	{
		at: 'fields',
		given: { output: 'selected' },
		good: 'id',
		bad: { a: 1 },
		message: "'…' is not a list of names",
	},
];
