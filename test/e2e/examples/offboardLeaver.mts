import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { outputOf, writesOf, type Example } from './example.mts';

/** As the example has them. */
const LEAVER = 'rosa.kumar28@aurelia.example';
const RECEIVER = 'mei.abadi0@aurelia.example';
/** Belongs to some workspaces only. */
const OUTSIDER = 'freya.bauer11@aurelia.example';

const START = 'POST /workspaces/contents/transfer';

interface Result {
	offboarded: boolean;
	suspended: boolean;
	jobId: string | null;
	jobStatus: string;
	workspaces: string[];
	state: string;
	advice: string;
}

export async function offboardLeaver(example: Example, t: TestContext): Promise<void> {
	const { admin } = example.stack.sandbox;
	const run = async (fields: Record<string, string> = {}) => {
		await admin.clearRequests();
		return await example.run('Start', { 'Who leaves': fields });
	};
	const lastJob = async () => (await admin.dump()).jobs.at(-1)!;
	const murals = async () =>
		(await admin.dump()).murals.map(({ id, ownerId }) => [id, ownerId] as const);
	const before = await admin.access(LEAVER);
	assert.ok(before.active && before.owned.length > 0);

	await t.test('a receiver outside of a workspace: the leaver is untouched', async () => {
		const owners = await murals();
		const execution = await run({ receiver: OUTSIDER });
		assert.deepEqual(await writesOf(admin), [START]);
		const job = await lastJob();
		const [result] = outputOf<Result>(execution, 'Not transferred');
		const { offboarded, suspended, jobId, jobStatus } = result;
		assert.deepEqual(
			{ offboarded, suspended, jobId, jobStatus },
			{ offboarded: false, suspended: false, jobId: job.jobId, jobStatus: 'failed' },
		);
		assert.ok(job.workspaceIds!.length > 0);
		assert.deepEqual(result.workspaces, job.workspaceIds);
		assert.match(result.state, /not suspended: The destination does not belong to all of/);
		for (const id of result.workspaces) assert.ok(result.advice.includes(id));
		assert.deepEqual(outputOf(execution, 'Offboarded'), []);
		assert.deepEqual(await admin.access(LEAVER), before);
		assert.deepEqual(await murals(), owners);
	});

	await t.test('a leaver who does not exist: nothing is started', async () => {
		const execution = await run({ leaver: 'nobody@aurelia.example' });
		assert.deepEqual(await writesOf(admin), []);
		const [{ jobId, jobStatus, state }] = outputOf<Result>(execution, 'Not transferred');
		assert.deepEqual([jobId, jobStatus], [null, 'not started']);
		assert.match(state, /No user was found for 'nobody@aurelia\.example'/);
	});

	await t.test('the suspension fails: what has happened is told', async () => {
		const path = '/scim/Users/';
		const fault = { method: 'PATCH', path, kind: 'status', status: 403, count: null } as const;
		const id = await admin.fault(fault);
		const execution = await run();
		await admin.clearFaults(id);
		const [{ suspended, jobId, jobStatus, state }] = outputOf<Result>(execution, 'Not suspended');
		const job = await lastJob();
		assert.deepEqual([suspended, jobId, jobStatus], [false, job.jobId, 'finished']);
		assert.match(state, /content has moved to the receiver, but the leaver could not be suspended/);
		const after = await admin.access(LEAVER);
		assert.deepEqual([after.active, after.owned], [true, []]);
	});

	await t.test('the content is moved, then the leaver is suspended', async () => {
		const execution = await run();
		const writes = await writesOf(admin);
		assert.deepEqual(writes, [START, `PATCH /scim/Users/${LEAVER}`]);
		const [result] = outputOf<Result>(execution, 'Offboarded');
		const job = await lastJob();
		assert.deepEqual([result.offboarded, result.suspended], [true, true]);
		assert.deepEqual([result.jobId, result.jobStatus], [job.jobId, 'finished']);
		assert.equal((await admin.access(LEAVER)).active, false);
		const { owned } = await admin.access(RECEIVER);
		for (const id of before.owned) assert.ok(owned.includes(id), `${id} was not moved`);
	});
}
