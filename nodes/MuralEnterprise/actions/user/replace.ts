import { notice, optionsCollection } from '../../../shared/descriptions';
import { getUser, replaceUser, resolveUserId, userResource } from '../../../shared/scim';
import type { Operation } from '../operation';
import { collection, parameter, plainText, toggle, toItem } from '../operation';
import {
	checkExternalId,
	emailProperty,
	externalIdProperty,
	nameProperties,
	readNewUser,
	readUserRef,
	USER,
	userLockKey,
	userParameter,
} from './userParameters';

/** Spec: SCIM users, PUT /scim/Users/{id}. */
export const replace: Operation = {
	option: {
		name: 'Replace',
		value: 'replace',
		action: 'Replace all values of a user',
		description: 'Overwrite a member with the values given here, empty ones included',
	},
	properties: [
		notice(
			'replaceNotice',
			'Replacing overwrites every value of the member, also those left out here. To change single values, use <b>Update</b>.',
		),
		userParameter('The member to overwrite'),
		emailProperty,
		...nameProperties,
		{
			displayName: 'Active',
			name: 'active',
			type: 'boolean',
			default: true,
			description: 'Whether the member can sign in. Off suspends the member.',
		},
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [
				externalIdProperty,
				{
					displayName: 'Profile URL',
					name: 'profileUrl',
					type: 'string',
					default: '',
					description: "Address of the member's avatar",
				},
			],
		},
		optionsCollection(),
	],
	lockKey: userLockKey,
	async execute(context) {
		const { client, itemIndex } = context;
		const origin = { parameter: USER, itemIndex };
		const ref = readUserRef(context);
		const attributes = readNewUser(context);
		const active = toggle(context, parameter(context, 'active'), 'Active');
		const profileUrl = plainText(
			context,
			collection(context, 'additionalFields').profileUrl,
			'Profile URL',
		);
		const body = {
			...userResource({ ...attributes, active }),
			...(profileUrl === undefined ? {} : { profileUrl }),
		};
		if (attributes.externalId === undefined) {
			return [
				toItem(
					context,
					await replaceUser(client, await resolveUserId(client, ref, origin), body, origin),
				),
			];
		}
		const current = await getUser(client, ref, origin);
		checkExternalId(context, current, attributes.externalId);
		return [toItem(context, await replaceUser(client, current.id, body, origin))];
	},
};
