import type { Sandbox } from '../../sandbox/index.mts';
import type { BadInput } from './rows.mts';
import { locator, notBoolean, optionalText, somebody, text } from './rows.mts';

const LIST = 'memberList.entries.userId';
const typed = { memberSource: 'text' };
const picked = { memberSource: 'list' };
const needMembers = ['addMembers', 'removeMembers'];

export const group: BadInput[] = [
	...locator('groupId'),
	{
		at: 'groupId',
		mode: 'name',
		good: ({ state }: Sandbox) => [...state.groups.values()][0].displayName,
		bad: ' ',
		message: "'…' is empty",
	},
	...text('displayName'),
	{ at: 'memberSource', bad: 'table', message: "'…' is not one of: list, text" },
	...locator(LIST, { given: picked, good: ({ state }: Sandbox) => [...state.users.keys()][5] }),
	{
		at: LIST,
		given: picked,
		mode: 'email',
		good: somebody,
		bad: 'nobody',
		message: "'…' is not an e-mail address: 'nobody'",
	},
	{
		at: 'memberIds',
		given: typed,
		good: somebody,
		bad: 'ann@',
		message: "'…' is not an e-mail address: 'ann@'",
	},
	{
		at: 'memberIds',
		given: typed,
		good: somebody,
		bad: ['nobody', { name: 'Ann' }],
		message: "Entry 2 of '…' is empty",
	},
	{
		at: 'memberIds',
		only: needMembers,
		given: typed,
		good: somebody,
		bad: [],
		message: "'…' names no member",
	},
	notBoolean('allowEmptying'),
	...optionalText('additionalFields.externalId', 'bad-input-1'),
	{
		at: 'options.membersNotFound',
		bad: 'ignore',
		good: 'skip',
		message: "'…' is neither 'fail' nor 'skip'",
	},
];
