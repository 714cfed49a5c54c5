import type { CursorState } from '../../../nodes/MuralEnterpriseTrigger/state';
import { DAY, HOUR, MINUTE, started, Trigger } from './trigger.mts';

/** Polls that cannot do all at once, and logs that have moved on meanwhile. */

const stateOf = ({ state }: Trigger) => state as CursorState;
const remembered = (trigger: Trigger) => Buffer.from(stateOf(trigger).seen, 'base64').length / 11;
const oldest = ({ service }: Trigger) => service.now - 30 * DAY;

/** One with `count` new entries, five seconds apart. */
async function behind(count: number, ...args: ConstructorParameters<typeof Trigger>) {
	const trigger = await started(...args);
	trigger.pass(count * 5000);
	const from = trigger.service.now - count * 5000;
	const ids = Array.from({ length: count }, (_, n) => trigger.log(from + n * 5000));
	return { trigger, ids };
}

describe('a backlog', () => {
	test('is begun in the poll that finds it, and is read in order to its end', async () => {
		const { trigger, ids } = await behind(30, { maxEntries: 10 });
		const found = await trigger.poll();
		expect(found.length).toBeGreaterThan(4);
		for (let polls = 0; polls < 10 && found.length < 30; polls++) {
			found.push(...(await trigger.poll()));
		}
		expect(found).toEqual(ids);
	});

	test('is known to be read up to where it was read, and nothing is read again for the time being', async () => {
		const { trigger } = await behind(30, { maxEntries: 10 });
		trigger.pass(2 * HOUR);
		const { swept } = stateOf(trigger);
		await trigger.poll();
		const { backlog, covered, sweep, ...state } = stateOf(trigger);
		expect(backlog).toBeDefined();
		expect(covered).toBe(backlog?.at);
		expect([sweep, state.swept]).toEqual([undefined, swept]);
	});

	test('needs no memory where there is no window for late entries', async () => {
		const { trigger, ids } = await behind(30, { maxEntries: 3, maxRemembered: 5, lateWindow: 0 });
		const found: unknown[] = [];
		for (let polls = 0; polls < 40 && found.length < 30; polls++) {
			found.push(...(await trigger.poll()));
			expect(trigger.result?.held).toBeUndefined();
		}
		expect(found).toEqual(ids);
	});

	test('takes no more time than a poll has', async () => {
		const { trigger } = await behind(60, {}, { pageSizes: [2], latencies: [1000] });
		for (let polls = 0; polls < 5; polls++) {
			const { now } = trigger.service;
			await trigger.poll({ deadline: now + 20_000 });
			expect(trigger.service.now - now).toBeLessThanOrEqual(22_000);
		}
	});

	test('asks for nothing in a poll whose time is over', async () => {
		const { trigger } = await behind(30, { maxEntries: 10 });
		await trigger.poll();
		expect(await trigger.poll({ deadline: trigger.service.now })).toEqual([]);
		expect(trigger.ranges).toEqual([]);
	});

	test('of entries without a date is read although they fill more than the time of a poll', async () => {
		const trigger = await started({}, { pageSizes: [1], latencies: [2000] });
		for (let n = 0; n < 10; n++) {
			trigger.service.add({ entry: { id: `undated ${n}` }, appears: trigger.service.now });
		}
		const found: unknown[] = [];
		for (let polls = 0; polls < 3; polls++) {
			found.push(...(await trigger.poll({ deadline: trigger.service.now + 10_000 })));
		}
		expect(found).toHaveLength(10);
	});
});

describe('what has left the log', () => {
	test('is neither asked for nor remembered', async () => {
		for (const lateWindow of [0, 48 * HOUR]) {
			const { trigger } = await behind(5, { lateWindow });
			await trigger.poll();
			expect(remembered(trigger)).toBeGreaterThan(0);
			trigger.pass(40 * DAY);
			await trigger.poll();
			const [, ...reads] = trigger.ranges;
			expect(reads.length).toBeGreaterThan(0);
			for (const { since } of reads) {
				expect(since).toBeGreaterThan(oldest(trigger));
				expect(since).toBeLessThan(oldest(trigger) + 2 * MINUTE);
			}
			expect(remembered(trigger)).toBe(0);
			expect(stateOf(trigger).boundary).toBeGreaterThan(oldest(trigger));
		}
	});

	test('is not asked for by what is left of a backlog', async () => {
		const { trigger } = await behind(30, { maxEntries: 10 });
		await trigger.poll();
		expect(stateOf(trigger).backlog).toBeDefined();
		trigger.pass(31 * DAY);
		await trigger.poll();
		const [, ...reads] = trigger.ranges;
		for (const { since } of reads) expect(since).toBeGreaterThan(oldest(trigger));
	});

	test('is not asked for by what is left of a re-read', async () => {
		const { trigger } = await behind(60, {}, { pageSizes: [5], latencies: [1000] });
		for (let polls = 0; polls < 9; polls++) await trigger.poll();
		trigger.pass(HOUR);
		await trigger.poll({ deadline: trigger.service.now + 4000 });
		expect(stateOf(trigger).sweep).toBeDefined();
		trigger.pass(31 * DAY);
		await trigger.poll();
		const [, ...reads] = trigger.ranges;
		for (const { since } of reads) expect(since).toBeGreaterThan(oldest(trigger));
	});

	test('unread is told as a gap that ends inside the log, once, also when the poll cannot finish', async () => {
		const { trigger } = await behind(30, { maxEntries: 10 });
		trigger.pass(29 * DAY);
		const { now } = trigger.service;
		for (let n = 0; n < 30; n++) trigger.log(now - n * 5000);
		trigger.pass(2 * DAY);
		await trigger.poll();
		expect(stateOf(trigger).backlog).toBeDefined();
		const { from, to } = trigger.result?.gap as { from: number; to: number };
		expect(from).toBeLessThan(to);
		expect(to).toBeGreaterThan(oldest(trigger));
		await trigger.poll();
		expect(trigger.result?.gap).toBeUndefined();
	});
});

describe('a re-read for which the memory has no room', () => {
	/** Five entries remembered, which is all there may be, and one from before them that came late. */
	const crowded = async () => {
		const trigger = await started({ maxRemembered: 5, lateWindow: 2 * HOUR });
		trigger.pass(30 * MINUTE);
		const { now } = trigger.service;
		for (let n = 0; n < 5; n++) trigger.log(now - n * 1000);
		expect(await trigger.poll()).toHaveLength(5);
		trigger.pass(HOUR);
		return { trigger, late: trigger.log(now - 10 * MINUTE) };
	};

	test('is told, and what it did not read is not passed over', async () => {
		const { trigger, late } = await crowded();
		const { horizon } = stateOf(trigger);
		expect(await trigger.poll()).toEqual([]);
		expect(trigger.result?.held).toBe(true);
		expect(stateOf(trigger).horizon).toBe(horizon);
		expect(stateOf(trigger).sweep).toBeUndefined();
		const found: unknown[] = [];
		for (let polls = 0; polls < 4; polls++) {
			trigger.pass(HOUR);
			found.push(...(await trigger.poll()));
		}
		expect(found).toEqual([late]);
		expect(trigger.result?.held).toBeUndefined();
	});

	test('is tried again an interval later', async () => {
		const { trigger } = await crowded();
		await trigger.poll();
		const { swept } = stateOf(trigger);
		expect(Math.abs(swept - trigger.service.now)).toBeLessThan(MINUTE);
		await trigger.poll();
		expect(trigger.ranges).toHaveLength(1);
	});
});

test('a poll that made room in a full memory is followed by one that goes on', async () => {
	const { trigger } = await behind(9, { maxRemembered: 5, lateWindow: 2 * HOUR });
	for (let polls = 0; polls < 20 && !trigger.result?.held; polls++) await trigger.poll();
	let hadMadeRoom = false;
	for (let hour = 0; hour < 6; hour++) {
		trigger.pass(HOUR + MINUTE);
		const before = remembered(trigger);
		await trigger.poll();
		if (remembered(trigger) >= before) continue;
		hadMadeRoom = true;
		expect(stateOf(trigger).heldUntil).toBeUndefined();
	}
	expect(hadMadeRoom).toBe(true);
});

test('entries without a date wait for a place in the memory; those with one have theirs first', async () => {
	const trigger = await started({ maxRemembered: 3 });
	const undated = [1, 2, 3, 4, 5].map((n) => `undated ${n}`);
	for (const id of undated) trigger.service.add({ entry: { id }, appears: trigger.service.now });
	const dated = [trigger.log(trigger.service.now - 1000), trigger.log(trigger.service.now)];
	const found = await trigger.poll();
	expect(found.slice(0, 2)).toEqual(dated);
	expect(found).toHaveLength(3);
	expect(undated).toContain(found[2]);
	expect(trigger.result?.held).toBe(true);
	expect(remembered(trigger)).toBe(3);
	expect(await trigger.poll()).toEqual([]);
});

test('after a long silence the window moves on as far as it may with the first re-read', async () => {
	const trigger = await started({ lateWindow: 2 * HOUR });
	trigger.log(trigger.service.now);
	await trigger.poll();
	trigger.pass(10 * HOUR);
	trigger.log(trigger.service.now);
	await trigger.poll();
	const begin = trigger.service.now - 2 * HOUR - MINUTE;
	expect(Math.abs(stateOf(trigger).horizon - begin)).toBeLessThan(5000);
});

test('a re-read over several polls counts from its first one', async () => {
	const { trigger } = await behind(60, {}, { pageSizes: [5], latencies: [1000] });
	for (let polls = 0; polls < 9; polls++) await trigger.poll();
	trigger.pass(HOUR);
	const begin = trigger.service.now;
	await trigger.poll({ deadline: begin + 4000 });
	expect(stateOf(trigger).sweep).toBeDefined();
	trigger.pass(10 * MINUTE);
	await trigger.poll();
	expect(stateOf(trigger).sweep).toBeUndefined();
	expect(Math.abs(stateOf(trigger).swept - begin)).toBeLessThan(5000);
});
