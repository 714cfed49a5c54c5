import { getEventListeners } from 'node:events';

import fc from 'fast-check';

import { Pacer } from '../../../nodes/shared/rateLimit';
import { Attempts } from '../../../nodes/shared/retry';
import { settle, VirtualClock } from './virtualClock.mts';

/** Milliseconds by which timers fire late, or a little early as Node's may. */
const lateness = fc.infiniteStream(
	fc.oneof({ weight: 5, arbitrary: fc.double({ min: -1, max: 2, noNaN: true }) }, fc.nat(700)),
);
const clockOf = (late: Iterator<number>) => new VirtualClock(() => late.next().value as number);
const EPSILON = 1e-6;

/** Most sends within any half-open second. */
function busiestSecond(sent: number[]): number {
	return Math.max(
		0,
		...sent.map((from) => sent.filter((at) => at >= from && at < from + 1000 - EPSILON).length),
	);
}

interface Script {
	/** When the callers ask, in milliseconds. */
	asks: number[];
	/** 429s: when they come, and the wait they ask for. */
	refusals: Array<{ at: number; waitMs: number }>;
}

/** Plays a script; when each caller was let through, in the order of the callers. */
async function play(pacer: Pacer, clock: VirtualClock, { asks, refusals }: Script) {
	const sent: number[] = [];
	const order: number[] = [];
	asks.forEach((at, caller) => {
		void clock.sleep(at).then(async () => {
			sent[caller] = await pacer.acquire();
			order.push(caller);
		});
	});
	const holds: Array<{ from: number; until: number }> = [];
	for (const { at, waitMs } of refusals) {
		void clock.sleep(at).then(() => {
			holds.push({ from: clock.now(), until: clock.now() + waitMs });
			pacer.throttled(waitMs, clock.now());
		});
	}
	await clock.run();
	return { sent, order, holds };
}

const script = fc.record({
	asks: fc.array(fc.nat(3000), { minLength: 1, maxLength: 80 }),
	refusals: fc.array(fc.record({ at: fc.nat(4000), waitMs: fc.nat(2500) }), { maxLength: 4 }),
});

test('no second ever holds more than the rate, nobody sends during a hold, everybody gets through', async () => {
	await fc.assert(
		fc.asyncProperty(
			script,
			fc.integer({ min: 1, max: 30 }),
			lateness,
			async (plan, rate, late) => {
				const clock = clockOf(late);
				const { sent, holds } = await play(new Pacer(clock, rate), clock, plan);
				expect(sent.filter((at) => at !== undefined)).toHaveLength(plan.asks.length);
				expect(busiestSecond(sent)).toBeLessThanOrEqual(rate);
				for (const { from, until } of holds) {
					expect(sent.filter((at) => at > from && at < until - EPSILON)).toEqual([]);
				}
			},
		),
		{ numRuns: 150 },
	);
});

test('first come, first served, holds or not', async () => {
	await fc.assert(
		fc.asyncProperty(script, fc.option(fc.integer({ min: 1, max: 30 })), async (plan, rate) => {
			const clock = new VirtualClock();
			const { sent, order } = await play(new Pacer(clock, rate ?? undefined), clock, plan);
			const byArrival = plan.asks.map((at, caller) => ({ at, caller }));
			byArrival.sort((a, b) => a.at - b.at || a.caller - b.caller);
			expect(order).toEqual(byArrival.map(({ caller }) => caller));
			expect(sent.every((at, caller) => at >= plan.asks[caller])).toBe(true);
		}),
		{ numRuns: 150 },
	);
});

test('first come, first served also when timers are late, for those who can be cancelled too', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.record({ at: fc.nat(2000), canBeCancelled: fc.boolean() }), { maxLength: 40 }),
			lateness,
			async (asks, late) => {
				const clock = clockOf(late);
				const pacer = new Pacer(clock, 10);
				const asked: number[] = [];
				const served: number[] = [];
				asks.forEach(({ at, canBeCancelled }, caller) => {
					const signal = canBeCancelled ? new AbortController().signal : undefined;
					void clock.sleep(at).then(async () => {
						asked.push(caller);
						await pacer.acquire(signal);
						served.push(caller);
					});
				});
				await clock.run();
				expect(served).toEqual(asked);
			},
		),
	);
});

test('without 429 requests leave as fast as the rate allows', async () => {
	const clock = new VirtualClock();
	const { sent } = await play(new Pacer(clock, 25), clock, {
		asks: Array(51).fill(0),
		refusals: [],
	});
	expect(sent[0]).toBe(0);
	expect(sent[50]).toBeCloseTo(2000, 3);
});

test('without a rate nobody waits, except after a 429', async () => {
	const clock = new VirtualClock();
	const asks = [0, 0, 0, 100, 100, 5000];
	const refusals = [{ at: 50, waitMs: 1000 }];
	const { sent } = await play(new Pacer(clock), clock, { asks, refusals });
	expect(sent).toEqual([0, 0, 0, 1050, 1050, 5000]);
});

test('the rate is halved by a 429 and comes back by one a second', async () => {
	const clock = new VirtualClock();
	const pacer = new Pacer(clock, 20);
	const gap = async () => (await pacer.acquire(), -clock.now()) + (await pacer.acquire());
	const gaps: number[] = [];
	void (async () => {
		gaps.push(await gap());
		pacer.throttled(0, clock.now());
		// Requests that were sent before the rate was lowered tell nothing new.
		pacer.throttled(0, clock.now() - 1);
		gaps.push(await gap());
		await clock.sleep(5000);
		gaps.push(await gap());
		await clock.sleep(60_000);
		gaps.push(await gap());
	})();
	await clock.run();
	expect(gaps[0]).toBeCloseTo(1000 / 20);
	expect(gaps[1]).toBeGreaterThan(1000 / 10.3);
	expect(gaps[1]).toBeLessThanOrEqual(1000 / 10);
	expect(1000 / gaps[2]).toBeGreaterThan(14);
	expect(1000 / gaps[2]).toBeLessThan(17);
	expect(gaps[3]).toBeCloseTo(1000 / 20);
});

test('a request sent in the moment in which the rate is lowered is a sign of its own', async () => {
	const clock = new VirtualClock();
	const pacer = new Pacer(clock, 20);
	pacer.throttled(0, clock.now());
	pacer.throttled(0, clock.now());
	const sent = [await pacer.acquire()];
	const next = pacer.acquire().then((time) => sent.push(time));
	await clock.run();
	await next;
	expect(1000 / (sent[1] - sent[0])).toBeCloseTo(5, 0);
});

test('who had been cancelled before leaves at once, not when it is his turn', async () => {
	const clock = new VirtualClock();
	const pacer = new Pacer(clock, 1);
	void pacer.acquire();
	void pacer.acquire();
	const cancelled = pacer.acquire(AbortSignal.abort(new Error('cancelled')));
	await expect(cancelled).rejects.toThrow('cancelled');
	expect(clock.now()).toBe(0);
	await clock.run();
});

test('nothing stays behind on the signal of an execution, however many requests it sends', async () => {
	const clock = new VirtualClock();
	const pacer = new Pacer(clock);
	const { signal } = new AbortController();
	for (let n = 0; n < 3; n++) await pacer.acquire(signal);
	expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('who is cancelled leaves at once and takes no slot from the others', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.option(fc.nat(2000)), { minLength: 1, maxLength: 40 }),
			async (cancels) => {
				const clock = new VirtualClock();
				const pacer = new Pacer(clock, 10);
				const sent: number[] = [];
				const left: Array<{ meant: number; was: number }> = [];
				cancels.forEach((at) => {
					const controller = new AbortController();
					void pacer.acquire(controller.signal).then(
						(time) => sent.push(time),
						() => left.push({ meant: at as number, was: clock.now() }),
					);
					if (at !== null)
						void clock.sleep(at).then(() => controller.abort(new Error('cancelled')));
				});
				await clock.run();
				await settle();
				expect(sent.length + left.length).toBe(cancels.length);
				expect(left.filter(({ meant, was }) => meant !== was)).toEqual([]);
				// Whoever was let through came right after the one before, as if the others had never asked.
				sent.forEach((time, index) =>
					expect(time).toBeLessThanOrEqual(index * 100 + EPSILON * 1000),
				);
			},
		),
	);
});

/** A service that lets 25 requests through in any second; refused ones do not count. */
function makeServer(clock: VirtualClock, latency: () => number) {
	const passed: number[] = [];
	return async (): Promise<number> => {
		await clock.sleep(latency());
		const isFull = passed.filter((at) => at > clock.now() - 1000).length >= 25;
		if (!isFull) passed.push(clock.now());
		await clock.sleep(latency());
		return isFull ? 429 : 200;
	};
}

/** What the client does with one request, without HTTP. */
async function send(
	pacer: Pacer,
	clock: VirtualClock,
	server: () => Promise<number>,
	random: () => number,
) {
	const attempts = new Attempts(false, true);
	for (let refused = 0; ; refused++) {
		const sentAt = await pacer.acquire();
		const status = await server();
		if (status === 200) return { refused, at: clock.now() };
		const delay = attempts.delayAfter({ kind: 'status', status }, clock.now(), random());
		if (delay === undefined) throw new Error(`gave up after ${refused} refusals`);
		pacer.throttled(delay, sentAt);
	}
}

test('several workers share one limit of 25 a second: every request gets through, in reasonable time', async () => {
	const reals = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }));
	const workers = fc.integer({ min: 2, max: 8 });
	const inFlight = fc.integer({ min: 1, max: 50 });
	await fc.assert(
		fc.asyncProperty(workers, inFlight, fc.nat(400), reals, async (count, width, ms, numbers) => {
			const random = () => numbers.next().value as number;
			const clock = new VirtualClock();
			const server = makeServer(clock, () => ms * random());
			const requests = 60;
			const results: Array<{ refused: number; at: number }> = [];
			const worker = async () => {
				const pacer = new Pacer(clock, 24);
				let left = requests;
				const lane = async () => {
					while (left-- > 0) results.push(await send(pacer, clock, server, random));
				};
				await Promise.all(Array.from({ length: width }, lane));
			};
			let failure: unknown;
			Promise.all(Array.from({ length: count }, worker)).catch((error) => (failure = error));
			await clock.run();
			expect(failure).toBeUndefined();
			expect(results).toHaveLength(count * requests);
			const seconds = Math.max(...results.map(({ at }) => at)) / 1000;
			const ideal = (count * requests) / 25 + requests / 24;
			expect(seconds).toBeLessThan(ideal * 1.5 + 10);
		}),
		{ numRuns: 25 },
	);
}, 60_000);
