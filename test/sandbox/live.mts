import { castOf, drawActivity, type Activity } from './activity.mts';
import { newEntryId } from './auditStore.mts';
import { MURAL_TITLES } from './names.mts';
import { Random } from './random.mts';
import type { Service } from './service.mts';

export interface LiveMode {
	/** Entries per minute of the sandbox clock. */
	perMinute: number;
	/** Share of the entries that appear late, and the longest delay in milliseconds. */
	lateShare?: number;
	lateMs?: number;
}

/** A jump of the clock does not have to be filled with more entries than this. */
const MOST_AT_ONCE = 20_000;

/** People at work: they sign in (or fail to), draw murals, come and go; their entries appear at a steady rate. */
export class Live {
	private readonly service: Service;
	private readonly random: Random;
	private readonly ips = new Map<string, string>();
	private mode: LiveMode | null = null;
	private last = 0;
	private owed = 0;

	constructor(service: Service, seed: number) {
		this.service = service;
		this.random = new Random(seed + 3);
		service.due.push((now) => this.run(now));
	}

	/** @param mode null: everybody rests. */
	set(mode: LiveMode | null): void {
		this.mode = mode;
		this.last = this.service.clock.now();
		this.owed = 0;
	}

	get(): LiveMode | null {
		return this.mode;
	}

	private run(now: number): void {
		if (!this.mode) return;
		const passed = now - this.last;
		// The clock was set back.
		if (passed < 0) this.last = now;
		if (passed <= 0) return;
		this.owed = Math.min(MOST_AT_ONCE, this.owed + (passed / 60_000) * this.mode.perMinute);
		const count = Math.floor(this.owed);
		this.owed -= count;
		const cast = count > 0 ? { ...castOf(this.service.state), ips: this.ips } : undefined;
		for (let i = 0; i < count; i++) {
			const activity = drawActivity(this.random, cast!);
			if (activity) this.happen(activity, this.last + Math.ceil((passed * (i + 1)) / count));
		}
		this.last = now;
	}

	private happen(drawn: Activity, date: number): void {
		const { service, random } = this;
		const { lateShare = 0, lateMs = 0 } = this.mode!;
		const { action, user, affected, ip } = this.takeEffect(drawn);
		const actor = service.userActor(user);
		const row = { date, key: newEntryId(), action, actor, affected, ip };
		const late = random.chance(lateShare) ? Math.ceil(random.next() * lateMs) : 0;
		service.log.insert(row, late > 0 ? date + late : undefined);
		service.version++;
	}

	/** @returns the activity as it really happened: a mural that was drawn has an id of its own. */
	private takeEffect(activity: Activity): Activity {
		const { state } = this.service;
		const { action, user, affected } = activity;
		const workspace = state.workspaces.get(affected.id);
		switch (action) {
			case 'CREATE_MURAL': {
				const home = state.murals.get(affected.id)?.workspaceId;
				if (home === undefined) return activity;
				const id = `${home}.${newEntryId().slice(0, 13)}`;
				const title = `${this.random.pick(MURAL_TITLES)} ${this.random.int(1, 99)}`;
				state.murals.set(id, { id, title, workspaceId: home, ownerId: user.id });
				return { ...activity, affected: { ...affected, id } };
			}
			case 'ACCEPT_MEMBERSHIP':
				if (workspace && !workspace.members.has(user.id)) workspace.members.set(user.id, 'member');
				return activity;
			case 'LEAVE_WORKSPACE':
				if (workspace?.members.get(user.id) === 'member') workspace.members.delete(user.id);
				return activity;
			case 'RENAME_MURAL': {
				const mural = state.murals.get(affected.id);
				if (mural) mural.title = `${this.random.pick(MURAL_TITLES)} ${this.random.int(1, 99)}`;
				return activity;
			}
			case 'ACCEPT_REACTIVATION_REQUESTS':
				for (const each of state.users.values()) if (each.active) each.locked.delete(affected.id);
				return activity;
			default:
				return activity;
		}
	}
}
