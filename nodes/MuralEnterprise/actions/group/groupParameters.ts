import type { INodeProperties } from 'n8n-workflow';

import { groupLocator } from '../../../shared/descriptions';
import { groupList, resolveGroupId, simplifyGroup } from '../../../shared/groups';
import { GROUP, readGroupRef } from '../locators';
import type { InputContext, OperationContext } from '../operation';
import { outputProperties, readOutput } from '../output';

/** Parameters that group operations share, and how they are read. */

export const groupParameter = (description: string): INodeProperties =>
	groupLocator(description, 'searchGroups');

/** The id of the group in the parameter; a name costs a read of the list, once per run. */
export async function readGroupId(context: OperationContext): Promise<string> {
	const { client, itemIndex } = context;
	const origin = { parameter: GROUP, itemIndex };
	return await resolveGroupId(client, readGroupRef(context), groupList(itemIndex), origin);
}

export const displayNameProperty: INodeProperties = {
	displayName: 'Display Name',
	name: 'displayName',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. Design EMEA',
	description: 'Name of the group. No two groups share one.',
};

const DEFAULT_OUTPUT = 'raw';

export const groupOutput = outputProperties(
	DEFAULT_OUTPUT,
	'Seven flat fields a group',
	'id, displayName, members',
);

/** How one group becomes the JSON of an item. */
export const readGroupOutput = (context: InputContext) =>
	readOutput(context, DEFAULT_OUTPUT, simplifyGroup);
