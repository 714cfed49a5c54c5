import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../sandbox/index.mts';
import { startSandbox } from '../sandbox/index.mts';
import type { RunOptions } from './engine.mts';
import { runForJson, runNode } from './engine.mts';

let sandbox: Sandbox;
/** Receivers who belong to every workspace, a member with content, and a suspended member. */
let boss: string;
let deputy: string;
let leaver: string;
let suspended: string;

beforeAll(async () => {
	sandbox = await startSandbox({
		seed: 7,
		sizes: { users: 60, groups: 5, workspaces: 6, entries: 0 },
		behaviour: { transfer: { durationMs: 500 } },
	});
});
afterAll(async () => await sandbox.close());

beforeEach(() => {
	sandbox.admin.reset();
	const users = [...sandbox.state.users.values()];
	[boss, deputy] = users.map(({ userName }) => userName);
	const owner = users
		.slice(3)
		.find(({ active, userName }) => active && sandbox.admin.access(userName).owned.length > 3);
	leaver = owner?.userName ?? '';
	suspended = users.find(({ active }) => !active)?.userName ?? '';
	expect([leaver, suspended]).not.toContain('');
});

const credential = () => ({ apiKey: sandbox.key, baseUrl: sandbox.url });
const idOf = (email: string) =>
	[...sandbox.state.users.values()].find(({ userName }) => userName === email)?.id ?? '';
const by = (mode: 'email' | 'id' | 'list', value: string) => ({ __rl: true, mode, value });
const email = (value: string) => by('email', value);
const owned = (user: string) => sandbox.admin.access(user).owned;
const posts = () => sandbox.admin.requests().filter(({ method }) => method === 'POST');
const paths = () => sandbox.admin.requests().map(({ method, path }) => `${method} ${path}`);

const run = async (
	operation: string,
	parameters: INodeParameters,
	more: Partial<RunOptions> = {},
) =>
	await runNode({
		parameters: { resource: 'transfer', operation, ...parameters },
		credential: credential(),
		...more,
	});

const runOne = async (operation: string, parameters: INodeParameters): Promise<IDataObject> => {
	const [json] = await runForJson({
		parameters: { resource: 'transfer', operation, ...parameters },
		credential: credential(),
	});
	return json;
};

/** The item of a run under Continue On Fail. */
const failedItem = async (operation: string, parameters: INodeParameters) => {
	const { items } = await run(operation, parameters, { onError: 'continueRegularOutput' });
	expect(items).toHaveLength(1);
	return items?.[0].json as { error: string; details: IDataObject & { description: string } };
};

describe('Start', () => {
	test('sends e-mails, also for members named by ID or picked from the list', async () => {
		const job = await runOne('start', {
			fromUser: by('id', idOf(leaver)),
			toUser: by('list', idOf(boss)),
		});
		expect(job).toEqual({
			jobId: expect.any(String) as string,
			transferFromUser: leaver,
			transferToUser: boss,
		});
		expect(JSON.parse(posts()[0].body)).toEqual({
			transferFromUser: leaver,
			transferToUser: boss,
		});
		expect(sandbox.state.jobs.get(job.jobId as string)).toMatchObject({ fromUserId: idOf(leaver) });
	});

	test('e-mails need no look-up and go out in lower case', async () => {
		await runOne('start', { fromUser: email(leaver.toUpperCase()), toUser: email(boss) });
		expect(paths()).toEqual(['POST /workspaces/contents/transfer']);
		expect(JSON.parse(posts()[0].body)).toMatchObject({ transferFromUser: leaver });
	});

	test('one look-up a run finds the receiver of many', async () => {
		const givers = [...sandbox.state.users.values()].slice(10, 18).map(({ userName }) => userName);
		const { items } = await run(
			'start',
			{ fromUser: email('={{ $json.from }}'), toUser: by('id', idOf(boss)) },
			{ items: givers.map((from) => ({ from })) },
		);
		expect(items?.map(({ json }) => json.transferFromUser)).toEqual(givers);
		expect(paths().filter((path) => path.startsWith('GET'))).toHaveLength(1);
	});

	test.each([
		['by e-mail', () => email(leaver), () => email(` ${leaver.toUpperCase()} `), 0],
		['by ID', () => by('id', idOf(leaver)), () => by('list', idOf(leaver)), 0],
		['by both', () => by('id', idOf(leaver)), () => email(leaver), 1],
	])('the same member, named %s, is refused before sending', async (_, fromUser, toUser, reads) => {
		const item = await failedItem('start', { fromUser: fromUser(), toUser: toUser() });
		expect(item.error).toBe("'From User' and 'To User' are the same member");
		expect(item.details.description).toContain("Change 'To User'");
		expect(posts()).toEqual([]);
		expect(sandbox.admin.requests()).toHaveLength(reads);
	});

	test('a POST that may have been applied is not sent again, and the error says so', async () => {
		for (const fault of [
			{ kind: 'reset', applied: true } as const,
			{ kind: 'status', status: 503, applied: true } as const,
			{ kind: 'hang', applied: true } as const,
		]) {
			sandbox.admin.reset();
			sandbox.admin.fault({ ...fault, method: 'POST', count: null });
			const item = await failedItem('start', {
				fromUser: email(leaver),
				toUser: email(boss),
				options: { timeout: 1 },
			});
			expect(item.details.description).toContain('may have been carried out all the same');
			expect(posts()).toHaveLength(1);
			expect(sandbox.state.jobs.size).toBe(1);
		}
	});

	test('a POST that was refused for its rate is sent again', async () => {
		sandbox.admin.fault({ kind: 'status', status: 429, method: 'POST', count: 3 });
		await runOne('start', { fromUser: email(leaver), toUser: email(boss) });
		expect(posts()).toHaveLength(4);
		expect(sandbox.state.jobs.size).toBe(1);
	}, 20_000);
});

describe('Check Members First', () => {
	const start = (from: string, to: string, checkMembersFirst: unknown = true) => ({
		fromUser: email(from),
		toUser: email(to),
		options: { checkMembersFirst } as INodeParameters,
	});

	test.each([
		['From User', () => start('nobody@example.com', boss)],
		['To User', () => start(leaver, 'nobody@example.com')],
	])('%s who does not exist stops the start', async (label, parameters) => {
		const item = await failedItem('start', parameters());
		expect(item.error).toBe("No user was found for 'nobody@example.com'");
		expect(item.details.description).toContain(`Change '${label}'`);
		expect(posts()).toEqual([]);
	});

	test('a suspended receiver stops the start, a suspended giver does not', async () => {
		const item = await failedItem('start', start(leaver, suspended));
		expect(item.error).toBe(`The member in 'To User' is suspended: '${suspended}'`);
		expect(posts()).toEqual([]);
		expect(await runOne('start', start(suspended, boss))).toHaveProperty('jobId');
	});

	test('without it nothing is read', async () => {
		await runOne('start', start(leaver, suspended, false));
		expect(paths()).toEqual(['POST /workspaces/contents/transfer']);
	});
});

describe('Get Status', () => {
	test('tells each state, and why a job failed', async () => {
		const { jobId } = await runOne('start', { fromUser: email(leaver), toUser: email(boss) });
		const status = async () => await runOne('getStatus', { jobId: jobId as string });
		expect(await status()).toEqual({ jobId, status: 'in-progress', finished: false });
		sandbox.admin.advance(1000);
		expect(await status()).toEqual({ jobId, status: 'finished', finished: true });

		const [id] = sandbox.state.workspaces.keys();
		sandbox.admin.setMembership({ workspaceId: id, user: deputy, role: null });
		const other = await runOne('start', { fromUser: email(boss), toUser: email(deputy) });
		sandbox.admin.advance(1000);
		expect(await runOne('getStatus', { jobId: other.jobId as string })).toEqual({
			jobId: other.jobId,
			status: 'failed',
			finished: false,
			error: 'TO_USER_NOT_WORKSPACE_MEMBER',
			workspaceIds: [id],
		});
	});

	test('a job that does not exist', async () => {
		const item = await failedItem('getStatus', { jobId: 'no/such job' });
		expect(item.error).toBe("No transfer job was found for 'no/such job'");
		expect(paths()).toEqual(['GET /workspaces/contents/transfer/no%2Fsuch%20job']);
	});
});

describe('Start and Wait', () => {
	const transfer = (options: INodeParameters = {}) => ({
		fromUser: email(leaver),
		toUser: email(boss),
		options,
	});

	test('returns once all content has moved', async () => {
		const before = owned(leaver);
		const job = await runOne('startAndWait', transfer());
		expect(job).toEqual({
			jobId: expect.any(String) as string,
			status: 'finished',
			finished: true,
			transferFromUser: leaver,
			transferToUser: boss,
		});
		expect(owned(leaver)).toEqual([]);
		expect(owned(boss)).toEqual(expect.arrayContaining(before));
	});

	test('a failed job is an error with the reason and the workspaces', async () => {
		const failing = { fromUser: email(boss), toUser: email(leaver) };
		const { error, items } = await run('startAndWait', failing);
		expect(items).toBeUndefined();
		expect(error?.message).toContain("does not belong to all of the source's workspaces");
		const item = await failedItem('startAndWait', failing);
		const { jobId, workspaceIds } = item.details;
		expect(item.details).toMatchObject({
			status: 'failed',
			error: 'TO_USER_NOT_WORKSPACE_MEMBER',
		});
		expect(sandbox.state.jobs.get(jobId as string)?.workspaceIds).toEqual(workspaceIds);
		for (const id of workspaceIds as string[]) expect(item.details.description).toContain(id);
		expect(item.details.description).toContain('To User');
	});

	test('or, by option, an item', async () => {
		const job = await runOne('startAndWait', {
			fromUser: email(boss),
			toUser: email(leaver),
			options: { failedAsItems: true },
		});
		expect(job).toMatchObject({
			status: 'failed',
			finished: false,
			error: 'TO_USER_NOT_WORKSPACE_MEMBER',
			transferFromUser: boss,
		});
	});

	test('when the time is up, Get Status can go on from the item', async () => {
		sandbox.admin.configure({ transfer: { durationMs: 3_600_000 } });
		const item = await failedItem('startAndWait', transfer({ waitMinutes: '0.03' }));
		expect(item.error).toBe(
			"The transfer has not ended within 0.03 min; its last status is 'in-progress'",
		);
		const { jobId } = item.details;
		expect(item.details).toMatchObject({ status: 'in-progress', finished: false });
		expect(item.details.description).toContain(jobId);
		sandbox.admin.advance(3_600_000);
		const job = await runOne('getStatus', { jobId: jobId as string });
		expect(job).toEqual({ jobId, status: 'finished', finished: true });
	});

	test('a service that fails for a while while we wait costs nothing but time', async () => {
		sandbox.admin.fault({ kind: 'reset', method: 'GET', count: 2 });
		sandbox.admin.fault({ kind: 'html', method: 'GET', count: 1 });
		expect(await runOne('startAndWait', transfer())).toMatchObject({ finished: true });
		expect(posts()).toHaveLength(1);
	}, 20_000);

	test('a key that is revoked while we wait: the error carries the jobId', async () => {
		const start = { kind: 'body', status: 401, body: { error: 'API_KEY' } } as const;
		sandbox.admin.fault({ ...start, method: 'GET', count: null });
		const item = await failedItem('startAndWait', transfer());
		expect(item.error).toBe('The service did not accept the API key');
		expect(sandbox.state.jobs.has(item.details.jobId as string)).toBe(true);
		expect(item.details.description).toContain('Get Status');
	});

	test('cancelling the execution stops the wait', async () => {
		sandbox.admin.configure({ transfer: { durationMs: 3_600_000 } });
		let cancel = () => {};
		const running = run('startAndWait', transfer(), { onStart: (stop) => (cancel = stop) });
		await until(() => paths().some((path) => path.startsWith('GET')));
		cancel();
		const { items } = await running;
		expect(items).toBeUndefined();
		const { length } = paths();
		await new Promise((resolve) => setTimeout(resolve, 2500));
		expect(paths()).toHaveLength(length);
	}, 20_000);

	test('cancelling while many items are queued starts no further transfer', async () => {
		sandbox.admin.configure({ transfer: { durationMs: 3_600_000 } });
		const givers = [...sandbox.state.users.values()].slice(5, 45);
		let cancel = () => {};
		const running = run(
			'startAndWait',
			{ fromUser: email('={{ $json.from }}'), toUser: email(boss) },
			{
				items: givers.map(({ userName }) => ({ from: userName })),
				onStart: (stop) => (cancel = stop),
				onError: 'continueRegularOutput',
			},
		);
		await until(() => posts().length === 10);
		cancel();
		await running;
		await new Promise((resolve) => setTimeout(resolve, 500));
		expect(posts()).toHaveLength(10);
	});
});

async function until(isTrue: () => boolean): Promise<void> {
	for (let tries = 0; !isTrue(); tries++) {
		if (tries > 400) throw new Error('It never came true');
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
}
