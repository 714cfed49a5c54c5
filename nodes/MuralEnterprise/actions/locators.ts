import type { INodeParameterResourceLocator } from 'n8n-workflow';

import type { GroupRef } from '../../shared/groups';
import type { UserRef } from '../../shared/scim';
import { normalizeEmail } from '../../shared/scim';
import type { InputContext, LockKey } from './operation';
import { badInput, checkEmail, parameter } from './operation';

/** What a locator names: a text, an e-mail or an ID that an expression gave counts as well. */

export const USER = 'User';
export const GROUP = 'Group';

/** How a locator's value is named in the advice when it is empty. */
const WAYS = {
	user: 'Select a member in',
	group: 'Select a group in',
	workspace: 'Select a workspace in',
};

interface Located {
	/** Not empty. */
	value: string;
	/** Undefined when there was only a text. */
	mode?: string;
}

/**
 * The value of a locator as the parameter holds it.
 * @throws NodeOperationError naming the parameter when there is none
 */
export function readLocator(
	context: InputContext,
	locator: unknown,
	label: string,
	what: keyof typeof WAYS,
): Located {
	const isLocator = typeof locator === 'object' && locator !== null;
	const { value: raw, mode } = isLocator
		? (locator as INodeParameterResourceLocator)
		: { value: locator, mode: undefined };
	const value = typeof raw === 'string' || typeof raw === 'number' ? String(raw).trim() : '';
	if (value !== '') return { value, mode };
	const other = what === 'user' ? 'an e-mail or an ID' : 'an ID';
	throw badInput(
		context,
		`'${label}' is empty`,
		`${WAYS[what]} '${label}', or enter ${other}. An expression there may have found nothing in this item.`,
	);
}

/** The member that a locator names. */
export function userRef(context: InputContext, locator: unknown, label: string): UserRef {
	const { value, mode } = readLocator(context, locator, label, 'user');
	if (mode === 'email') return { email: normalizeEmail(checkEmail(context, value, label)) };
	return userRefOf(value);
}

/** IDs hold no @: an e-mail that an expression put in the place of an ID is meant as one. */
export function userRefOf(value: string): UserRef {
	return value.includes('@') ? { email: normalizeEmail(value) } : { id: value };
}

export function readUserRef(context: InputContext, name = 'userId', label = USER): UserRef {
	return userRef(context, parameter(context, name), label);
}

/** The group that the operation is about. */
export function readGroupRef(context: InputContext): GroupRef {
	const { value, mode } = readLocator(context, parameter(context, 'groupId'), GROUP, 'group');
	return mode === 'name' ? { name: value } : { id: value };
}

/** The same group always gives the same key, so that its changes keep their order. */
export function groupLockKey(context: InputContext): LockKey {
	const ref = readGroupRef(context);
	return 'id' in ref ? { by: 'id', value: ref.id } : { by: 'name', value: ref.name };
}
