// Shapes of the sandbox's state. Times are milliseconds since the epoch, UTC, on the sandbox clock.

export type Role = 'admin' | 'member';

export const PERMISSIONS = [
	'createRooms',
	'canDiscoverPublicRooms',
	'canPublishTemplates',
	'admin',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const SCOPES = ['audit', 'scim', 'mapping', 'manage_content'] as const;
export type Scope = (typeof SCOPES)[number];

export interface User {
	id: string;
	externalId?: string;
	/** E-mail address, always lower case. */
	userName: string;
	givenName: string;
	familyName: string;
	active: boolean;
	userType?: string;
	profileUrl?: string;
	created: number;
	lastModified: number;
	/** Former workspaces whose administrator has not approved the member since the last suspension. */
	locked: Set<string>;
}

export interface Group {
	id: string;
	externalId?: string;
	displayName: string;
	members: Set<string>;
	/** false once deleted: the group is deactivated and can no longer be read. */
	active: boolean;
	/** Mapping: workspace id to permissions. */
	workspaces: Map<string, Permission[]>;
	created: number;
	lastModified: number;
}

export interface Workspace {
	id: string;
	name: string;
	/** Direct members (not those who come through a group). */
	members: Map<string, Role>;
}

export interface Mural {
	id: string;
	title: string;
	workspaceId: string;
	/** null once the owner was erased. */
	ownerId: string | null;
}

export type JobStatus = 'in-progress' | 'finished' | 'failed';

export interface Job {
	jobId: string;
	fromUserId: string;
	toUserId: string;
	status: JobStatus;
	error?: string;
	workspaceIds?: string[];
	startedAt: number;
	finishesAt: number;
	/** What the job will become at `finishesAt`; 'in-progress' never ends. */
	outcome: JobStatus;
	/** Ids of the murals to move and how many have moved so far. */
	murals: string[];
	moved: number;
	/** Who started it. */
	actor: Actor;
}

export interface ApiKey {
	id: string;
	key: string;
	name: string;
	/** Keys of one app share its request rate. */
	app: string;
	scopes: Scope[];
}

export interface Actor {
	company: string;
	email: string | null;
	id: string;
	name: string;
	type: string;
}

export interface Affected {
	company: string;
	id: string;
	type: string;
}

/** One line of the audit log, ordered by (date, key). Actors and affected things are shared objects. */
export interface AuditRow {
	date: number;
	key: string;
	action: string;
	actor: Actor;
	affected: Affected;
	ip: string | null;
	/** Fields sent instead of the true ones, and fields left out (malformed entries). */
	overrides?: Record<string, unknown>;
	omit?: string[];
}

export interface State {
	company: { id: string; name: string; domain: string };
	users: Map<string, User>;
	groups: Map<string, Group>;
	workspaces: Map<string, Workspace>;
	murals: Map<string, Mural>;
	jobs: Map<string, Job>;
	keys: Map<string, ApiKey>;
}
