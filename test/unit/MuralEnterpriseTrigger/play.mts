import type { AuditLogEntry } from '../../../nodes/shared/auditLog';
import { poll } from '../../../nodes/MuralEnterpriseTrigger/cursor';
import type { PollOptions } from '../../../nodes/MuralEnterpriseTrigger/pollTypes';
import type { CursorState } from '../../../nodes/MuralEnterpriseTrigger/state';
import type { LoggedEntry } from './model.mts';
import { ModelService } from './model.mts';
import type { Arrival, Schedule } from './schedule.mts';

const START = Date.UTC(2026, 2, 1, 12, 0, 0, 250);
const HOUR = 3600_000;
const RECORD_CHARACTERS = 16;
const FIXED_CHARACTERS = 700;
/** Polls until everything has been emitted, beside one an entry. */
const MOST_POLLS = 100;

const END = { delay: 0, kind: 'onTime', share: 0, millisecond: 0, hasId: true } as const;

export class Violation extends Error {}

function demand(truth: boolean, what: string): asserts truth {
	if (!truth) throw new Violation(what);
}

/** Plays a schedule against the cursor and demands what the trigger promises; throws a Violation otherwise. */
export class Play {
	private readonly service: ModelService;

	/** As the host holds it, and as it last saved it: JSON. */
	private live = 'null';

	private saved = 'null';

	private floor = 0;

	/** What the log holds at activation; those among them without a date may be emitted or not. */
	private activated = 0;

	private readonly emitted = new Map<string, number>();

	private lastAppears = 0;

	private serial = 0;

	requests: number[] = [];

	/** Whether the latest poll could not go on because its memory was full. */
	private held = false;

	constructor(private readonly schedule: Schedule) {
		this.service = new ModelService(START, schedule.style);
	}

	async run(): Promise<void> {
		const { schedule, service } = this;
		for (const arrival of schedule.before) this.arrive({ ...arrival, delay: 0 });
		await this.activate();
		for (const step of schedule.steps) {
			if (step.do === 'arrive') this.arrive(step.arrival);
			else if (step.do === 'wait') service.now += step.ms;
			else if (step.do === 'restart') this.live = this.saved;
			else await this.poll(step.budget, step.failIn);
		}
		await this.drain();
		await this.quietPoll();
	}

	private async activate(): Promise<void> {
		this.activated = this.service.now;
		await this.poll(5 * 60_000);
		this.saved = this.live;
		const { floor } = JSON.parse(this.live) as CursorState;
		const from = this.activated - this.schedule.lookBack;
		// The service's clock is known to a second, and the first request takes its time.
		demand(floor >= from - 1000 && floor <= from + 4000, `starts at ${floor} instead of ${from}`);
		this.floor = floor;
	}

	private options(budget: number): PollOptions {
		const { schedule } = this;
		return {
			fingerprint: 'f',
			lookBack: schedule.lookBack,
			lateWindow: schedule.lateWindow,
			reReadEvery: schedule.reReadEvery,
			maxEntries: schedule.maxEntries,
			maxRemembered: this.memory(),
			deadline: this.service.now + schedule.style.localSkew + budget,
			matches: ({ action }) => schedule.filter !== 'local' || action === 'A',
		};
	}

	/**
	 * What has to be remembered at the same time: entries without a usable date, those of the boundary's second, those
	 * of the smallest slice, and those that were ahead of the service's clock, of which only whole seconds are known.
	 */
	private memory(): number {
		const { spareMemory } = this.schedule;
		if (spareMemory === undefined) return 10_000;
		return this.odd().length + 3 * this.densest(3000) + spareMemory;
	}

	private odd(): LoggedEntry[] {
		return this.service.log.filter(
			({ millis, appears }) => millis === undefined || millis > appears,
		);
	}

	/** The most entries that any stretch of the log holds. */
	private densest(length: number): number {
		const dates = this.service.log.flatMap(({ millis }) => (millis === undefined ? [] : [millis]));
		return Math.max(
			0,
			...dates.map((from) => dates.filter((date) => date >= from && date < from + length).length),
		);
	}

	private async poll(budget: number, failIn?: number): Promise<AuditLogEntry[]> {
		const { service, schedule } = this;
		const before = service.requests;
		const stored: unknown = JSON.parse(this.live);
		service.failIn = failIn ?? Number.POSITIVE_INFINITY;
		try {
			const reader = service.reader(schedule.filter === 'service' ? 'A' : undefined);
			const result = await poll(stored, reader, this.options(budget));
			demand(result.gap === undefined, 'tells a gap where there is none');
			demand(!result.held || schedule.spareMemory !== undefined, 'holds with memory to spare');
			this.held = result.held ?? false;
			this.live = JSON.stringify(result.state);
			this.check(result.entries, result.state);
			if (result.entries.length > 0) this.saved = this.live;
			return result.entries;
		} catch (error) {
			if (error instanceof Violation || failIn === undefined) throw error;
			demand(JSON.stringify(stored) === this.live, 'a failed poll changed the stored state');
			return [];
		} finally {
			this.requests.push(service.requests - before);
		}
	}

	private check(entries: AuditLogEntry[], state: CursorState): void {
		const logged = entries.map((entry) => this.logged(entry));
		const dates = logged.flatMap(({ millis }) => (millis === undefined ? [] : [millis]));
		demand(
			dates.every((date, index) => index === 0 || dates[index - 1] <= date),
			'not chronological',
		);
		for (const { order } of logged) {
			const times = (this.emitted.get(String(order)) ?? 0) + 1;
			this.emitted.set(String(order), times);
			demand(times === 1, `entry ${order} emitted ${times} times`);
		}
		const limit = this.schedule.maxEntries + this.densest(15_000) + this.odd().length;
		demand(entries.length <= limit, `${entries.length} entries in one poll`);

		const remembered = Buffer.from(state.seen, 'base64').length / 11;
		demand(
			JSON.stringify(state).length <= FIXED_CHARACTERS + RECORD_CHARACTERS * remembered,
			'state larger than promised',
		);
		const needed = this.service.log.filter(
			({ millis, appears }) =>
				appears <= this.service.now && (millis === undefined || millis >= state.horizon),
		);
		demand(remembered <= needed.length, 'remembers what it does not need');
		demand(remembered <= this.memory(), 'remembers more than allowed');
	}

	private logged(entry: AuditLogEntry): LoggedEntry {
		const found = this.service.log[entry.serial as number];
		demand(found !== undefined, 'emits what was never logged');
		expect(entry).toEqual(found.entry);
		return found;
	}

	/** Puts entries into the log as the arrival says; with no late-entries window only in the order of dates. */
	private arrive({ delay, kind, share, millisecond, hasId, ties, action }: Arrival): void {
		const { lateWindow } = this.schedule;
		const inOrder = lateWindow === 0;
		let appears = this.service.now + delay;
		if (inOrder) appears = this.lastAppears = Math.max(this.lastAppears, appears);
		const late = kind === 'late' ? share * (inOrder ? HOUR : lateWindow) : share * 3000;
		const exact = appears - late;
		let date = Math.max(exact, Math.floor(exact / 1000) * 1000 + millisecond);
		date = Math.floor(Math.min(date, appears));
		// The service's clock is not known better than to two seconds.
		if (inOrder) date = Math.max(date, Math.floor(this.newestAt(appears + 2000) / 1000) * 1000);
		if (kind === 'future') date = Math.floor(appears + 5001 + share * 40 * 24 * HOUR);
		for (let tie = 0; tie < ties; tie++) {
			const serial = this.serial++;
			const text = { undated: undefined, malformed: 'yesterday, I think' }[kind as 'undated'];
			const dated = kind !== 'undated' && kind !== 'malformed';
			const entry: AuditLogEntry = {
				...(hasId && { id: `id-${serial}` }),
				action,
				...(kind !== 'undated' && { date: dated ? new Date(date).toISOString() : text }),
				serial,
			};
			this.service.add({ entry, appears, ...(dated && { millis: date }) });
		}
	}

	/** The newest date in the log that is not in the future. */
	private newestAt(time: number): number {
		const past = this.service.log
			.map(({ millis = 0 }) => millis)
			.filter((millis) => millis <= time);
		return Math.max(0, ...past);
	}

	/** Lets time pass until everything has been emitted that has to be, and a little longer. */
	private async drain(): Promise<void> {
		const { service, schedule } = this;
		const last = Math.max(service.now, ...service.log.map(({ appears }) => appears));
		service.now = last + 1;
		// With no window, an entry that shares its second with the newest one is looked for when there is news.
		service.now = Math.max(
			service.now,
			Math.floor(this.newestAt(service.now + 2000) / 1000) * 1000 + 2000,
		);
		this.arrive({ ...END, ties: 1, action: 'A' });
		let left = this.missing();
		for (let polls = 0; left.length > 0; polls++) {
			if (polls > MOST_POLLS + service.log.length) {
				demand(false, `never emitted: ${JSON.stringify(left)} in state ${this.live}`);
			}
			service.now += schedule.reReadEvery + 1000 + (this.held ? schedule.lateWindow / 20 : 0);
			await this.poll(5 * 60_000);
			left = this.missing();
		}
		for (let polls = 0; polls < 3; polls++) {
			service.now += schedule.reReadEvery + 1000;
			await this.poll(5 * 60_000);
		}
		for (const { order } of this.service.log) {
			if (this.emitted.has(String(order))) demand(this.mayBeEmitted(order), `${order} was not due`);
		}
	}

	private passes({ entry }: LoggedEntry): boolean {
		return this.schedule.filter === 'none' || entry.action === 'A';
	}

	private mayBeEmitted(order: number): boolean {
		const logged = this.service.log[order];
		return this.passes(logged) && (logged.millis === undefined || logged.millis >= this.floor);
	}

	private missing(): LoggedEntry[] {
		return this.service.log.filter((logged) => {
			const { millis, appears, order } = logged;
			if (this.emitted.has(String(order)) || !this.mayBeEmitted(order)) return false;
			// Whether a date filter returns entries without a date is the service's choice.
			if (millis !== undefined) return true;
			return this.schedule.style.undated !== 'filtered' && appears > this.activated;
		});
	}

	private async quietPoll(): Promise<void> {
		const { schedule, service } = this;
		if (this.odd().length > 0 || schedule.spareMemory !== undefined) return;
		// News that only other filters let through make no difference.
		this.arrive({ ...END, ties: 1, action: 'B' });
		service.now += 1000;
		await this.poll(5 * 60_000);
		await this.poll(5 * 60_000);
		demand(this.requests.at(-1) === 1, `a quiet poll took ${this.requests.at(-1)} requests`);
	}
}
