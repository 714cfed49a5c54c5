import { optionsCollection } from '../../../shared/descriptions';
import { resolveMembers } from '../../../shared/members';
import { removeMembers as sendRemoval } from '../../../shared/membership';
import { groupLockKey } from '../locators';
import type { Operation } from '../operation';
import { toItem } from '../operation';
import { groupParameter, readGroupId } from './groupParameters';
import {
	changeJson,
	memberProperties,
	membersNotFoundOption,
	readSomeMembers,
} from './memberParameters';

/** Spec: SCIM groups, PATCH remove members. */
export const removeMembers: Operation = {
	option: {
		name: 'Remove Members',
		value: 'removeMembers',
		action: 'Remove members from a group',
		description:
			'Take members out of a group; they keep their accounts and what other groups give them',
	},
	properties: [
		groupParameter('The group to remove from'),
		...memberProperties,
		optionsCollection([membersNotFoundOption]),
	],
	lockKey: groupLockKey,
	async execute(context) {
		const { client } = context;
		const { refs, origin } = readSomeMembers(context);
		const groupId = await readGroupId(context);
		const named = await resolveMembers(client, refs, origin);
		const change = await sendRemoval(client, groupId, named, origin);
		return [toItem(context, changeJson(change, 'removed', 'notMembers', 'notFound'))];
	},
};
