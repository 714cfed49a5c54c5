import { optionsCollection } from '../../../shared/descriptions';
import { groupList, renameGroup, resolveGroupId } from '../../../shared/groups';
import { GROUP, groupLockKey, readGroupRef } from '../locators';
import type { Operation } from '../operation';
import { requiredText, toItem } from '../operation';
import { displayNameProperty, groupParameter } from './groupParameters';

/** Spec: SCIM groups, PATCH replace displayName. Nothing else of a group can be changed. */
export const update: Operation = {
	option: {
		name: 'Update',
		value: 'update',
		action: 'Rename a group',
		description: 'Rename a group',
	},
	properties: [
		groupParameter('The group to rename'),
		{ ...displayNameProperty, description: 'New name of the group. No two groups share one.' },
		optionsCollection(),
	],
	lockKey(context) {
		// A name may be the one that an item before gives or takes away.
		const key = groupLockKey(context);
		return key.by === 'name' ? { by: 'name', value: '' } : key;
	},
	async execute(context) {
		const { client, itemIndex } = context;
		const origin = { parameter: GROUP, itemIndex };
		const ref = readGroupRef(context);
		const displayName = requiredText(context, 'displayName', 'Display Name');
		const id = await resolveGroupId(client, ref, groupList(itemIndex), origin, true);
		return [toItem(context, await renameGroup(client, id, displayName, origin))];
	},
};
