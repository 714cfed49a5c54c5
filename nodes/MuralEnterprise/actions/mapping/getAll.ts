import type { INodeExecutionData } from 'n8n-workflow';

import { optionsCollection, returnAllOrLimit } from '../../../shared/descriptions';
import { mappingList, normalizeMapping } from '../../../shared/mapping';
import { readListPages } from '../../../shared/scimList';
import type { Operation } from '../operation';
import { outputLimit, readConcurrency, toItem } from '../operation';
import { mappingOutput, readMappingOutput } from './mappingParameters';

/** Spec: Group workspace mapping, GET /mapping/groups. */
export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many group mappings',
		description: 'List groups with the workspaces they open',
	},
	properties: [...returnAllOrLimit, ...mappingOutput, optionsCollection()],
	async execute(context) {
		const { client, itemIndex } = context;
		const limit = outputLimit(context);
		const shape = readMappingOutput(context);
		const paging = { limit, sideBySide: readConcurrency(context) };
		const items: INodeExecutionData[] = [];
		for await (const page of readListPages(client, mappingList(itemIndex), paging)) {
			for (const resource of page) {
				items.push(toItem(context, shape(normalizeMapping(resource))));
				if (items.length >= limit) return items;
			}
		}
		return items;
	},
};
