import type { RemoteControls } from '../sandbox/index.mts';
import type { EntryInput } from '../sandbox/index.mts';
import type { Random } from '../sandbox/random.mts';

/** People at work, as the audit log shows them: at a rate, at the same moment, in bursts, late, and not at all. */

const MINUTE_MS = 60_000;

/** Longest time between an entry's date and its appearance. */
export const LATEST_MS = 20 * MINUTE_MS;

export async function startPeople(admin: RemoteControls): Promise<void> {
	await admin.live({ perMinute: 60, lateShare: 0.1, lateMs: LATEST_MS });
}

/** @param since no entry is dated before it */
export async function addEntries(
	admin: RemoteControls,
	random: Random,
	since: number,
): Promise<void> {
	const now = await admin.now();
	const ties: EntryInput[] = Array.from({ length: 5 }, () => ({ date: now }));
	const burst: EntryInput[] = random.chance(0.15)
		? Array.from({ length: 300 }, (_, index) => ({ date: now - Math.floor(index / 10) * 130 }))
		: [];
	const oldest = Math.max(since, now - LATEST_MS);
	const late: EntryInput[] = Array.from({ length: 4 }, () => ({ date: random.int(oldest, now) }));
	const later: EntryInput = { date: now, appearsAt: now + random.int(1, LATEST_MS) };
	await admin.insertEntries(
		[...ties, ...burst, ...late, later].filter(({ date }) => Number(date) >= since),
	);
}
