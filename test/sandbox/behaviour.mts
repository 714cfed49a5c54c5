import type { JobStatus } from './types.mts';

/** How the last page of the audit log tells that it is the last. */
export type EndOfPaging = 'emptyPage' | 'noToken' | 'nullToken' | 'emptyToken' | 'repeatedToken';

/** What the spec leaves open, switchable by tests. `DEFAULTS` is the sandbox's reading of the spec. */
export interface Behaviour {
	audit: {
		endOfPaging: EndOfPaging;
		/** Milliseconds a token lives; null: for ever. */
		tokenTtlMs: number | null;
		/** Share (0 to 1) of the pages that hold fewer entries than asked for although more follow. */
		shortPages: number;
		/** 'space': 2022-02-01 22:19:42.841, 'iso': 2022-02-01T22:19:42.841Z. */
		dateStyle: 'space' | 'iso';
		/** snapshotDate, origin, destination and nulls, as newer responses carry them. */
		extraFields: boolean;
		/** Calls allowed per UTC day of the sandbox clock; excess gets 429. null: no limit. */
		callsPerDay: number | null;
	};
	scim: {
		/** Most resources on a page of users, groups or mappings. */
		maxCount: number;
		/** Key of the e-mail array in the answer to a suspend request. */
		suspendAnswer: 'email' | 'emails';
		/** Store names without accents. */
		deaccentNames: boolean;
		/** false: declared in ServiceProviderConfigs, and PATCH answers 501. */
		patchSupported: boolean;
		/** false: declared in ServiceProviderConfigs, and a filter answers 400. */
		filterSupported: boolean;
		/** What a group PATCH remove with an empty list does. */
		removeEmptyList: 'nothing' | 'everyone';
	};
	mapping: {
		/** false: every mapping endpoint answers 403. */
		enabled: boolean;
	};
	transfer: {
		/** Length of a job on the sandbox clock, in milliseconds. */
		durationMs: number;
		/** Outcome of jobs started from now on; 'in-progress' never ends. */
		outcome: JobStatus;
		/** Error and workspaceIds of jobs whose outcome is set to failed. */
		error: string;
		workspaceIds: string[] | null;
		/** Requests per window and app, over both endpoints, in real time. */
		limit: number;
		windowMs: number;
		window: 'sliding' | 'fixed';
		/** Retry-After header of a 429. */
		retryAfter: 'none' | 'seconds' | 'date';
	};
}

export const DEFAULTS: Behaviour = {
	audit: {
		endOfPaging: 'emptyPage',
		tokenTtlMs: null,
		shortPages: 0,
		dateStyle: 'space',
		extraFields: false,
		callsPerDay: null,
	},
	scim: {
		maxCount: 100,
		suspendAnswer: 'email',
		deaccentNames: false,
		patchSupported: true,
		filterSupported: true,
		removeEmptyList: 'nothing',
	},
	mapping: { enabled: true },
	transfer: {
		durationMs: 3000,
		outcome: 'finished',
		error: 'TRANSFER_FAILED',
		workspaceIds: null,
		limit: 25,
		windowMs: 1000,
		window: 'sliding',
		retryAfter: 'none',
	},
};

export type BehaviourChange = { [Part in keyof Behaviour]?: Partial<Behaviour[Part]> };

/** Changes `behaviour` in place. @throws {RangeError} on a name that does not exist (a typo in a test). */
export function configure(behaviour: Behaviour, change: BehaviourChange): Behaviour {
	const target = behaviour as unknown as Record<string, Record<string, unknown>>;
	for (const [part, values] of Object.entries(change)) {
		if (!Object.hasOwn(target, part)) throw new RangeError(`No behaviour "${part}"`);
		for (const [name, value] of Object.entries(values ?? {})) {
			if (!Object.hasOwn(target[part], name))
				throw new RangeError(`No behaviour "${part}.${name}"`);
			target[part][name] = value;
		}
	}
	return behaviour;
}
