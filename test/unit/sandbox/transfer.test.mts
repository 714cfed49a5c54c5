import { setTimeout as sleep } from 'node:timers/promises';
import type { Sandbox } from '../../sandbox/index.mts';
import { call, lastActions, patchOp, startSmall } from './api.mts';

const PATH = '/workspaces/contents/transfer';
let sandbox: Sandbox;
/** Owns murals. */
let source: { id: string; userName: string };
/** Belongs to every workspace. */
let target: { id: string; userName: string };

beforeAll(async () => {
	sandbox = await startSmall({ now: '2026-03-31T12:00:00Z', frozen: true });
});

beforeEach(() => {
	sandbox.admin.reset();
	const { users, murals } = sandbox.state;
	[target] = users.values();
	const owner = [...murals.values()].find(({ ownerId }) => ownerId !== target.id)!.ownerId!;
	source = users.get(owner)!;
	sandbox.state.groups.forEach((group) => group.workspaces.clear());
});

afterAll(async () => {
	await sandbox.close();
});

const start = (from: unknown, to: unknown) =>
	call(sandbox, 'POST', PATH, { body: { transferFromUser: from, transferToUser: to } });

const begin = async () => (await start(source.userName, target.userName)).body.jobId as string;
const status = async (jobId: string) => (await call(sandbox, 'GET', `${PATH}/${jobId}`)).body;
const owned = (user: { id: string }) => sandbox.admin.access(user.id).owned.length;

test('the job runs in the background and ownership really moves', async () => {
	sandbox.admin.configure({ transfer: { durationMs: 10_000 } });
	const [before, targetBefore] = [owned(source), owned(target)];
	expect(before).toBeGreaterThan(0);
	const answer = await start(source.userName, target.userName);
	expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['jobId']]);
	const jobId = answer.body.jobId as string;
	expect(await status(jobId)).toEqual({ status: 'in-progress' });
	expect(owned(source)).toBe(before);

	sandbox.admin.advance(9_999);
	expect(await status(jobId)).toEqual({ status: 'in-progress' });
	expect(owned(target)).toBe(targetBefore + before - 1);

	sandbox.admin.advance(1);
	expect(await status(jobId)).toEqual({ status: 'finished' });
	expect([owned(source), owned(target)]).toEqual([0, targetBefore + before]);
	expect(lastActions(sandbox, 1)).toEqual([
		['APIKEY', 'FINISH_CONTENT_TRANSFER', 'USER', source.id],
	]);
});

test('a receiver outside one of the workspaces fails the job, and nothing has moved', async () => {
	const workspaceId = [...sandbox.state.workspaces.values()].find(({ members }) =>
		members.has(source.id),
	)!.id;
	sandbox.admin.setMembership({ workspaceId, user: target.id, role: null });
	const before = owned(source);
	const jobId = await begin();
	expect(await status(jobId)).toEqual({ status: 'in-progress' });
	sandbox.admin.advance(3000);
	expect(await status(jobId)).toEqual({
		status: 'failed',
		error: 'TO_USER_NOT_WORKSPACE_MEMBER',
		workspaceIds: [workspaceId],
	});
	expect(owned(source)).toBe(before);
});

test('a workspace reached through a group counts on both sides', async () => {
	const [group] = sandbox.state.groups.values();
	const [workspace] = sandbox.state.workspaces.values();
	workspace.members.delete(source.id);
	workspace.members.delete(target.id);
	for (const mural of sandbox.state.murals.values()) {
		if (mural.workspaceId === workspace.id) mural.ownerId = null;
	}
	group.workspaces.set(workspace.id, []);
	group.members = new Set([source.id]);
	const refused = await begin();
	group.members.add(target.id);
	const accepted = await begin();
	sandbox.admin.advance(3000);
	expect((await status(refused)).workspaceIds).toEqual([workspace.id]);
	expect(await status(accepted)).toEqual({ status: 'finished' });
});

test('a workspace that holds content of the source counts, though the source has left it', async () => {
	const [workspace] = sandbox.state.workspaces.values();
	workspace.members.delete(source.id);
	workspace.members.delete(target.id);
	const mural = { id: 'm1', title: 'M', workspaceId: workspace.id, ownerId: source.id };
	sandbox.state.murals.set('m1', mural);
	const jobId = await begin();
	sandbox.admin.advance(3000);
	expect((await status(jobId)).workspaceIds).toEqual([workspace.id]);
});

test('a suspended source is fine', async () => {
	sandbox.state.workspaces.forEach(({ members }) => members.set(target.id, 'admin'));
	const suspend = patchOp({ op: 'replace', path: 'active', value: false });
	const answer = await call(sandbox, 'PATCH', `/scim/Users/${source.id}`, { body: suspend });
	expect(answer.status).toBe(200);
	const jobId = await begin();
	sandbox.admin.advance(3000);
	expect(await status(jobId)).toEqual({ status: 'finished' });
	expect(owned(source)).toBe(0);
});

describe('errors of the spec', () => {
	test.each<[string, () => [unknown, unknown], string]>([
		['the same member', () => [target.userName, target.userName], 'SAME_USER'],
		[
			'the same member in other case',
			() => [target.userName, target.userName.toUpperCase()],
			'SAME_USER',
		],
		['an unknown source', () => ['x@y.example', target.userName], 'FROM_USER_NOT_MEMBER'],
		['an unknown destination', () => [source.userName, 'x@y.example'], 'TO_USER_NOT_MEMBER'],
		['a source by id', () => [source.id, target.userName], 'FROM_USER_NOT_MEMBER'],
		['no source', () => [undefined, target.userName], 'INVALID_INPUT'],
		['an empty destination', () => [source.userName, ''], 'INVALID_INPUT'],
		['a source of number', () => [5, target.userName], 'INVALID_INPUT'],
	])('%s', async (_, users, error) => {
		const answer = await start(...users());
		expect([answer.status, answer.body.error]).toEqual([400, error]);
		expect(sandbox.state.jobs.size).toBe(0);
	});

	test('an unknown job is 404', async () => {
		expect((await call(sandbox, 'GET', `${PATH}/none`)).status).toBe(404);
	});
});

describe('outcomes set by a test', () => {
	test('failed, with and without workspaces', async () => {
		sandbox.admin.configure({ transfer: { outcome: 'failed', error: 'BROKEN', durationMs: 0 } });
		expect(await status(await begin())).toEqual({ status: 'failed', error: 'BROKEN' });
		sandbox.admin.configure({ transfer: { workspaceIds: ['w1'] } });
		expect(await status(await begin())).toEqual({
			status: 'failed',
			error: 'BROKEN',
			workspaceIds: ['w1'],
		});
	});

	test('never ending, until it is told to', async () => {
		sandbox.admin.configure({ transfer: { outcome: 'in-progress' } });
		const jobId = await begin();
		sandbox.admin.advance(1e9);
		expect(await status(jobId)).toEqual({ status: 'in-progress' });
		sandbox.admin.setJob({ jobId, outcome: 'finished' });
		expect(await status(jobId)).toEqual({ status: 'finished' });
	});
});

describe('25 requests a second', () => {
	const burst = (count: number, key = sandbox.key) =>
		Promise.all(
			Array.from({ length: count }, () =>
				call(sandbox, 'GET', `${PATH}/none`, { headers: { authorization: `apikey ${key}` } }),
			),
		);
	const statuses = (answers: Array<{ status: number }>) => {
		const count = (status: number) => answers.filter((each) => each.status === status).length;
		return { passed: count(404), refused: count(429) };
	};

	test('over both endpoints, for all keys of an app', async () => {
		const same = sandbox.admin.createKey({ app: 'sandbox' });
		const other = sandbox.admin.createKey();
		for (let i = 0; i < 5; i++) await start('a', 'b');
		expect(statuses(await burst(10, same.key))).toEqual({ passed: 10, refused: 0 });
		expect(statuses(await burst(12))).toEqual({ passed: 10, refused: 2 });
		expect(statuses(await burst(5, other.key))).toEqual({ passed: 5, refused: 0 });
		expect((await call(sandbox, 'GET', '/scim/Users')).status).toBe(200);
		expect(sandbox.admin.counters().transferPerSecond).toEqual({ max: 32, maxAccepted: 30 });
	});

	test('the window slides; a 429 names no error and by default no wait', async () => {
		await burst(25);
		const [refused] = await burst(1);
		expect([refused.status, refused.body]).toEqual([429, {}]);
		expect(refused.headers.get('retry-after')).toBeNull();
		await sleep(1010);
		expect(statuses(await burst(26))).toEqual({ passed: 25, refused: 1 });
	});

	test.each(['seconds', 'date'] as const)('Retry-After in %s', async (retryAfter) => {
		sandbox.admin.configure({ transfer: { retryAfter } });
		const refused = (await burst(26)).find((each) => each.status === 429)!;
		const value = refused.headers.get('retry-after')!;
		if (retryAfter === 'seconds') expect(value).toBe('1');
		else expect(Date.parse(value) - sandbox.admin.now()).toBe(1000);
	});

	test('a fixed window opens all at once', async () => {
		sandbox.admin.configure({ transfer: { window: 'fixed', limit: 3, windowMs: 200 } });
		await sleep(200 - (performance.now() % 200) + 5);
		expect(statuses(await burst(5))).toEqual({ passed: 3, refused: 2 });
		await sleep(200);
		expect(statuses(await burst(5))).toEqual({ passed: 3, refused: 2 });
	});
});
