import { optionsCollection } from '../../../shared/descriptions';
import { getGroup } from '../../../shared/groups';
import { GROUP } from '../locators';
import type { Operation } from '../operation';
import { toItem } from '../operation';
import { groupOutput, groupParameter, readGroupId, readGroupOutput } from './groupParameters';

/** Spec: SCIM groups, GET /scim/Groups/{id}. */
export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get a group',
		description: 'Retrieve one group with its members',
	},
	properties: [groupParameter('The group to retrieve'), ...groupOutput, optionsCollection()],
	async execute(context) {
		const { client, itemIndex } = context;
		const shape = readGroupOutput(context);
		const id = await readGroupId(context);
		return [toItem(context, shape(await getGroup(client, id, { parameter: GROUP, itemIndex })))];
	},
};
