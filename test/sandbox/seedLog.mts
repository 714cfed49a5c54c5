import { RETENTION_MS } from './auditStore.mts';
import { castOf, drawActivity } from './activity.mts';
import { Random } from './random.mts';
import type { Service } from './service.mts';
import type { AuditRow } from './types.mts';

const HOUR = 3_600_000;

/** A moment of the last 30 days, mostly in working hours. */
function moment(random: Random, now: number): number {
	for (;;) {
		const date = now - Math.floor(random.next() * RETENTION_MS);
		const hour = new Date(date).getUTCHours();
		const weekend = new Date(date).getUTCDay() % 6 === 0;
		const busy = hour >= 7 && hour < 19 ? 1 : 0.15;
		if (random.chance(weekend ? busy / 6 : busy)) return date;
	}
}

/** `count` entries of the last 30 days; a failed sign-in is often one of several in a row. */
export function seedLog(service: Service, seed: number, count: number): void {
	const random = new Random(seed + 1);
	const now = service.clock.now();
	const cast = castOf(service.state);
	const rows: AuditRow[] = [];
	while (rows.length < count) {
		const activity = drawActivity(random, cast);
		if (!activity) return;
		const { action, user, affected, ip } = activity;
		const actor = service.userActor(user);
		const burst = action === 'SIGN_IN_FAILURE' && random.chance(0.2) ? random.int(3, 8) : 1;
		let date = moment(random, now);
		for (let i = 0; i < burst && rows.length < count; i++) {
			rows.push({ date, key: random.hex(24), action, actor, affected, ip });
			date = Math.min(now, date + random.int(1000, 9000));
		}
	}
	service.log.insertMany(rows);
}

export interface BulkInsert {
	count: number;
	/** Range of the dates, default: the 30 days of the log. */
	from?: number | string;
	to?: number | string;
	/** One action for all; drawn as people act when absent. */
	action?: string;
	seed?: number;
}

/** Many entries spread evenly over a range. @returns how many. */
export function bulkInsert(service: Service, options: BulkInsert): number {
	const { count, action, seed = service.log.version + service.log.size } = options;
	const random = new Random(seed + 2);
	const now = service.clock.now();
	const to = options.to === undefined ? now : new Date(options.to).getTime();
	const from =
		options.from === undefined ? now - RETENTION_MS + HOUR : new Date(options.from).getTime();
	if (!(from <= to) || !(count >= 0)) throw new RangeError('bulk insert: from <= to, count >= 0');
	const cast = castOf(service.state);
	// A bounded set of activities, so that a million entries share their actors and affected things.
	const pool = Array.from({ length: Math.min(count, 5000) }, () => drawActivity(random, cast)!);
	if (pool.includes(undefined as never)) throw new RangeError('bulk insert needs active members');
	const actors = pool.map(({ user }) => service.userActor(user));
	const step = count > 1 ? (to - from) / (count - 1) : 0;
	const rows: AuditRow[] = [];
	for (let i = 0; i < count; i++) {
		const n = random.int(0, pool.length - 1);
		const { action: drawn, affected, ip } = pool[n];
		const date = Math.floor(from + i * step);
		rows.push({
			date,
			key: random.hex(24),
			action: action ?? drawn,
			actor: actors[n],
			affected,
			ip,
		});
	}
	service.log.insertMany(rows);
	return count;
}
