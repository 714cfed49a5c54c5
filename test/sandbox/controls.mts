import { reachable, memberships } from './access.mts';
import { configure, type Behaviour, type BehaviourChange } from './behaviour.mts';
import type { ClockChange } from './clock.mts';
import { insertEntries, type EntryInput } from './entries.mts';
import type { Fault, Latency } from './faults.mts';
import type { Counters, LoggedRequest } from './requestLog.mts';
import { dump, type Dump } from './dump.mts';
import type { Live, LiveMode } from './live.mts';
import { bulkInsert, type BulkInsert } from './seedLog.mts';
import type { Service } from './service.mts';
import { SCOPES, type ApiKey, type Job, type Role, type Scope, type User } from './types.mts';
import { findUser } from './userResource.mts';
import { randomBytes } from 'node:crypto';

export interface KeyInput {
	/** Default: a random one. */
	key?: string;
	name?: string;
	/** Default: all of them. */
	scopes?: Scope[];
	/** Default: an app of its own. */
	app?: string;
}

export type JobChange = Pick<Job, 'jobId'> &
	Partial<Pick<Job, 'outcome' | 'error' | 'workspaceIds' | 'finishesAt'>>;

export interface Access {
	user: string;
	userName: string;
	active: boolean;
	/** Workspaces the member can open now. */
	workspaces: Array<{
		id: string;
		role: Role | null;
		groups: string[];
		permissions: string[];
		admin: boolean;
	}>;
	/** Former workspaces that wait for an administrator's approval. */
	locked: string[];
	/** Ids of the murals the member owns, and of those among them the member can open now. */
	owned: string[];
	openable: string[];
}

/** What tests and the admin prefix can do to the sandbox. Every control takes at most one JSON value. */
export class Controls {
	private readonly service: Service;
	private readonly people: Live;
	private readonly startAgain: () => void;

	constructor(service: Service, people: Live, startAgain: () => void) {
		this.service = service;
		this.people = people;
		this.startAgain = startAgain;
	}

	/** Sandbox time, milliseconds. */
	now(): number {
		return this.service.clock.now();
	}

	/** @returns the sandbox time after the change. */
	setClock(change: ClockChange): number {
		const now = this.service.clock.set(change);
		this.service.tick();
		return now;
	}

	advance(ms: number): number {
		const now = this.service.clock.advance(ms);
		this.service.tick();
		return now;
	}

	configure(change: BehaviourChange): Behaviour {
		return configure(this.service.behaviour, change);
	}

	/** Replaces all latency rules; the first that matches a request counts. */
	setLatency(latency: Latency | Latency[] | null): void {
		this.service.faults.setLatency(latency === null ? [] : [latency].flat());
	}

	/** @returns the fault's id. */
	fault(fault: Fault): number {
		return this.service.faults.add(fault);
	}

	faults() {
		return this.service.faults.list();
	}

	/** @param id one fault, all when absent. */
	clearFaults(id?: number): void {
		this.service.faults.clear(id);
	}

	/** @returns the ids of the entries. */
	insertEntries(entries: EntryInput[]): string[] {
		return insertEntries(this.service, entries);
	}

	bulkInsert(options: BulkInsert): number {
		return bulkInsert(this.service, options);
	}

	createKey(input: KeyInput = {}): ApiKey {
		const key = input.key ?? randomBytes(24).toString('hex');
		const id = randomBytes(12).toString('hex');
		const { name = 'API key', scopes = [...SCOPES], app = id } = input;
		const created = { id, key, name, app, scopes };
		this.service.state.keys.set(key, created);
		return created;
	}

	revokeKey(key: string): boolean {
		return this.service.state.keys.delete(key);
	}

	/** Changes how a running job will end, or ends it now (`finishesAt`: sandbox time). */
	setJob({ jobId, ...change }: JobChange): void {
		const job = this.service.state.jobs.get(jobId);
		if (!job) throw new RangeError(`No job ${jobId}`);
		Object.assign(job, change);
		this.service.tick();
	}

	/** @param user id or e-mail. @throws {RangeError} when there is none. */
	access(user: string): Access {
		const found = this.user(user);
		const open = reachable(this.service.state, found);
		const owned = [...this.service.state.murals.values()].filter((m) => m.ownerId === found.id);
		return {
			user: found.id,
			userName: found.userName,
			active: found.active,
			workspaces: [...open].map(([id, membership]) => ({ id, ...membership })),
			locked: [...found.locked].filter((id) => memberships(this.service.state, found).has(id)),
			owned: owned.map(({ id }) => id),
			openable: owned.filter(({ workspaceId }) => open.has(workspaceId)).map(({ id }) => id),
		};
	}

	/** A workspace administrator lets an unsuspended member back in: one workspace, all when absent. */
	approve({ user, workspaceId }: { user: string; workspaceId?: string }): void {
		const found = this.user(user);
		const approved = workspaceId === undefined ? [...found.locked] : [workspaceId];
		for (const id of approved) {
			if (found.locked.delete(id)) this.recordUser(found, 'ACCEPT_REACTIVATION_REQUESTS', id);
		}
	}

	/** Direct membership in a workspace; role null ends it. */
	setMembership(input: { workspaceId: string; user: string; role: Role | null }): void {
		const workspace = this.service.state.workspaces.get(input.workspaceId);
		if (!workspace) throw new RangeError(`No workspace ${input.workspaceId}`);
		const user = this.user(input.user);
		if (input.role === null) workspace.members.delete(user.id);
		else workspace.members.set(user.id, input.role);
		this.recordUser(user, input.role ? 'ACCEPT_MEMBERSHIP' : 'LEAVE_WORKSPACE', workspace.id);
	}

	/** People keep working at a rate; null stops them. */
	live(mode: LiveMode | null): void {
		this.people.set(mode);
	}

	/** Ids of the visible entries, oldest first. */
	entryIds(filter: { action?: string } = {}): string[] {
		const rows = this.service.log.all();
		const wanted =
			filter.action === undefined ? rows : rows.filter((row) => row.action === filter.action);
		return wanted.map(({ key }) => key);
	}

	/** Everything in the sandbox but the keys themselves. @param log newest entries to show. */
	dump(options: { log?: number } = {}): Dump {
		return dump(this.service, options.log ?? 100);
	}

	/** Requests to the API part so far, oldest first. */
	requests(): LoggedRequest[] {
		return this.service.requests.list;
	}

	counters(): Counters {
		return this.service.requests.counters();
	}

	clearRequests(): void {
		this.service.requests.clear();
	}

	/** Everything as it was right after the start; requests, faults, latency and switches included. */
	reset(): void {
		this.startAgain();
	}

	private recordUser(user: User, action: string, workspaceId: string): void {
		const company = this.service.state.company.id;
		const affected = { company, id: workspaceId, type: 'WORKSPACE' };
		this.service.record(this.service.userActor(user), action, affected);
	}

	private user(idOrEmail: string): User {
		const user = findUser(this.service.state, idOrEmail);
		if (!user) throw new RangeError(`No user ${idOrEmail}`);
		return user;
	}
}
