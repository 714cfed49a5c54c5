import type { CursorState } from '../../../nodes/MuralEnterpriseTrigger/state';
import { DAY, HOUR, MINUTE, START, started, Trigger } from './trigger.mts';

/** What a poll asks for and what it keeps, beside what it emits. */

const SECOND = 1000;
const floorSecond = (millis: number) => Math.floor(millis / SECOND) * SECOND;
const stateOf = ({ state }: Trigger) => state as CursorState;

describe('a fresh cursor', () => {
	test('asks for no more than the newest second, to learn the time of the service', async () => {
		const trigger = new Trigger();
		const before = trigger.service.now;
		for (let n = 0; n < 5; n++) trigger.log(before - n * HOUR);
		expect(await trigger.poll()).toEqual([]);
		expect(trigger.ranges).toEqual([{ since: floorSecond(before) }]);
	});

	test('is one also when the host keeps null', async () => {
		const trigger = new Trigger();
		trigger.state = null as never;
		await trigger.poll();
		expect(trigger.result?.fresh).toBe('first');
	});

	test('begins exactly as far back as asked for', async () => {
		const trigger = new Trigger({ lookBack: HOUR });
		trigger.log(START - HOUR - 5000);
		const since = trigger.log(START - HOUR + 5000);
		expect(await trigger.poll()).toEqual([since]);
		expect(trigger.result?.fresh).toBe('first');
	});
});

describe('what is asked for', () => {
	test('a quiet poll asks from the second of the newest entry on', async () => {
		const trigger = await started();
		const newest = trigger.service.now + 400;
		trigger.pass(400);
		trigger.log(newest);
		await trigger.poll();
		await trigger.poll();
		expect(trigger.ranges).toEqual([{ since: floorSecond(newest) }]);
	});

	test('a re-read asks once for the late-entries window, up to what the same poll reads as news', async () => {
		const trigger = await started({ lateWindow: 2 * HOUR });
		for (let hour = 0; hour < 6; hour++) {
			trigger.pass(HOUR - MINUTE);
			trigger.log(trigger.service.now);
			trigger.pass(MINUTE);
			await trigger.poll();
		}
		const [news, window] = trigger.ranges;
		expect(trigger.ranges).toHaveLength(2);
		const boundary = trigger.service.now - HOUR;
		expect(Math.abs(news.since - boundary)).toBeLessThan(2 * MINUTE);
		expect(window.until).toBe(news.since + SECOND);
		// The window begins two hours before the re-read of the hour before, and a minute for the service's clock.
		const begin = trigger.service.now - HOUR - 2 * HOUR - MINUTE;
		expect(Math.abs(window.since - begin)).toBeLessThan(10_000);
	});

	test('news are read down to what is known, however much the second holds in which that ends', async () => {
		const trigger = await started({}, { pageSizes: [5] });
		for (let n = 0; n < 23; n++) trigger.log(trigger.service.now);
		await trigger.poll();
		trigger.pass(MINUTE);
		const news = trigger.log(trigger.service.now);
		expect(await trigger.poll()).toEqual([news]);
		expect(trigger.service.requests).toBe(1);
	});

	test('what has the same date is emitted in the order in which it came', async () => {
		const trigger = await started();
		const ids = [1, 2, 3, 4].map(() => trigger.log(trigger.service.now));
		expect(await trigger.poll()).toEqual(ids);
	});

	test('without a window for late entries nothing is read again', async () => {
		const trigger = await started({ lateWindow: 0 });
		for (let hour = 0; hour < 3; hour++) {
			trigger.pass(HOUR);
			trigger.log(trigger.service.now);
			await trigger.poll();
			expect(trigger.ranges).toHaveLength(1);
		}
	});
});

describe('what is remembered', () => {
	const remembered = (trigger: Trigger) => Buffer.from(stateOf(trigger).seen, 'base64').length / 11;

	test('without a window for late entries those of the newest second', async () => {
		const trigger = await started({ lateWindow: 0 });
		const { now } = trigger.service;
		for (const ms of [900, 500, 400, -100, -2000]) trigger.log(floorSecond(now) - SECOND + ms);
		expect(await trigger.poll()).toHaveLength(5);
		expect(remembered(trigger)).toBe(3);
	});

	test('with one those of the window and a minute more, after each re-read', async () => {
		const trigger = await started({ lateWindow: HOUR, reReadEvery: 10 * MINUTE });
		for (let n = 0; n < 40; n++) {
			trigger.log(trigger.service.now);
			await trigger.poll();
			trigger.pass(10 * MINUTE);
		}
		await trigger.poll();
		const { horizon } = stateOf(trigger);
		expect(Math.abs(horizon - (trigger.service.now - HOUR - MINUTE))).toBeLessThan(5000);
		expect(remembered(trigger)).toBe(6);
	});

	test('a re-read begins anew once an interval, also when the clock was set back', async () => {
		const trigger = await started();
		trigger.log(trigger.service.now);
		await trigger.poll();
		trigger.pass(HOUR);
		await trigger.poll();
		expect(trigger.ranges).toHaveLength(2);
		await trigger.poll();
		expect(trigger.ranges).toHaveLength(1);
		trigger.pass(-2 * HOUR);
		await trigger.poll();
		expect(trigger.ranges).toHaveLength(2);
	});
});

describe('when the memory is full', () => {
	const full = async () => {
		const trigger = await started({ maxRemembered: 5, lateWindow: 2 * HOUR });
		for (let n = 0; n < 9; n++) trigger.log(trigger.service.now - 50_000 + n * 5000);
		for (let polls = 0; polls < 20 && !trigger.result?.held; polls++) await trigger.poll();
		expect(trigger.result?.held).toBe(true);
		await trigger.poll();
		expect(trigger.ranges).toEqual([]);
		expect(trigger.result?.held).toBe(true);
		return trigger;
	};

	test('it is tried again after an interval, not before', async () => {
		const trigger = await full();
		const left = (stateOf(trigger).heldUntil as number) - trigger.service.now;
		expect(left).toBeGreaterThan(HOUR - MINUTE);
		expect(left).toBeLessThanOrEqual(HOUR);
		trigger.pass(left - 1);
		await trigger.poll();
		expect(trigger.ranges).toEqual([]);
		trigger.pass(1);
		await trigger.poll();
		expect(trigger.ranges.length).toBeGreaterThan(0);
	});

	test('it is tried at once when the clock was set back, which would make the wait longer', async () => {
		const trigger = await full();
		trigger.pass(-5 * MINUTE);
		await trigger.poll();
		expect(trigger.ranges.length).toBeGreaterThan(0);
	});
});

describe('up to where the log was read', () => {
	test('is kept within an hour, by quiet polls too', async () => {
		const trigger = await started();
		for (let n = 0; n < 30; n++) {
			trigger.pass(10 * MINUTE);
			await trigger.poll();
			expect(trigger.service.now - stateOf(trigger).covered).toBeLessThan(HOUR + MINUTE);
		}
	});

	test('is now after a poll that found something', async () => {
		const trigger = await started();
		trigger.pass(10 * MINUTE);
		trigger.log(trigger.service.now);
		const { now } = trigger.service;
		await trigger.poll();
		expect(Math.abs(stateOf(trigger).covered - now)).toBeLessThan(2000);
	});

	test('a gap begins there, and is none when all that left the log had been read', async () => {
		const trigger = await started();
		trigger.log(trigger.service.now);
		await trigger.poll();
		trigger.pass(29 * DAY);
		await trigger.poll();
		expect(trigger.result?.gap).toBeUndefined();
		trigger.pass(29 * DAY);
		await trigger.poll();
		expect(trigger.result?.gap).toBeUndefined();
	});
});
