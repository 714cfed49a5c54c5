import type { AuditLogEntry } from '../../../nodes/shared/auditLog';
import { poll } from '../../../nodes/MuralEnterpriseTrigger/cursor';
import type { PollOptions } from '../../../nodes/MuralEnterpriseTrigger/pollTypes';
import { DAY, HOUR, MINUTE, START, started, Trigger } from './trigger.mts';

/** What the schedules leave out: single situations, told one by one. */

describe('an entry of the future', () => {
	test('is emitted at once, and does not stand before those that come before it', async () => {
		const trigger = await started({ lateWindow: 0 });
		const now = trigger.service.now;
		const future = trigger.log(now + HOUR);
		expect(await trigger.poll()).toEqual([future]);
		trigger.pass(2 * HOUR);
		expect(await trigger.poll()).toEqual([]);
		const before = trigger.log(now + HOUR - 5000);
		expect(await trigger.poll()).toEqual([before]);
		expect(trigger.state?.boundary).toBe(now + HOUR - 5000);
	});

	test('moves the boundary two days after its date at the latest', async () => {
		const trigger = await started();
		const date = trigger.service.now + HOUR;
		trigger.log(date);
		await trigger.poll();
		trigger.pass(3 * DAY);
		await trigger.poll();
		expect(trigger.state?.boundary).toBe(date);
	});

	test.each([30, 90, 400])('is emitted once, be it %i days ahead', async (days) => {
		const trigger = await started();
		const future = trigger.log(trigger.service.now + days * DAY);
		expect(await trigger.poll()).toEqual([future]);
		for (let day = 0; day < 100; day++) {
			trigger.pass(DAY);
			const today = trigger.log(trigger.service.now);
			expect(await trigger.poll()).toEqual([today]);
		}
	});

	test('does not hide the news when there are more than a page', async () => {
		const trigger = await started({}, { pageSizes: [3] });
		for (let n = 0; n < 7; n++) trigger.log(trigger.service.now + DAY);
		expect(await trigger.poll()).toHaveLength(7);
		const news = trigger.log(trigger.service.now);
		expect(await trigger.poll()).toEqual([news]);
	});
});

test('an entry without a date is emitted once, for as long as the log returns it', async () => {
	const trigger = await started();
	trigger.service.add({ entry: { id: 'undated' }, appears: trigger.service.now });
	expect(await trigger.poll()).toEqual(['undated']);
	for (let day = 0; day < 200; day++) {
		trigger.pass(DAY);
		expect(await trigger.poll()).toEqual([]);
	}
});

test('what a service sends that was not asked for is not emitted', async () => {
	const trigger = await started();
	const activated = trigger.service.now;
	for (let day = 0; day < 5; day++) {
		trigger.log(trigger.service.now);
		await trigger.poll();
		trigger.pass(DAY);
	}
	const { now } = trigger.service;
	const pages = async function* () {
		const old = { id: 'old', date: new Date(activated + HOUR).toISOString() };
		const older = { id: 'older', date: new Date(activated - HOUR).toISOString() };
		const news = { id: 'news', date: new Date(now).toISOString() };
		yield [news, null, 'text', 7, old, older] as AuditLogEntry[];
	};
	const reader = { pages, clock: () => now, clockOffset: () => 0 };
	const options: PollOptions = {
		fingerprint: 'f',
		lookBack: 0,
		lateWindow: HOUR,
		reReadEvery: HOUR,
		maxEntries: 10,
		maxRemembered: 10,
		deadline: now + MINUTE,
		matches: () => true,
	};
	const { entries } = await poll(trigger.state, reader, options);
	expect(entries.map(({ id }) => id)).toStrictEqual(['news']);
});

test('a log that never ends is told', async () => {
	const trigger = await started();
	const { now } = trigger.service;
	let requests = 0;
	const pages = async function* () {
		while (++requests < 20_000) {
			yield [{ id: `x${requests % 5}`, date: new Date(now).toISOString() }];
		}
	};
	const reader = { pages, clock: () => now, clockOffset: () => 0 };
	const endless = poll(trigger.state, reader, {
		fingerprint: 'f',
		lookBack: 0,
		lateWindow: 0,
		reReadEvery: HOUR,
		maxEntries: 10,
		maxRemembered: 10,
		deadline: now + MINUTE,
		matches: () => true,
	});
	await expect(endless).rejects.toThrow('did not end after 10000 pages');
	expect(requests).toBe(10_000);
});

describe('a fresh cursor', () => {
	test('tells why', async () => {
		const trigger = new Trigger();
		await trigger.poll();
		expect(trigger.result?.fresh).toBe('first');
		await trigger.poll();
		expect(trigger.result?.fresh).toBeUndefined();
		await trigger.poll({ fingerprint: 'another' });
		expect(trigger.result?.fresh).toBe('changed');
		trigger.state = { nonsense: true } as never;
		await trigger.poll();
		expect(trigger.result?.fresh).toBe('invalid');
	});

	test.each([-5 * DAY, -HOUR, 2 * HOUR, 20 * DAY, 300 * DAY])(
		'begins at the time of the service; this clock is off by %i ms',
		async (localSkew) => {
			const trigger = new Trigger({}, { localSkew });
			trigger.log(trigger.service.now - 2000);
			expect(await trigger.poll()).toEqual([]);
			expect(trigger.service.requests).toBe(1);
			const first = trigger.log(trigger.service.now);
			expect(await trigger.poll()).toEqual([first]);
			trigger.pass(HOUR);
			const second = trigger.log(trigger.service.now);
			expect(await trigger.poll()).toEqual([second]);
			expect(trigger.result?.gap).toBeUndefined();
		},
	);

	test('looks back as far as the log reaches, and no gap comes of it', async () => {
		const trigger = new Trigger({ lookBack: 30 * DAY });
		const ids = [29, 15, 1].map((days) => trigger.log(START - days * DAY));
		expect(await trigger.poll()).toEqual(ids);
		expect(trigger.result?.gap).toBeUndefined();
	});
});

describe('a gap', () => {
	test.each([0, -20 * DAY, -300 * DAY, 20 * DAY])(
		'is told once, by the clock of the service; this clock is off by %i ms',
		async (localSkew) => {
			const trigger = await started({}, { localSkew });
			const from = trigger.service.now;
			trigger.log(from);
			await trigger.poll();
			trigger.pass(40 * DAY);
			const left = trigger.log(trigger.service.now - DAY);
			expect(await trigger.poll()).toEqual([left]);
			const gap = trigger.result?.gap as { from: number; to: number };
			expect(Math.abs(gap.from - from)).toBeLessThan(2 * MINUTE);
			expect(Math.abs(gap.to - (trigger.service.now - 30 * DAY))).toBeLessThan(2 * MINUTE);
			expect(await trigger.poll()).toEqual([]);
			expect(trigger.result?.gap).toBeUndefined();
		},
	);

	test('in the middle of a backlog that lasts longer than the log', async () => {
		const trigger = await started({ maxEntries: 1 });
		for (let n = 0; n < 10; n++) trigger.log(trigger.service.now - 10_000 + n * 1000);
		const first = await trigger.poll();
		expect(first.length).toBeLessThan(4);
		trigger.pass(31 * DAY);
		expect(await trigger.poll()).toEqual([]);
		expect(trigger.result?.gap).toBeDefined();
		const news = trigger.log(trigger.service.now);
		expect(await trigger.poll()).toEqual([news]);
	});
});

describe('a full memory', () => {
	test('holds back without a request until the window has moved on, and then goes on', async () => {
		const trigger = await started({ maxRemembered: 5, lateWindow: 2 * HOUR });
		const ids = Array.from({ length: 9 }, (_, n) =>
			trigger.log(trigger.service.now - 50_000 + n * 5000),
		);
		const found = await trigger.poll();
		for (let polls = 0; polls < 20 && !trigger.result?.held; polls++) {
			found.push(...(await trigger.poll()));
		}
		expect(found).toEqual(ids.slice(0, 5));
		expect(await trigger.poll()).toEqual([]);
		expect(trigger.service.requests).toBe(0);
		for (let hour = 0; hour < 6; hour++) {
			trigger.pass(HOUR + MINUTE);
			found.push(...(await trigger.poll()));
		}
		expect(found).toEqual(ids);
		expect(trigger.result?.held).toBeUndefined();
	});
});

test('a re-read that does not fit into a poll goes on in the next ones', async () => {
	const trigger = await started({ reReadEvery: HOUR }, { pageSizes: [5], latencies: [1000] });
	const from = trigger.service.now - 20_000;
	for (let n = 0; n < 200; n++) trigger.log(from + n * 100);
	expect(await trigger.poll()).toHaveLength(200);
	const late = trigger.log(from + 19_000);
	trigger.pass(HOUR);
	const found: unknown[] = [];
	let polls = 0;
	for (; found.length === 0 && polls < 20; polls++) {
		const { now } = trigger.service;
		found.push(...(await trigger.poll({ deadline: now + 20_000 })));
		expect(trigger.service.now - now).toBeLessThan(30_000);
		trigger.pass(MINUTE);
	}
	expect(found).toEqual([late]);
	expect(polls).toBeGreaterThan(2);
	expect(polls).toBeLessThan(10);
});

test('entries of the next second do not keep the smallest slice from being small', async () => {
	const trigger = await started({
		lateWindow: 10 * MINUTE,
		reReadEvery: 10 * MINUTE,
		maxEntries: 1,
		maxRemembered: 4,
	});
	trigger.pass(HOUR);
	const { now } = trigger.service;
	const known = [3, 2, 1].map((seconds) => trigger.log(now - seconds * 1000));
	const found: unknown[] = [];
	for (let polls = 0; polls < 20 && found.length < 3; polls++) {
		found.push(...(await trigger.poll()));
	}
	expect(found).toEqual(known);
	const late = [1, 2, 3].map(() => trigger.log(now - 9 * MINUTE + 250));
	for (let polls = 0; polls < 20 && found.length < 6; polls++) {
		trigger.pass(15 * MINUTE);
		found.push(...(await trigger.poll()));
	}
	expect(found.slice(3).sort()).toEqual(late);
});

describe('requests', () => {
	test('a quiet poll leaves the state as it is', async () => {
		const trigger = await started();
		trigger.log(trigger.service.now);
		await trigger.poll();
		trigger.pass(MINUTE);
		const before = trigger.state;
		await trigger.poll();
		expect(trigger.service.requests).toBe(1);
		expect(trigger.state).toEqual(before);
	});

	test('a second that holds more than a page costs a quiet poll one request all the same', async () => {
		const trigger = await started({}, { pageSizes: [5] });
		for (let n = 0; n < 23; n++) trigger.log(trigger.service.now);
		expect(await trigger.poll()).toHaveLength(23);
		await trigger.poll();
		expect(trigger.service.requests).toBe(1);
	});

	test('a re-read costs the pages of the window and one more', async () => {
		const trigger = await started({}, { pageSizes: [10] });
		for (let n = 0; n < 40; n++) trigger.log(trigger.service.now - 40_000 + n * 1000);
		await trigger.poll();
		trigger.pass(HOUR);
		await trigger.poll();
		// One for the news, four pages of the window, one that tells that it is the end.
		expect(trigger.service.requests).toBe(6);
	});
});
