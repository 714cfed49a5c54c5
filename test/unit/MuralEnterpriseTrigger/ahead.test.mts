import type { AuditLogEntry } from '../../../nodes/shared/auditLog';
import { poll } from '../../../nodes/MuralEnterpriseTrigger/cursor';
import { entryKey, SeenEntries } from '../../../nodes/MuralEnterpriseTrigger/seen';
import { encodeState, newState } from '../../../nodes/MuralEnterpriseTrigger/state';
import { DAY, HOUR, MINUTE, START } from './trigger.mts';

/** Polls once; each page takes three seconds. @returns up to when each entry is remembered, from START on */
async function rememberedAfter(pages: AuditLogEntry[][], entries: AuditLogEntry[]) {
	let now = START;
	const read = async function* () {
		for (const page of pages) {
			yield page;
			now += 3000;
		}
	};
	const reader = { pages: read, clock: () => now, clockOffset: () => 0 };
	const { state } = await poll(encodeState(newState('f', START - HOUR, START)), reader, {
		fingerprint: 'f',
		lookBack: 0,
		lateWindow: 48 * HOUR,
		reReadEvery: HOUR,
		maxEntries: 100,
		maxRemembered: 100,
		deadline: START + 5 * MINUTE,
		matches: () => true,
	});
	const seen = SeenEntries.decode(state.seen, state.horizon) as SeenEntries;
	return entries.map((entry) => (seen.get(entryKey(entry)) as number) - START);
}

test('an entry that was ahead of the clock is remembered up to its date once the clock has passed that', async () => {
	const ahead = { id: 'a', date: new Date(START + 2500).toISOString() };
	const before = { id: 'b', date: new Date(START - 500).toISOString() };
	expect(await rememberedAfter([[ahead], [ahead, before]], [ahead, before])).toEqual([2000, -1000]);
});

test('one that still is ahead, and one without a date, are remembered for 31 days', async () => {
	const ahead = { id: 'a', date: new Date(START + HOUR).toISOString() };
	const undated = { id: 'b' };
	const before = { id: 'c', date: new Date(START - 500).toISOString() };
	expect(await rememberedAfter([[ahead, undated, before]], [ahead, undated, before])).toEqual([
		31 * DAY,
		31 * DAY,
		-1000,
	]);
});
