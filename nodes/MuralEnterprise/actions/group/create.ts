import { optionsCollection } from '../../../shared/descriptions';
import { resolveMembers } from '../../../shared/members';
import { createWithMembers } from '../../../shared/membership';
import type { Operation } from '../operation';
import { collection, optionalText, requiredText, toItem } from '../operation';
import { displayNameProperty } from './groupParameters';
import {
	changeJson,
	memberProperties,
	membersNotFoundOption,
	readMembers,
} from './memberParameters';

/** Spec: SCIM groups, POST /scim/Groups. */
export const create: Operation = {
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create a group',
		description: 'Add a group, with or without members',
	},
	properties: [
		displayNameProperty,
		...memberProperties,
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [
				{
					displayName: 'External ID',
					name: 'externalId',
					type: 'string',
					default: '',
					placeholder: 'e.g. 00g1a2b3c4',
					description: 'Identifier of the group at the identity provider',
				},
			],
		},
		optionsCollection([membersNotFoundOption]),
	],
	lockKey: (context) => ({
		by: 'name',
		value: requiredText(context, 'displayName', 'Display Name').toLowerCase(),
	}),
	async execute(context) {
		const { client } = context;
		const fields = collection(context, 'additionalFields');
		const attributes = {
			displayName: requiredText(context, 'displayName', 'Display Name'),
			externalId: optionalText(context, fields, 'externalId', 'External ID'),
		};
		const { refs, origin } = readMembers(context);
		const named = await resolveMembers(client, refs, origin);
		const change = await createWithMembers(client, attributes, named, origin);
		return [toItem(context, changeJson(change, 'notFound'))];
	},
};
