import { notice, optionsCollection } from '../../../shared/descriptions';
import { deleteGroup } from '../../../shared/groups';
import { GROUP, groupLockKey } from '../locators';
import type { Operation } from '../operation';
import { toItem } from '../operation';
import { groupParameter, readGroupId } from './groupParameters';

/** Spec: SCIM groups, DELETE; States and transitions, Group. */
export const deleteOperation: Operation = {
	option: {
		name: 'Delete',
		value: 'delete',
		action: 'Delete a group',
		description: 'Deactivate a group; its members lose the workspaces they reached through it',
	},
	properties: [
		notice(
			'deleteNotice',
			'Deleting deactivates the group: its members lose access to workspaces that they had through it, unless another group gives it to them. The members themselves stay.',
		),
		groupParameter('The group to deactivate'),
		optionsCollection(),
	],
	lockKey: groupLockKey,
	async execute(context) {
		const { client, itemIndex } = context;
		const id = await readGroupId(context);
		await deleteGroup(client, id, { parameter: GROUP, itemIndex });
		return [toItem(context, { deleted: true, id })];
	},
};
