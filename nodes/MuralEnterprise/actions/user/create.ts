import { optionsCollection } from '../../../shared/descriptions';
import { createUser } from '../../../shared/scim';
import type { Operation } from '../operation';
import { toItem } from '../operation';
import {
	emailProperty,
	externalIdProperty,
	nameProperties,
	newUserLockKey,
	readNewUser,
} from './userParameters';

/** Spec: SCIM users, POST /scim/Users. */
export const create: Operation = {
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create a user',
		description: 'Add a member to the company',
	},
	properties: [
		emailProperty,
		...nameProperties,
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [externalIdProperty],
		},
		optionsCollection(),
	],
	lockKey: newUserLockKey,
	async execute(context) {
		const { client, itemIndex } = context;
		return [
			toItem(
				context,
				await createUser(client, readNewUser(context), { parameter: 'Email', itemIndex }),
			),
		];
	},
};
