import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import type { Sandbox } from '../sandbox/index.mts';
import { startSandbox } from '../sandbox/index.mts';
import { byEmail, runsOf } from './runs.mts';

/** Transfers of many items and of several processes: their order, their pace, the limit that one app has. */

let sandbox: Sandbox;
const { result, run } = runsOf('transfer', () => sandbox);

beforeAll(async () => {
	sandbox = await startSandbox({
		seed: 7,
		sizes: { users: 80, groups: 5, workspaces: 6, entries: 0 },
		behaviour: { transfer: { durationMs: 500 } },
	});
});
afterAll(async () => await sandbox.close());
beforeEach(() => sandbox.admin.reset());

const emails = () => [...sandbox.state.users.values()].map(({ userName }) => userName);
const owned = (user: string) => sandbox.admin.access(user).owned;
const counters = () => sandbox.admin.counters();
const fromAndTo = {
	fromUser: byEmail('={{ $json.from }}'),
	toUser: byEmail('={{ $json.to }}'),
};

test('what a member gets before giving away is given away too; a receiver may be shared', async () => {
	const [boss, deputy, , ...others] = emails();
	const givers = others.filter((giver) => owned(giver).length > 0).slice(0, 3);
	const total = givers.reduce((sum, giver) => sum + owned(giver).length, 0);
	const pairs = [...givers.map((from) => ({ from, to: deputy })), { from: deputy, to: boss }];
	const items = await run('startAndWait', fromAndTo, { items: pairs });
	expect(items.map(({ transferFromUser }) => transferFromUser)).toEqual([...givers, deputy]);
	const [first, second, third, last] = [...sandbox.state.jobs.values()];
	expect(Math.max(second.startedAt, third.startedAt)).toBeLessThan(first.finishesAt);
	expect(last.startedAt).toBeGreaterThanOrEqual(
		Math.max(first.finishesAt, second.finishesAt, third.finishesAt),
	);
	expect(owned(boss).length).toBeGreaterThanOrEqual(total);
	expect(owned(deputy)).toEqual([]);
}, 20_000);

test('one process sends at most 25 requests a second, whatever runs at the same time', async () => {
	const [boss, leaver] = emails();
	const [{ jobId }] = await run('start', { fromUser: byEmail(leaver), toUser: byEmail(boss) });
	sandbox.admin.clearRequests();
	const { key } = sandbox.admin.createKey({ app: 'sandbox' });
	const items = Array.from({ length: 40 }, () => ({}));
	const parameters = { jobId: jobId as string, options: { concurrency: 50 } };
	const runs = await Promise.all(
		[sandbox.key, key, sandbox.key].map(
			async (apiKey) =>
				await run('getStatus', parameters, {
					items,
					credential: { apiKey, baseUrl: sandbox.url },
				}),
		),
	);
	expect(runs.map(({ length }) => length)).toEqual([40, 40, 40]);
	expect(counters().perStatus).toEqual({ 200: 120 });
	expect(counters().transferPerSecond.max).toBeLessThanOrEqual(25);
}, 20_000);

test('after a 429 nobody sends for a while, and everything gets through', async () => {
	const [boss, ...givers] = emails();
	sandbox.admin.fault({ kind: 'status', status: 429, retryAfter: 1, count: 2 });
	const items = givers.slice(0, 20).map((from) => ({ from, to: boss }));
	const { items: done } = await result('start', fromAndTo, { items });
	expect(done).toHaveLength(20);
	expect(sandbox.state.jobs.size).toBe(20);
	const refused = sandbox.admin.requests().filter(({ status }) => status === 429);
	const times = sandbox.admin.requests().map(({ at }) => Date.parse(at));
	const gaps = times.slice(1).map((time, index) => time - times[index]);
	expect(refused).toHaveLength(2);
	expect(Math.max(...gaps)).toBeGreaterThanOrEqual(950);
}, 20_000);

test('four processes share the limit of one app: nothing fails, nothing is started twice', async () => {
	const [boss, ...givers] = emails();
	const items = givers.slice(0, 60).map((from) => ({ from, to: boss }));
	const workers = Array.from({ length: 4 }, () =>
		spawn(process.execPath, [
			...['--import', 'tsx', join(__dirname, 'transferWorker.mts')],
			...[sandbox.url, sandbox.key],
		]),
	);
	const lines = workers.map(({ stdout }) => createInterface(stdout)[Symbol.asyncIterator]());
	const next = async () =>
		await Promise.all(
			lines.map(async (each) => JSON.parse(String((await each.next()).value)) as unknown),
		);
	expect(await next()).toEqual(Array(4).fill('ready'));
	workers.forEach(({ stdin }) => stdin.end(JSON.stringify(items)));
	expect(await next()).toEqual(Array(4).fill({ started: 60, failed: 0 }));
	expect(sandbox.state.jobs.size).toBe(240);
	expect(counters().perStatus['200']).toBe(240);
	// They did get in each other's way.
	expect(counters().perStatus['429']).toBeGreaterThan(0);
	expect(counters().transferPerSecond.maxAccepted).toBeLessThanOrEqual(25);
}, 120_000);
