import { optionsCollection } from '../../../shared/descriptions';
import { resolveMembers } from '../../../shared/members';
import { addMembers as sendMembers } from '../../../shared/membership';
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

/** Spec: SCIM groups, PATCH add members. */
export const addMembers: Operation = {
	option: {
		name: 'Add Members',
		value: 'addMembers',
		action: 'Add members to a group',
		description: "Let members into a group and so into the group's workspaces",
	},
	properties: [
		groupParameter('The group to add to'),
		...memberProperties,
		optionsCollection([membersNotFoundOption]),
	],
	lockKey: groupLockKey,
	async execute(context) {
		const { client } = context;
		const { refs, origin } = readSomeMembers(context);
		const groupId = await readGroupId(context);
		const named = await resolveMembers(client, refs, origin);
		const change = await sendMembers(client, groupId, named, origin);
		return [toItem(context, changeJson(change, 'added', 'alreadyMembers', 'notFound'))];
	},
};
