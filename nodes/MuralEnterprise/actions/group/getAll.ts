import type { INodeExecutionData } from 'n8n-workflow';

import { optionsCollection, returnAllOrLimit } from '../../../shared/descriptions';
import { groupList, normalizeGroup } from '../../../shared/groups';
import { readListPages } from '../../../shared/scimList';
import type { Operation } from '../operation';
import { outputLimit, readConcurrency, toItem } from '../operation';
import { groupOutput, readGroupOutput } from './groupParameters';

/** Spec: SCIM groups, GET /scim/Groups (which has no filter). */
export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many groups',
		description: 'List groups with their members',
	},
	properties: [...returnAllOrLimit, ...groupOutput, optionsCollection()],
	async execute(context) {
		const { client, itemIndex } = context;
		const limit = outputLimit(context);
		const shape = readGroupOutput(context);
		const paging = { limit, sideBySide: readConcurrency(context) };
		const items: INodeExecutionData[] = [];
		for await (const page of readListPages(client, groupList(itemIndex), paging)) {
			for (const resource of page) {
				items.push(toItem(context, shape(normalizeGroup(resource))));
				if (items.length >= limit) return items;
			}
		}
		return items;
	},
};
