import { optionsCollection } from '../../../shared/descriptions';
import { carryOut, getMapping, planMapping } from '../../../shared/mapping';
import { GROUP, groupLockKey } from '../locators';
import type { Operation } from '../operation';
import { toItem } from '../operation';
import { refuseEmpty } from '../several';
import {
	groupParameter,
	permissionsProperty,
	readGroupId,
	readPermissions,
	readWorkspaces,
	samePermissions,
	workspaceProperties,
} from './mappingParameters';

/** Spec: Group workspace mapping, PATCH with action add. */
export const addWorkspaces: Operation = {
	option: {
		name: 'Add Workspaces',
		value: 'addWorkspaces',
		action: 'Add workspaces to a group',
		description: 'Open workspaces to the members of a group, with the permissions given here',
	},
	properties: [
		groupParameter('The group to open workspaces to'),
		...workspaceProperties,
		permissionsProperty,
		optionsCollection(),
	],
	lockKey: groupLockKey,
	async execute(context) {
		const { client, itemIndex } = context;
		const origin = { parameter: GROUP, itemIndex };
		const workspaces = readWorkspaces(context);
		refuseEmpty(context, workspaces, 'workspace');
		const wanted = samePermissions(workspaces.entries, readPermissions(context));
		const current = await getMapping(client, await readGroupId(context), origin);
		const plan = planMapping(current.workspaces, wanted, false);
		const mapping = await carryOut(client, current, plan, origin);
		return [
			toItem(context, {
				...mapping,
				added: plan.add.map(({ workspaceId }) => workspaceId),
				changed: plan.change.map(({ workspaceId }) => workspaceId),
				unchanged: plan.keep,
			}),
		];
	},
};
