import type { Sandbox } from '../../sandbox/index.mts';
import { startSmall } from './api.mts';

const MINUTE = 60_000;
let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSmall({ now: '2026-03-31T12:00:00Z', frozen: true, sizes: { entries: 0 } });
});

beforeEach(() => {
	sandbox.admin.reset();
});

afterAll(async () => {
	await sandbox.close();
});

test('entries appear at the rate, in order, and stop when told to', () => {
	const { admin } = sandbox;
	admin.live({ perMinute: 30 });
	for (let i = 0; i < 20; i++) admin.advance(MINUTE / 10);
	expect(admin.entryIds()).toHaveLength(60);
	const { entries } = admin.dump({ log: 100 }).log;
	const dates = entries.map(({ date }) => date as string);
	expect(dates).toEqual([...dates].sort().reverse());
	expect(dates[0] <= '2026-03-31 12:02:00.000').toBe(true);
	admin.live(null);
	admin.advance(MINUTE);
	expect(admin.entryIds()).toHaveLength(60);
});

test('people fail to sign in, draw murals, come and go', () => {
	const before = sandbox.state.murals.size;
	sandbox.admin.live({ perMinute: 1000 });
	sandbox.admin.advance(2 * MINUTE);
	const actions = new Set(sandbox.service.log.all().map(({ action }) => action));
	for (const action of [
		'SIGN_IN_FAILURE',
		'CREATE_MURAL',
		'LEAVE_WORKSPACE',
		'ACCEPT_MEMBERSHIP',
	]) {
		expect(actions).toContain(action);
	}
	const created = sandbox.admin.entryIds({ action: 'CREATE_MURAL' }).length;
	expect(sandbox.state.murals.size).toBe(before + created);
	for (const { action, affected } of sandbox.service.log.all()) {
		if (action === 'CREATE_MURAL') expect(sandbox.state.murals.has(affected.id)).toBe(true);
	}
});

test('suspended members do nothing', () => {
	const [working, ...others] = sandbox.state.users.values();
	for (const user of others) user.active = false;
	sandbox.admin.live({ perMinute: 100 });
	sandbox.admin.advance(MINUTE);
	const actors = new Set(sandbox.service.log.all().map(({ actor }) => actor.id));
	expect([...actors]).toEqual([working.id]);
});

test('some entries come late', () => {
	sandbox.admin.live({ perMinute: 100, lateShare: 0.5, lateMs: 10 * MINUTE });
	sandbox.admin.advance(MINUTE);
	const soon = sandbox.admin.entryIds().length;
	expect(soon).toBeGreaterThan(20);
	expect(soon).toBeLessThan(80);
	sandbox.admin.live(null);
	sandbox.admin.advance(10 * MINUTE);
	expect(sandbox.admin.entryIds()).toHaveLength(100);
	expect(sandbox.service.log.newest(1)[0].date).toBeLessThanOrEqual(Date.UTC(2026, 2, 31, 12, 1));
});

test('a jump of the clock brings no flood, a jump back no entry', () => {
	sandbox.admin.live({ perMinute: 1000 });
	sandbox.admin.advance(30 * 86_400_000);
	expect(sandbox.admin.entryIds()).toHaveLength(20_000);
	sandbox.admin.advance(-MINUTE);
	expect(sandbox.admin.entryIds()).toHaveLength(20_000);
	sandbox.admin.advance(MINUTE);
	expect(sandbox.admin.entryIds()).toHaveLength(21_000);
});

test('without a request the page of a running clock still moves', async () => {
	sandbox.admin.setClock({ rate: 100 });
	sandbox.admin.live({ perMinute: 600 });
	await new Promise((resolve) => setTimeout(resolve, 400));
	expect(sandbox.admin.entryIds().length).toBeGreaterThan(100);
});
