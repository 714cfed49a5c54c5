import type { Group, Permission, Role, State, User, Workspace } from './types.mts';

export interface Membership {
	/** Direct role, null when only groups lead there. */
	role: Role | null;
	/** Active groups that lead there. */
	groups: string[];
	permissions: Permission[];
	admin: boolean;
}

const activeGroupsOf = (state: State, user: User): Group[] =>
	[...state.groups.values()].filter((group) => group.active && group.members.has(user.id));

/** Every workspace the user belongs to, suspended or not, by workspace id. */
export function memberships(state: State, user: User): Map<string, Membership> {
	const result = new Map<string, Membership>();
	const at = (workspaceId: string): Membership => {
		const known = result.get(workspaceId);
		if (known) return known;
		const fresh: Membership = { role: null, groups: [], permissions: [], admin: false };
		result.set(workspaceId, fresh);
		return fresh;
	};
	for (const workspace of state.workspaces.values()) {
		const role = workspace.members.get(user.id);
		if (role) Object.assign(at(workspace.id), { role, admin: role === 'admin' });
	}
	for (const group of activeGroupsOf(state, user)) {
		for (const [workspaceId, permissions] of group.workspaces) {
			const membership = at(workspaceId);
			membership.groups.push(group.id);
			membership.permissions = [...new Set([...membership.permissions, ...permissions])];
			membership.admin ||= permissions.includes('admin');
		}
	}
	return result;
}

/**
 * The workspaces the user can open now (spec: States, Member and Group): none when suspended; after that not the
 * former ones whose administrator has not approved yet.
 */
export function reachable(state: State, user: User): Map<string, Membership> {
	if (!user.active) return new Map();
	const open = memberships(state, user);
	for (const workspaceId of user.locked) open.delete(workspaceId);
	return open;
}

/** On suspension every workspace the user could open becomes a former one. */
export function lockWorkspaces(state: State, user: User): void {
	for (const workspaceId of reachable(state, user).keys()) user.locked.add(workspaceId);
}

function* adminsOf(state: State, workspace: Workspace): Generator<User> {
	const ids = [...workspace.members].filter(([, role]) => role === 'admin').map(([id]) => id);
	for (const group of state.groups.values()) {
		if (group.active && group.workspaces.get(workspace.id)?.includes('admin')) {
			ids.push(...group.members);
		}
	}
	for (const id of ids) {
		const user = state.users.get(id);
		if (user?.active && !user.locked.has(workspace.id)) yield user;
	}
}

/** Workspaces that would be left without an administrator who can act. */
export function soleAdminOf(state: State, user: User): Workspace[] {
	return [...state.workspaces.values()].filter((workspace) => {
		const admins = new Set(adminsOf(state, workspace));
		return admins.size === 1 && admins.has(user);
	});
}
