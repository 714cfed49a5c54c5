import type { BadInput } from './rows.mts';
import { locator, notBoolean } from './rows.mts';

const LIST = 'workspaceList.entries.workspaceId';
const typed = { workspaceSource: 'text' };
const some = { workspaceSource: 'text', workspaceIds: 'design1234' };
const each = { workspaceSource: 'object' };
const permissions = ['admin', 'createRooms', 'canDiscoverPublicRooms', 'canPublishTemplates'];

export const mapping: BadInput[] = [
	...locator('groupId'),
	{
		at: 'workspaceSource',
		only: ['addWorkspaces', 'removeWorkspaces'],
		bad: 'table',
		message: "'…' is not one of: list, text",
	},
	{
		at: 'workspaceSource',
		only: ['setWorkspaces'],
		bad: 'table',
		message: "'…' is not one of: list, text, object",
	},
	...locator(LIST, { given: { workspaceSource: 'list' }, good: 'design1234' }),
	{
		at: 'workspaceIds',
		given: typed,
		good: 'design1234',
		bad: [{ name: 'Design' }],
		message: "Entry 1 of '…' is empty",
	},
	{
		at: 'workspaceIds',
		given: typed,
		good: 'design1234',
		bad: [],
		message: "'…' names no workspace",
	},
	...permissions.map((name) => notBoolean(`permissions.${name}`, { given: some })),
	{
		at: 'permissions.createRooms',
		given: { ...some, permissions: { admin: true } },
		good: true,
		bad: false,
		message: "'Admin' is on and '…' is off",
	},
	...['[1', '"text"', [], 5].map((bad) => ({
		at: 'workspacePermissions',
		given: each,
		bad,
		message: "'…' is not an object of permissions by workspace ID",
	})),
	{
		at: 'workspacePermissions',
		given: each,
		bad: { design1234: ['fly'] },
		message: "'…' holds something else than permissions for the workspace 'design1234'",
	},
	{
		at: 'workspacePermissions',
		given: each,
		bad: {},
		message: "'…' names no workspace, which would close all of them",
	},
	notBoolean('dryRun'),
	notBoolean('allowNone'),
];
