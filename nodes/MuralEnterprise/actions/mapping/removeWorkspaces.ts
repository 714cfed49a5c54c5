import { partition } from 'lodash';

import { optionsCollection } from '../../../shared/descriptions';
import { carryOut, getMapping } from '../../../shared/mapping';
import { GROUP, groupLockKey } from '../locators';
import type { Operation } from '../operation';
import { toItem } from '../operation';
import { refuseEmpty } from '../several';
import {
	groupParameter,
	readGroupId,
	readWorkspaces,
	workspaceProperties,
} from './mappingParameters';

/** Spec: Group workspace mapping, PATCH with action remove. */
export const removeWorkspaces: Operation = {
	option: {
		name: 'Remove Workspaces',
		value: 'removeWorkspaces',
		action: 'Remove workspaces from a group',
		description: 'Close workspaces to the members of a group, unless another way leads there',
	},
	properties: [
		groupParameter('The group to close workspaces to'),
		...workspaceProperties,
		optionsCollection(),
	],
	lockKey: groupLockKey,
	async execute(context) {
		const { client, itemIndex } = context;
		const origin = { parameter: GROUP, itemIndex };
		const workspaces = readWorkspaces(context);
		refuseEmpty(context, workspaces, 'workspace');
		const current = await getMapping(client, await readGroupId(context), origin);
		const [removed, notMapped] = partition([...new Set(workspaces.entries)], (workspaceId) =>
			Object.hasOwn(current.workspaces, workspaceId),
		);
		const plan = { add: [], change: [], remove: removed, keep: [] };
		const mapping = await carryOut(client, current, plan, origin);
		return [toItem(context, { ...mapping, removed, notMapped })];
	},
};
