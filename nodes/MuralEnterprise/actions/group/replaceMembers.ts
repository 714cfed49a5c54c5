import { notice, optionsCollection } from '../../../shared/descriptions';
import { resolveMembers } from '../../../shared/members';
import { replaceMembers as sendReplacement } from '../../../shared/membership';
import { groupLockKey } from '../locators';
import type { Operation } from '../operation';
import { badInput, parameter, toggle, toItem } from '../operation';
import { groupParameter, readGroupId } from './groupParameters';
import {
	changeJson,
	memberProperties,
	membersNotFoundOption,
	readMembers,
} from './memberParameters';

const ALLOW_EMPTYING = 'Allow Emptying the Group';

/** Spec: SCIM groups, PATCH replace members. */
export const replaceMembers: Operation = {
	option: {
		name: 'Replace Members',
		value: 'replaceMembers',
		action: 'Replace the members of a group',
		description: 'Make the members given here the only ones of a group, in one step',
	},
	properties: [
		notice(
			'replaceMembersNotice',
			'Members of the group who are not given here leave it, and lose the workspaces they reached through it.',
		),
		groupParameter('The group whose members to replace'),
		...memberProperties,
		{
			displayName: ALLOW_EMPTYING,
			name: 'allowEmptying',
			type: 'boolean',
			default: false,
			description:
				'Whether an empty list may remove all members. Off refuses it, since an expression may have found nothing.',
		},
		optionsCollection([membersNotFoundOption]),
	],
	lockKey: groupLockKey,
	async execute(context) {
		const { client } = context;
		const { refs, origin } = readMembers(context);
		const mayEmpty = toggle(context, parameter(context, 'allowEmptying') ?? false, ALLOW_EMPTYING);
		const refuseEmptying = () => {
			if (mayEmpty) return;
			throw badInput(
				context,
				`'${origin.parameter}' names no member, which would empty the group`,
				`Enter the members to keep in '${origin.parameter}', or switch '${ALLOW_EMPTYING}' on.`,
			);
		};
		if (refs.length === 0) refuseEmptying();
		const groupId = await readGroupId(context);
		const named = await resolveMembers(client, refs, origin);
		const change = await sendReplacement(client, groupId, named, refuseEmptying, origin);
		return [toItem(context, changeJson(change, 'added', 'alreadyMembers', 'removed', 'notFound'))];
	},
};
