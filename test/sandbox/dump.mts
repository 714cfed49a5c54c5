import { entriesJson } from './entryJson.mts';
import { showGroup } from './groups.mts';
import { showMapping } from './mapping.mts';
import type { Service } from './service.mts';
import type { ApiKey, Job, Mural, Role } from './types.mts';
import { showUser } from './userResource.mts';

export interface Dump {
	/** Changes with everything that changes. */
	version: string;
	/** Sandbox time, ISO. */
	now: string;
	company: string;
	users: Array<ReturnType<typeof showUser> & { locked: string[] }>;
	groups: Array<ReturnType<typeof showGroup>>;
	mappings: Array<ReturnType<typeof showMapping>>;
	workspaces: Array<{ id: string; name: string; members: Record<string, Role> }>;
	murals: Mural[];
	jobs: Array<Omit<Job, 'actor' | 'murals'> & { murals: number }>;
	keys: Array<Omit<ApiKey, 'key'>>;
	log: {
		entries: Array<Record<string, unknown>>;
		total: number;
		/** Entries that appear later. */
		waiting: number;
	};
}

export const versionOf = ({ version, log }: Service) => `${version}.${log.version}.${log.waiting}`;

/** The sandbox as it is: active groups, all jobs, the newest `entries` of the log. */
export function dump(service: Service, entries: number): Dump {
	const { state, log, clock, behaviour } = service;
	const groups = [...state.groups.values()].filter((group) => group.active);
	return {
		version: versionOf(service),
		now: new Date(clock.now()).toISOString(),
		company: state.company.name,
		users: [...state.users.values()].map((user) => ({
			...showUser(user),
			locked: [...user.locked],
		})),
		groups: groups.map(showGroup),
		mappings: groups.map(showMapping),
		workspaces: [...state.workspaces.values()].map(({ id, name, members }) => ({
			id,
			name,
			members: Object.fromEntries(members),
		})),
		murals: [...state.murals.values()],
		jobs: [...state.jobs.values()].map(({ actor: _, murals, ...job }) => ({
			...job,
			murals: murals.length,
		})),
		keys: [...state.keys.values()].map(({ key: _, ...rest }) => rest),
		log: {
			entries: JSON.parse(
				entriesJson(log.newest(entries), behaviour.audit),
			) as Dump['log']['entries'],
			total: log.size,
			waiting: log.waiting,
		},
	};
}
