import type { IDataObject } from 'n8n-workflow';

import type { SeveralParameter } from '../../shared/descriptions';
import { PICKED_ROWS } from '../../shared/descriptions';
import type { InputContext } from './operation';
import { badInput, choice, collection, parameter } from './operation';

/** Lists of members or workspaces: picked one by one, or as texts that an expression can give. */

/** The fields of an object that name what it is, the surest one first. */
const NAMING_FIELDS = ['id', 'value', 'userName', 'email', 'workspaceId'];

/**
 * The entries of a typed list: a text with commas, semicolons or white space between them, a JSON array, or what an
 * expression gives: texts, numbers, or objects that hold one in a naming field. An entry that names nothing is
 * undefined. Nothing at all is an empty list.
 */
export function listEntries(value: unknown): Array<string | undefined> {
	if (value === undefined || value === null) return [];
	if (typeof value !== 'string') return [value].flat().map(entryText);
	const array = value.trimStart().startsWith('[') ? parseArray(value) : undefined;
	return array?.map(entryText) ?? value.split(/[\s,;]+/).filter((text) => text !== '');
}

function parseArray(text: string): unknown[] | undefined {
	try {
		return JSON.parse(text) as unknown[];
	} catch {
		return undefined;
	}
}

function entryText(entry: unknown): string | undefined {
	if (typeof entry === 'string') return entry.trim() === '' ? undefined : entry.trim();
	if (typeof entry === 'number') return String(entry);
	if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return undefined;
	const fields = entry as IDataObject;
	const name = NAMING_FIELDS.find((field) => ['string', 'number'].includes(typeof fields[field]));
	return name === undefined ? undefined : entryText(fields[name]);
}

export interface Several {
	/** Display name of the parameter that holds them. */
	label: string;
	/** What `readEntry` made of each. */
	entries: string[];
}

/**
 * What a list parameter names, in whichever way.
 * @param pickedText the text of one picked row's locator; throws when it is empty
 * @throws NodeOperationError naming the parameter and the entry that names nothing
 */
export function readSeveral(
	context: InputContext,
	{ source, picked, typed }: SeveralParameter,
	pickedText: (locator: unknown) => string,
): Several {
	const way = parameter(context, source.name) ?? 'list';
	if (choice(context, way, source.displayName, ['list', 'text']) === 'list') {
		const rows = (collection(context, picked.name)[PICKED_ROWS] ?? []) as IDataObject[];
		const entries = rows.map((row) => pickedText(row[picked.locator.name]));
		return { label: picked.displayName, entries };
	}
	const entries = listEntries(parameter(context, typed.name));
	const empty = entries.indexOf(undefined);
	if (empty >= 0) {
		throw badInput(
			context,
			`Entry ${empty + 1} of '${typed.displayName}' is empty`,
			`Use an expression in '${typed.displayName}' that gives texts, or objects that hold one of: ${NAMING_FIELDS.join(', ')}.`,
		);
	}
	return { label: typed.displayName, entries: entries as string[] };
}

/** Refuses a list that names nothing, since it can only be a mistake. */
export function refuseEmpty(
	context: InputContext,
	{ label, entries }: { label: string; entries: unknown[] },
	what: string,
): void {
	if (entries.length > 0) return;
	throw badInput(
		context,
		`'${label}' names no ${what}`,
		`Enter at least one ${what} in '${label}'. An expression there may have found nothing in this item.`,
	);
}
