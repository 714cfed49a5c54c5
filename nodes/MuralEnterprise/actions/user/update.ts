import { optionsCollection } from '../../../shared/descriptions';
import type { UserAttributes } from '../../../shared/scim';
import { normalizeEmail, resolveUserId, updateUser } from '../../../shared/scim';
import type { Operation, OperationContext } from '../operation';
import {
	badInput,
	checkEmail,
	collection,
	optionalText,
	plainText,
	toggle,
	toItem,
} from '../operation';
import { readUserRef, USER, userLockKey, userParameter } from './userParameters';

/** Spec: SCIM users, PATCH /scim/Users/{id}. */
export const update: Operation = {
	option: {
		name: 'Update',
		value: 'update',
		action: 'Update a user',
		description: 'Change single values of a member and leave the others alone',
	},
	properties: [
		userParameter('The member to change'),
		{
			displayName: 'Update Fields',
			name: 'updateFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [
				{
					displayName: 'Active',
					name: 'active',
					type: 'boolean',
					default: true,
					description: 'Whether the member can sign in. Off suspends the member.',
				},
				{
					displayName: 'Email',
					name: 'email',
					type: 'string',
					default: '',
					placeholder: 'e.g. ann@example.com',
					description: 'New e-mail address, which is also the user name',
				},
				{
					displayName: 'Family Name',
					name: 'familyName',
					type: 'string',
					default: '',
					description: 'New last name. An empty one is sent as it is.',
				},
				{
					displayName: 'Given Name',
					name: 'givenName',
					type: 'string',
					default: '',
					description: 'New first name. An empty one is sent as it is.',
				},
			],
		},
		optionsCollection(),
	],
	lockKey: userLockKey,
	async execute(context) {
		const origin = { parameter: USER, itemIndex: context.itemIndex };
		const ref = readUserRef(context);
		const changes = readChanges(context);
		const id = await resolveUserId(context.client, ref, origin);
		return [toItem(context, await updateUser(context.client, id, changes, origin))];
	},
};

function readChanges(context: OperationContext): UserAttributes {
	const fields = collection(context, 'updateFields');
	const email = optionalText(context, fields, 'email', 'Email');
	const changes: UserAttributes = {
		userName: email && normalizeEmail(checkEmail(context, email, 'Email')),
		givenName: plainText(context, fields.givenName, 'Given Name'),
		familyName: plainText(context, fields.familyName, 'Family Name'),
		active:
			fields.active === undefined || fields.active === null
				? undefined
				: toggle(context, fields.active, 'Active'),
	};
	if (Object.values(changes).every((value) => value === undefined)) {
		throw badInput(
			context,
			"'Update Fields' holds nothing to change",
			"Add at least one field under 'Update Fields'. An expression there may have found nothing in this item.",
		);
	}
	return changes;
}
