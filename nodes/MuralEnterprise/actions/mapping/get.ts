import { optionsCollection } from '../../../shared/descriptions';
import { getMapping } from '../../../shared/mapping';
import { GROUP } from '../locators';
import type { Operation } from '../operation';
import { toItem } from '../operation';
import { groupParameter, mappingOutput, readGroupId, readMappingOutput } from './mappingParameters';

/** Spec: Group workspace mapping, GET /mapping/groups/{id}. */
export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get the workspaces of a group',
		description: 'Retrieve the workspaces that a group opens, with their permissions',
	},
	properties: [
		groupParameter('The group whose workspaces to retrieve'),
		...mappingOutput,
		optionsCollection(),
	],
	async execute(context) {
		const { client, itemIndex } = context;
		const shape = readMappingOutput(context);
		const id = await readGroupId(context);
		const mapping = await getMapping(client, id, { parameter: GROUP, itemIndex });
		return [toItem(context, shape(mapping))];
	},
};
