import type { Dump } from '../sandbox/index.mts';

/** What the node can change in the sandbox, as flat texts that can be compared. */

/** One thing: its fields; none at all when it does not exist. */
export type Fields = Record<string, string>;
export type State = Map<string, Fields>;

/** By e-mail, which no task changes and which a member to be created has already. */
export const userKey = (email: string) => `user ${email}`;
export const groupKey = (id: string) => `group ${id}`;
export const mappingKey = (id: string) => `mapping ${id}`;
export const transfersKey = (fromId: string) => `transfers ${fromId}`;

export const userFields = (givenName: string, familyName: string, active: boolean): Fields => ({
	givenName,
	familyName,
	active: String(active),
});

export const memberFields = (ids: string[]): Fields =>
	Object.fromEntries([...ids].sort().map((id) => [id, 'member']));

export const mappingFields = (workspaces: Record<string, string[]>): Fields =>
	Object.fromEntries(Object.entries(workspaces).map(([id, list]) => [id, `[${list.join()}]`]));

export function stateOf({ users, groups, mappings, jobs }: Dump): State {
	const state: State = new Map();
	for (const { userName, name, active } of users) {
		state.set(userKey(userName), userFields(name.givenName, name.familyName, active));
	}
	for (const { id, members } of groups) {
		state.set(groupKey(id), memberFields(members.map(({ value }) => value)));
	}
	for (const { id, workspaces } of mappings) state.set(mappingKey(id), mappingFields(workspaces));
	for (const { fromUserId, toUserId } of jobs) {
		const started = state.get(transfersKey(fromUserId)) ?? {};
		state.set(transfersKey(fromUserId), withTransfer(started, toUserId));
	}
	return state;
}

/** One more transfer to this member. */
export const withTransfer = (started: Fields, toUserId: string): Fields => ({
	...started,
	[`transfer ${Object.keys(started).length + 1}`]: toUserId,
});

export const isSame = (one: Fields, other: Fields) => text(one) === text(other);

const text = (fields: Fields) =>
	JSON.stringify(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
