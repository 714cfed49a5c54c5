import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Dump } from '../sandbox/index.mts';
import type { Random } from '../sandbox/random.mts';
import { PERMISSIONS } from '../sandbox/types.mts';
import type { Fields, State } from './state.mts';
import {
	groupKey,
	mappingFields,
	mappingKey,
	memberFields,
	transfersKey,
	userFields,
	userKey,
	withTransfer,
} from './state.mts';

/** What a minute's workflows change. No two tasks of a minute touch the same thing. */

/** One input item. */
export interface Task {
	json: IDataObject;
	/** The thing it changes, and what that is to be. */
	key: string;
	wanted: Fields;
}

/** One run of the node. */
export interface Batch {
	parameters: INodeParameters & { resource: string; operation: string };
	tasks: Task[];
}

const by = (mode: 'email' | 'id', value: string) => ({ __rl: true, mode, value });
const USER_BY_EMAIL = { userId: by('email', '={{ $json.email }}') };
const USER_BY_ID = { userId: by('id', '={{ $json.id }}') };
const GROUP_BY_ID = { groupId: by('id', '={{ $json.id }}') };
const MEMBERS = { memberSource: 'text', memberIds: '={{ $json.members }}' };
const FROM_AND_TO = {
	fromUser: by('email', '={{ $json.from }}'),
	toUser: by('email', '={{ $json.to }}'),
};
const GIVE_AND_WAIT = { ...FROM_AND_TO, options: { waitMinutes: 3 } };

/** Members made here; only they are erased, and nothing else is done to them in that minute. */
const isOurs = ({ userName }: User) => userName.startsWith('soak-');

type User = Dump['users'][number];
type Group = Dump['groups'][number];

export function planMinute(random: Random, minute: number, dump: Dump, state: State): Batch[] {
	const [receiver] = dump.users;
	// The first three administer the company.
	const staff = random.sample(
		dump.users.slice(3).filter((user) => !isOurs(user)),
		Infinity,
	);
	const take = (count: number, isFit: (user: User) => boolean = () => true) => {
		const taken = staff.filter(isFit).slice(0, count);
		for (const user of taken) staff.splice(staff.indexOf(user), 1);
		return taken;
	};
	const suspended = take(random.int(3, 6), ({ active }) => !active);
	const active = take(random.int(3, 6), (user) => user.active);
	const [groups, mapped] = [random.sample(dump.groups, 6), random.sample(dump.groups, 4)];
	const givers = take(5);

	return [
		batch('user', 'create', NEW_USER, newUsers(random, minute)),
		batch('user', 'suspend', USER_BY_EMAIL, active.map(setActive(false))),
		batch('user', 'unsuspend', USER_BY_ID, suspended.map(setActive(true))),
		batch('user', 'update', RENAME, take(5).map(rename(random))),
		batch('user', 'delete', USER_BY_ID, dump.users.filter(isOurs).slice(0, 4).map(erase)),
		batch('group', 'addMembers', MEMBERS_OF_GROUP, groups.slice(0, 3).map(add(random, dump))),
		batch('group', 'removeMembers', MEMBERS_OF_GROUP, groups.slice(3).flatMap(remove(random))),
		batch('mapping', 'setWorkspaces', MAPPING, mapped.map(map(random, dump))),
		batch('transfer', 'startAndWait', GIVE_AND_WAIT, givers.slice(0, 3).map(give(receiver, state))),
		batch('transfer', 'start', FROM_AND_TO, givers.slice(3).map(give(receiver, state))),
	].filter(({ tasks }) => tasks.length > 0);
}

function batch(resource: string, operation: string, own: INodeParameters, tasks: Task[]): Batch {
	return { parameters: { resource, operation, ...own }, tasks };
}

const NEW_USER = {
	email: '={{ $json.email }}',
	givenName: '={{ $json.givenName }}',
	familyName: '={{ $json.familyName }}',
};

const newUsers = (random: Random, minute: number): Task[] =>
	Array.from({ length: random.int(2, 5) }, (_, n) => {
		const email = `soak-${minute}-${n}@example.com`;
		const json = { email, givenName: `Given ${n}`, familyName: `Minute ${minute}` };
		const wanted = userFields(json.givenName, json.familyName, true);
		return { json, key: userKey(email), wanted };
	});

const setActive = (active: boolean) => (user: User) => ({
	json: { email: user.userName, id: user.id },
	key: userKey(user.userName),
	wanted: userFields(user.name.givenName, user.name.familyName, active),
});

const RENAME = { ...USER_BY_EMAIL, updateFields: { givenName: '={{ $json.givenName }}' } };

const rename = (random: Random) => (user: User) => {
	const givenName = `Renamed ${random.hex(6)}`;
	return {
		json: { email: user.userName, givenName },
		key: userKey(user.userName),
		wanted: userFields(givenName, user.name.familyName, user.active),
	};
};

const erase = ({ id, userName }: User) => ({ json: { id }, key: userKey(userName), wanted: {} });

const MEMBERS_OF_GROUP = { ...GROUP_BY_ID, ...MEMBERS };

const add = (random: Random, dump: Dump) => (group: Group) => {
	const members = group.members.map(({ value }) => value);
	const others = dump.users.filter((user) => !isOurs(user) && !members.includes(user.id));
	const added = random.sample(others, random.int(1, 4));
	return {
		json: { id: group.id, members: added.map(({ userName }) => userName) },
		key: groupKey(group.id),
		wanted: memberFields([...members, ...added.map(({ id }) => id)]),
	};
};

const remove =
	(random: Random) =>
	(group: Group): Task[] => {
		const members = group.members.map(({ value }) => value);
		if (members.length === 0) return [];
		const removed = random.sample(members, random.int(1, 3));
		const wanted = memberFields(members.filter((id) => !removed.includes(id)));
		return [{ json: { id: group.id, members: removed }, key: groupKey(group.id), wanted }];
	};

const MAPPING = {
	...GROUP_BY_ID,
	workspaceSource: 'object',
	workspacePermissions: '={{ $json.workspaces }}',
};

const map = (random: Random, { workspaces }: Dump) => {
	const ids = workspaces.map(({ id }) => id);
	const permissions = () =>
		random.chance(0.1)
			? [...PERMISSIONS]
			: PERMISSIONS.slice(0, 3).filter(() => random.chance(0.5));
	return ({ id }: Group) => {
		const chosen = random.sample(ids, random.int(1, 4)).map((name) => [name, permissions()]);
		const wanted = Object.fromEntries(chosen) as Record<string, string[]>;
		return { json: { id, workspaces: wanted }, key: mappingKey(id), wanted: mappingFields(wanted) };
	};
};

const give = (receiver: User, state: State) => (giver: User) => ({
	json: { from: giver.userName, to: receiver.userName },
	key: transfersKey(giver.id),
	wanted: withTransfer(state.get(transfersKey(giver.id)) ?? {}, receiver.id),
});
