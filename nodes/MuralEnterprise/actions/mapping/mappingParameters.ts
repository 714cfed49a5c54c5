import type { INodeProperties } from 'n8n-workflow';

import type { SeveralParameter } from '../../../shared/descriptions';
import { groupLocator, severalProperties, workspaceLocator } from '../../../shared/descriptions';
import { resolveGroupId } from '../../../shared/groups';
import type { Permission } from '../../../shared/mapping';
import { mappingList, normalizePermissions, simplifyMapping } from '../../../shared/mapping';
import { GROUP, readGroupRef, readLocator } from '../locators';
import type { InputContext, OperationContext } from '../operation';
import { badInput, collection, toggle } from '../operation';
import { outputProperties, readOutput } from '../output';
import type { Several } from '../several';
import { readSeveral } from '../several';

/** Parameters that mapping operations share, and how they are read. */

export const groupParameter = (description: string): INodeProperties =>
	groupLocator(description, 'searchMappedGroups');

/** The id of the group in the parameter; a name costs a read of the list, once per run. */
export async function readGroupId(context: OperationContext): Promise<string> {
	const { client, itemIndex } = context;
	const origin = { parameter: GROUP, itemIndex };
	return await resolveGroupId(client, readGroupRef(context), mappingList(itemIndex), origin);
}

export const WORKSPACES: SeveralParameter = {
	source: {
		name: 'workspaceSource',
		displayName: 'Workspaces',
		description: 'How to name the workspaces: pick them one by one, or give their IDs',
	},
	picked: {
		name: 'workspaceList',
		displayName: 'Workspace List',
		placeholder: 'Add Workspace',
		description: 'The workspaces, each picked from the list or named by ID',
		locator: workspaceLocator(
			'workspaceId',
			'A workspace of the company. The list holds those that some group is mapped to; others go by ID.',
		),
	},
	typed: {
		name: 'workspaceIds',
		displayName: 'IDs',
		placeholder: 'e.g. design1234, sales5678',
		description:
			'IDs of workspaces, separated by commas. An expression may also give an array of them.',
	},
};

export const workspaceProperties: INodeProperties[] = severalProperties(WORKSPACES);

export const readWorkspaces = (context: InputContext): Several =>
	readSeveral(
		context,
		WORKSPACES,
		(locator) => readLocator(context, locator, 'Workspace', 'workspace').value,
	);

const PERMISSION_LABELS: Record<Permission, string> = {
	admin: 'Admin',
	createRooms: 'Create Rooms',
	canDiscoverPublicRooms: 'Discover Public Rooms',
	canPublishTemplates: 'Publish Templates',
};

export const permissionsProperty: INodeProperties = {
	displayName: 'Permissions',
	name: 'permissions',
	type: 'collection',
	placeholder: 'Add Permission',
	default: {},
	description:
		'What the members of the group may do in the workspaces. Without any, they may only enter.',
	options: [
		{
			displayName: PERMISSION_LABELS.admin,
			name: 'admin',
			type: 'boolean',
			default: true,
			description:
				'Whether members administer the workspaces, which includes all other permissions',
		},
		{
			displayName: PERMISSION_LABELS.createRooms,
			name: 'createRooms',
			type: 'boolean',
			default: true,
			description: 'Whether members may create rooms',
		},
		{
			displayName: PERMISSION_LABELS.canDiscoverPublicRooms,
			name: 'canDiscoverPublicRooms',
			type: 'boolean',
			default: true,
			description: 'Whether members may find public rooms',
		},
		{
			displayName: PERMISSION_LABELS.canPublishTemplates,
			name: 'canPublishTemplates',
			type: 'boolean',
			default: true,
			description: 'Whether members may publish templates',
		},
	],
};

/**
 * The permissions that are switched on; Admin brings the others along.
 * @throws NodeOperationError when Admin is on and another one explicitly off
 */
export function readPermissions(context: InputContext): Permission[] {
	const fields = collection(context, 'permissions');
	const names = Object.keys(PERMISSION_LABELS) as Permission[];
	const set = names.filter((name) => fields[name] !== undefined && fields[name] !== null);
	const isOn = (name: Permission) => toggle(context, fields[name], PERMISSION_LABELS[name]);
	const [on, off] = [set.filter(isOn), set.filter((name) => !isOn(name))];
	if (on.includes('admin') && off.length > 0) {
		const label = PERMISSION_LABELS[off[0]];
		throw badInput(
			context,
			`'Admin' is on and '${label}' is off, but Admin includes all other permissions`,
			`Remove '${label}' under 'Permissions' (Admin switches it on), or switch 'Admin' off.`,
		);
	}
	return normalizePermissions(on);
}

const DEFAULT_OUTPUT = 'raw';

export const mappingOutput = outputProperties(
	DEFAULT_OUTPUT,
	'The workspaces as a list with one flag a permission, which can be split into items',
	'id, name',
);

/** How one mapping becomes the JSON of an item. */
export const readMappingOutput = (context: InputContext) =>
	readOutput(context, DEFAULT_OUTPUT, simplifyMapping);

/** The same permissions for each of the workspaces. */
export const samePermissions = (
	workspaceIds: string[],
	permissions: Permission[],
): Record<string, Permission[]> =>
	Object.fromEntries(workspaceIds.map((workspaceId) => [workspaceId, permissions]));
