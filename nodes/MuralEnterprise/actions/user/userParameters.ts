import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { UserAttributes } from '../../../shared/scim';
import { normalizeEmail, simplifyUser } from '../../../shared/scim';
import { userLocator } from '../../../shared/descriptions';
import { readUserRef, USER } from '../locators';
import type { InputContext, LockKey } from '../operation';
import { badInput, checkEmail, collection, optionalText, requiredText } from '../operation';
import { outputProperties, readOutput } from '../output';

/** Parameters that user operations share, and how they are read. */

export { readUserRef, USER };

export const userParameter = (description: string): INodeProperties =>
	userLocator('userId', USER, description);

/** The same member always gives the same key, so that its changes keep their order. */
export function userLockKey(context: InputContext): LockKey {
	const ref = readUserRef(context);
	return 'id' in ref ? { by: 'id', value: ref.id } : { by: 'email', value: ref.email };
}

/** For operations that name the member by the e-mail to create. */
export function newUserLockKey(context: InputContext): LockKey {
	return { by: 'email', value: normalizeEmail(requiredText(context, 'email', 'Email')) };
}

export const emailProperty: INodeProperties = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. ann@example.com',
	description:
		'E-mail address of the member, which is also the user name. It is sent in lower case.',
};

export const nameProperties: INodeProperties[] = [
	{
		displayName: 'Given Name',
		name: 'givenName',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. Ann',
		description: 'First name',
	},
	{
		displayName: 'Family Name',
		name: 'familyName',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. Lee',
		description: 'Last name',
	},
];

export const externalIdProperty: INodeProperties = {
	displayName: 'External ID',
	name: 'externalId',
	type: 'string',
	default: '',
	placeholder: 'e.g. 00u1a2b3c4',
	description: 'Identifier of the member at the identity provider. It cannot be changed once set.',
};

const DEFAULT_OUTPUT = 'raw';

export const userOutput = outputProperties(
	DEFAULT_OUTPUT,
	'Eight flat fields per member',
	'id, userName, name.familyName',
);

/** How one member becomes the JSON of an item. */
export const readUserOutput = (context: InputContext) =>
	readOutput(context, DEFAULT_OUTPUT, simplifyUser);

/** The attributes of a new member. */
export function readNewUser(context: InputContext, extra = 'additionalFields'): UserAttributes {
	return {
		userName: normalizeEmail(checkEmail(context, requiredText(context, 'email', 'Email'), 'Email')),
		givenName: requiredText(context, 'givenName', 'Given Name'),
		familyName: requiredText(context, 'familyName', 'Family Name'),
		externalId: optionalText(context, collection(context, extra), 'externalId', 'External ID'),
	};
}

/** Refuses another External ID than the one the member has. */
export function checkExternalId(
	context: InputContext,
	current: IDataObject,
	wanted: string | undefined,
): void {
	const set = current.externalId;
	if (wanted === undefined || set === undefined || set === null || set === '' || set === wanted)
		return;
	throw badInput(
		context,
		`'External ID' cannot be changed: the member already has another one ('${String(set)}')`,
		"The service never changes an External ID once it is set. Remove 'External ID', or enter the one the member has.",
	);
}
