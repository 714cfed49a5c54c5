import type { Random } from './random.mts';
import type { Affected, State, User } from './types.mts';

/** Something a person did, as the audit log tells it. */
export interface Activity {
	action: string;
	user: User;
	affected: Affected;
	ip: string;
}

type Target = 'MURAL' | 'WORKSPACE' | 'USER' | 'COMPANY' | 'ROOM' | 'TEMPLATE';

/** How often each action happens, against the others. */
const WEIGHTS: ReadonlyArray<[action: string, weight: number, target: Target]> = [
	['CREATE_MURAL', 320, 'MURAL'],
	['RENAME_MURAL', 170, 'MURAL'],
	['ACCEPT_MEMBERSHIP', 90, 'WORKSPACE'],
	['SIGN_IN_FAILURE', 80, 'USER'],
	['ACCESS_DENIED', 60, 'ROOM'],
	['ACCEPT_TERMS_AND_CONDITIONS', 45, 'USER'],
	['LEAVE_WORKSPACE', 35, 'WORKSPACE'],
	['ABORT_VOTING_SESSION', 30, 'MURAL'],
	['ACCESS_REPORTS_USERS', 20, 'COMPANY'],
	['ACCESS_REPORTS_MURALS', 15, 'COMPANY'],
	['ACCESS_REPORTS_WORKSPACES', 15, 'COMPANY'],
	['ACCESS_REPORTS_TEMPLATES', 10, 'COMPANY'],
	['ACCESS_AUDIT_LOG', 15, 'COMPANY'],
	['ACCEPT_REACTIVATION_REQUESTS', 12, 'WORKSPACE'],
	['UPDATE_COMPANY_SSO', 3, 'COMPANY'],
	['ACTIVATE_CONTENT_KEY', 2, 'COMPANY'],
	['ACTIVATE_DATA_KEY', 2, 'COMPANY'],
];
const TOTAL = WEIGHTS.reduce((sum, [, weight]) => sum + weight, 0);

function pickAction(random: Random) {
	let left = random.next() * TOTAL;
	return WEIGHTS.find(([, weight]) => (left -= weight) < 0) ?? WEIGHTS[0];
}

/** What activities are drawn from, listed once for many draws. */
export interface Cast {
	company: string;
	users: User[];
	muralIds: string[];
	workspaceIds: string[];
	ips: Map<string, string>;
}

export const castOf = (state: State): Cast => ({
	company: state.company.id,
	users: [...state.users.values()].filter((user) => user.active),
	muralIds: [...state.murals.keys()],
	workspaceIds: [...state.workspaces.keys()],
	ips: new Map(),
});

function ipOf(random: Random, cast: Cast, user: User): string {
	let ip = cast.ips.get(user.id);
	if (!ip) {
		ip = `203.0.113.${random.int(1, 254)}`;
		cast.ips.set(user.id, ip);
	}
	return ip;
}

/** One thing that people do; `undefined` when the company is empty. */
export function drawActivity(random: Random, cast: Cast): Activity | undefined {
	if (cast.users.length === 0) return undefined;
	const [action, , type] = pickAction(random);
	const user = random.pick(cast.users);
	const ids: Record<Target, string | undefined> = {
		MURAL: cast.muralIds.length ? random.pick(cast.muralIds) : undefined,
		WORKSPACE: cast.workspaceIds.length ? random.pick(cast.workspaceIds) : undefined,
		USER: user.id,
		COMPANY: cast.company,
		ROOM: random.hex(12),
		TEMPLATE: random.hex(12),
	};
	const id = ids[type];
	const affected = id
		? { company: cast.company, id, type }
		: { company: cast.company, id: cast.company, type: 'COMPANY' };
	// A stranger's guesses come from elsewhere.
	const ip =
		action === 'SIGN_IN_FAILURE' && random.chance(0.3)
			? `198.51.100.${random.int(1, 254)}`
			: ipOf(random, cast, user);
	return { action, user, affected, ip };
}
