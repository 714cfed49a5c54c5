import { DAY } from './auditStore.mts';
import { DEPARTMENTS, FAMILY_NAMES, GIVEN_NAMES, MURAL_TITLES, REGIONS } from './names.mts';
import { Random } from './random.mts';
import { PERMISSIONS, type Permission, type State, type User, type Workspace } from './types.mts';
import { deaccent } from './userResource.mts';

export interface Sizes {
	users: number;
	groups: number;
	workspaces: number;
	/** Audit entries of the last 30 days. */
	entries: number;
}

/** More groups than a page holds. */
export const DEFAULT_SIZES: Sizes = { users: 350, groups: 130, workspaces: 25, entries: 6000 };

const DOMAIN = 'aurelia.example';
/** The first members administer the company and belong to every workspace. */
const COMPANY_ADMINS = 3;

function makeUser(random: Random, index: number, now: number): User {
	const given = random.pick(GIVEN_NAMES);
	const family = random.pick(FAMILY_NAMES);
	const address = deaccent(`${given}.${family}`)
		.toLowerCase()
		.replace(/ı/g, 'i')
		.replace(/[^a-z.]/g, '');
	// Names may come back de-accented (field notes).
	const shown = random.chance(0.4) ? deaccent : (text: string) => text;
	const created = now - random.int(40, 900) * DAY - random.int(0, DAY);
	return {
		id: random.uuid(),
		...(!random.chance(0.1) && { externalId: `00u${random.hex(17)}` }),
		userName: `${address}${index}@${DOMAIN}`,
		givenName: shown(given),
		familyName: shown(family),
		active: index < COMPANY_ADMINS || !random.chance(0.08),
		...(random.chance(0.8) && { userType: random.chance(0.85) ? 'Employee' : 'Contractor' }),
		...(random.chance(0.5) && { profileUrl: `https://avatars.${DOMAIN}/${random.hex(16)}.png` }),
		created,
		lastModified: created + random.int(0, 30 * DAY),
		locked: new Set(),
	};
}

function makeWorkspace(random: Random, index: number, users: User[]): Workspace {
	const department = DEPARTMENTS[index % DEPARTMENTS.length];
	const round = Math.floor(index / DEPARTMENTS.length);
	const name = round === 0 ? department : `${department} ${round + 1}`;
	const slug = name.toLowerCase().replace(/[^a-z0-9]/g, '');
	const members: Workspace['members'] = new Map();
	for (const user of users.slice(0, COMPANY_ADMINS)) members.set(user.id, 'member');
	const staff = users.slice(COMPANY_ADMINS);
	for (const user of random.sample(staff, random.int(8, 40))) members.set(user.id, 'member');
	const active = staff.filter((user) => user.active && members.has(user.id));
	for (const user of active.slice(0, random.int(1, 3))) members.set(user.id, 'admin');
	return { id: `${slug}${random.int(1000, 9999)}`, name, members };
}

function somePermissions(random: Random): Permission[] {
	if (random.chance(0.05)) return [...PERMISSIONS];
	return PERMISSIONS.filter((name) => name !== 'admin' && random.chance(0.4));
}

function addGroups(random: Random, state: State, count: number, now: number): void {
	const userIds = [...state.users.keys()];
	const workspaceIds = [...state.workspaces.keys()];
	for (let i = 0; i < count; i++) {
		const department = DEPARTMENTS[i % DEPARTMENTS.length];
		const row = Math.floor(i / DEPARTMENTS.length);
		const round = Math.floor(row / REGIONS.length);
		const displayName = `${department} ${REGIONS[row % REGIONS.length]}${round ? ` ${round + 1}` : ''}`;
		const size = random.chance(0.05) ? 0 : random.chance(0.02) ? 120 : random.int(3, 25);
		const mapped = random.sample(workspaceIds, random.int(0, 3));
		const created = now - random.int(31, 700) * DAY;
		const id = random.uuid();
		state.groups.set(id, {
			id,
			...(!random.chance(0.1) && { externalId: `00g${random.hex(17)}` }),
			displayName,
			members: new Set(random.sample(userIds, size)),
			active: true,
			workspaces: new Map(mapped.map((workspaceId) => [workspaceId, somePermissions(random)])),
			created,
			lastModified: created + random.int(0, 30 * DAY),
		});
	}
}

function addMurals(random: Random, state: State): void {
	for (const workspace of state.workspaces.values()) {
		for (const ownerId of workspace.members.keys()) {
			for (let left = random.int(0, 6); left > 0; left--) {
				const id = `${workspace.id}.${random.hex(13)}`;
				const title = `${random.pick(MURAL_TITLES)} ${random.int(1, 99)}`;
				state.murals.set(id, { id, title, workspaceId: workspace.id, ownerId });
			}
		}
	}
}

/** A company that is the same for the same seed, sizes and moment. It has no API key yet. */
export function seedState(seed: number, sizes: Sizes, now: number): State {
	const random = new Random(seed);
	const users = Array.from({ length: sizes.users }, (_, i) => makeUser(random, i, now));
	const workspaces = Array.from({ length: sizes.workspaces }, (_, i) =>
		makeWorkspace(random, i, users),
	);
	const state: State = {
		company: { id: 'aurelia', name: 'Aurelia', domain: DOMAIN },
		users: new Map(users.map((user) => [user.id, user])),
		groups: new Map(),
		workspaces: new Map(workspaces.map((workspace) => [workspace.id, workspace])),
		murals: new Map(),
		jobs: new Map(),
		keys: new Map(),
	};
	if (users.length > 0) addGroups(random, state, sizes.groups, now);
	addMurals(random, state);
	// Workspaces of suspended members wait for an approval once they are unsuspended.
	for (const user of users.filter(({ active }) => !active)) {
		for (const workspace of workspaces) {
			if (workspace.members.has(user.id)) user.locked.add(workspace.id);
		}
	}
	return state;
}
