import type { AuditLogEntry } from '../../../nodes/shared/auditLog';
import { poll } from '../../../nodes/MuralEnterpriseTrigger/cursor';
import type { PollOptions, PollResult } from '../../../nodes/MuralEnterpriseTrigger/pollTypes';
import type { Range } from '../../../nodes/MuralEnterpriseTrigger/readRange';
import type { CursorState } from '../../../nodes/MuralEnterpriseTrigger/state';
import type { ServiceStyle } from './model.mts';
import { ModelService } from './model.mts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const START = Date.UTC(2026, 2, 1, 12);

const STYLE: ServiceStyle = {
	token: 'position',
	end: 'emptyPage',
	pageSizes: [1000],
	latencies: [100],
	untilWholeSecond: true,
	newerTieFirst: true,
	undated: 'top',
	dateHeader: true,
	localSkew: 0,
};

/** A trigger at work: its service, what the host keeps of it, and its polls. */
export class Trigger {
	readonly service: ModelService;

	state: CursorState | undefined;

	result: PollResult | undefined;

	/** What the latest poll asked for. */
	ranges: Range[] = [];

	private serial = 0;

	constructor(
		private readonly options: Partial<PollOptions> = {},
		style: Partial<ServiceStyle> = {},
	) {
		this.service = new ModelService(START, { ...STYLE, ...style });
	}

	/** Puts an entry into the log. @returns its id */
	log(millis: number, change: Partial<AuditLogEntry> = {}): string {
		const id = `id-${++this.serial}`;
		const entry = { id, action: 'A', date: new Date(millis).toISOString(), ...change };
		this.service.add({ entry, millis, appears: this.service.now });
		return id;
	}

	async poll(change: Partial<PollOptions> = {}): Promise<unknown[]> {
		const model = this.service.reader();
		this.ranges = [];
		const pages = (range: Range) => (this.ranges.push(range), model.pages(range));
		const reader = { ...model, pages };
		this.service.requests = 0;
		this.result = await poll(this.state && JSON.parse(JSON.stringify(this.state)), reader, {
			fingerprint: 'f',
			lookBack: 0,
			lateWindow: 48 * HOUR,
			reReadEvery: HOUR,
			maxEntries: 10_000,
			maxRemembered: 10_000,
			deadline: reader.clock() + 5 * MINUTE,
			matches: () => true,
			...this.options,
			...change,
		});
		this.state = this.result.state;
		return this.result.entries.map(({ id }) => id);
	}

	pass(ms: number): void {
		this.service.now += ms;
	}
}

/** One that was activated a minute ago, on an empty log. */
export async function started(...args: ConstructorParameters<typeof Trigger>): Promise<Trigger> {
	const trigger = new Trigger(...args);
	expect(await trigger.poll()).toEqual([]);
	trigger.pass(MINUTE);
	return trigger;
}
