import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { stopAll } from '../child.mts';
import { logDir } from '../paths.mts';
import { inFlight, QueueHost, type Worker } from '../queueHost.mts';
import { measure, measuredTable, type Measured } from '../queueMeasure.mts';
import {
	DURABLE_SCHEDULER,
	emittedIds,
	pollsOf,
	triggerWorkflow,
	writeUntil,
} from '../queueTrigger.mts';
import {
	activateWork,
	callWebhooks,
	contentMoved,
	executionsAfter,
	lastExecutionId,
	planWork,
	reconcile,
	untilEnded,
	type Outcome,
} from '../queueWork.mts';
import { startSandboxProcess } from '../sandboxProcess.mts';
import { CREDENTIAL_TYPE, SEED } from '../stack.mts';
import { tarball } from '../suite.mts';

/**
 * n8n in queue mode. E2E_QUEUE_EXECUTIONS and E2E_QUEUE_FEWER set how many executions three workers and one worker get;
 * E2E_QUEUE_TIMEOUT how many seconds a step may take.
 */
const EXECUTIONS = Number(process.env.E2E_QUEUE_EXECUTIONS ?? 500);
const FEWER = Number(process.env.E2E_QUEUE_FEWER ?? 150);
const TIMEOUT_MS = Number(process.env.E2E_QUEUE_TIMEOUT ?? 240) * 1000;
/** Executions at a time in a worker: enough that waiting transfers do not keep out everything else. */
const CONCURRENCY = 40;
/** Requests a second (spec: Limits). */
const LIMIT = 25;

const logs = join(logDir, 'queue');
const host = await QueueHost.start({ tarball: tarball(), logDir: logs });
after(async () => {
	await host.stop();
	await stopAll();
});
const { postgres, queue, secrets } = host;
const [main, sandbox] = await Promise.all([
	host.startMain('main-1', DURABLE_SCHEDULER),
	startSandboxProcess({
		key: secrets.sandboxKey,
		logFile: join(logs, 'sandbox.log'),
		seed: SEED,
	}),
]);
const { admin } = sandbox;
const data = { apiKey: sandbox.key, baseUrl: sandbox.url };
const credentialId = await main.api.saveCredential(CREDENTIAL_TYPE, 'Mural sandbox', data);
const credential = { id: credentialId, name: 'Mural sandbox', type: CREDENTIAL_TYPE };
await activateWork(main.api, credential);
const workers: Worker[] = [await host.startWorker('worker-1', CONCURRENCY)];

const measured: Array<[string, Measured]> = [];
const notes: string[] = [];

/** Queues the work while the workers pause, lets them go, and waits for the end. */
async function work(count: number, during: () => Promise<void> = async () => {}) {
	await admin.reset();
	const items = planWork(await admin.dump({ log: 0 }), count);
	const since = await admin.now();
	const lastId = await lastExecutionId(postgres);
	await queue.pause();
	await callWebhooks(main.url, items);
	const queued = await executionsAfter(postgres, lastId);
	assert.equal(queued.filter(({ status }) => status === 'new').length, count);
	await queue.resume();
	await during();
	await untilEnded(postgres, lastId, count, TIMEOUT_MS);
	// Of an execution that it gives up n8n keeps an error in the place of what came in.
	const tags = new Map(queued.map(({ id, tag }) => [id, tag]));
	const executions = (await executionsAfter(postgres, lastId)).map((execution) => ({
		...execution,
		tag: tags.get(execution.id) ?? '',
	}));
	return await reconcile(items, executions, admin, since);
}

function assertAllDone(outcomes: Outcome[]): void {
	const failed = outcomes.filter(({ execution }) => execution.status !== 'success');
	assert.deepEqual(
		failed.map(({ item, execution }) => [item.tag, execution.status, execution.data.slice(-600)]),
		[],
	);
	const wrong = outcomes.filter(({ effects }) => effects !== 1);
	assert.deepEqual(
		wrong.map(({ item, effects }) => [item.tag, item.kind, effects]),
		[],
	);
}

test(`one worker, ${FEWER} executions: none fails, each has its one effect`, async () => {
	const outcomes = await work(FEWER);
	assertAllDone(outcomes);
	assert.ok((await contentMoved(outcomes, admin)) > 0);
	const result = await measure(outcomes, admin);
	measured.push(['one worker', result]);
	const { maxAccepted, refused } = result;
	assert.ok(maxAccepted <= LIMIT);
	// Alone it stays below the limit, so next to nothing is refused.
	assert.ok(refused <= FEWER / 20, `${refused} refused`);
});

test(`three workers, ${EXECUTIONS} executions: none fails, the limit is kept between them`, async () => {
	workers.push(
		...(await Promise.all(
			['worker-2', 'worker-3'].map(async (name) => await host.startWorker(name, CONCURRENCY)),
		)),
	);
	const outcomes = await work(EXECUTIONS);
	assertAllDone(outcomes);
	assert.ok((await contentMoved(outcomes, admin)) > 0);
	for (const worker of workers) {
		assert.ok((await inFlight(worker)).all.length > 0, `${worker.name} had nothing to do`);
	}
	const result = await measure(outcomes, admin);
	measured.push(['three workers', result]);
	const { maxAccepted, arrivedLater, refusedLater } = result;
	assert.ok(maxAccepted <= LIMIT);
	// Each worker by itself would send 23 a second.
	assert.ok(arrivedLater <= LIMIT * 1.1, `${arrivedLater} a second`);
	assert.ok(refusedLater < 0.2, `${refusedLater} refused`);
});

test('a worker killed at work loses nothing but what n8n reports as failed', async () => {
	const victim = workers.at(-1)!;
	let interrupted: string[] = [];
	const before = (await inFlight(victim)).all.length;
	const outcomes = await work(FEWER, async () => {
		await admin.setLatency({ ms: 300, jitterMs: 300 });
		const deadline = Date.now() + TIMEOUT_MS;
		for (;;) {
			const { all, ids } = await inFlight(victim);
			if (all.length - before >= FEWER / 15 && ids.length >= 5) break;
			assert.ok(Date.now() < deadline, 'The worker gets no work');
			await sleep(20);
		}
		await victim.process.kill9();
		interrupted = (await inFlight(victim)).ids;
	});
	workers.pop();
	const logs = await Promise.all(workers.map(inFlight));
	const elsewhere = new Set(logs.flatMap(({ all }) => all));
	const failed = outcomes.filter(({ execution }) => execution.status !== 'success');
	const rest = outcomes.filter(({ execution }) => execution.status === 'success');
	assertAllDone(rest);
	assert.ok(failed.length > 0, 'Nothing was interrupted');
	for (const { item, execution, effects } of failed) {
		const what = `${item.tag} (${execution.id}, ${execution.status})`;
		assert.ok(!elsewhere.has(execution.id), `${what} was another worker's`);
		assert.equal(execution.status, 'error', what);
		assert.match(execution.data, /failed to be processed too many times/, what);
		// It may have come through before the end, but nobody sends it again. What the worker had taken and not begun
		// has done nothing.
		const most = interrupted.includes(execution.id) ? 1 : 0;
		assert.ok(effects <= most, `${what} was done ${effects} times`);
	}
	await contentMoved(outcomes, admin);
	const done = failed.filter(({ effects }) => effects > 0).length;
	const states = [...new Set(failed.map(({ execution }) => execution.status))].join(', ');
	notes.push(
		`Killed worker: ${interrupted.length} executions under way, ${failed.length} given up by n8n (status ${states}), ` +
			`${done} of them had taken effect; the other ${rest.length} of ${outcomes.length} succeeded.`,
	);
});

test('n8n refuses two main instances as a cluster without a licence', async () => {
	const second = await host.spawnMain('main-unlicensed', { N8N_MULTI_MAIN_SETUP_ENABLED: 'true' });
	const timeout = AbortSignal.timeout(TIMEOUT_MS);
	const exit = await Promise.race([second.exited, once(timeout, 'abort')]);
	assert.ok(!Array.isArray(exit), 'It runs');
	assert.notEqual(exit.code, 0);
	assert.match(second.logTail(), /not licensed|license/i);
});

test('durable scheduler: two instances poll, one is killed, each entry comes once', async (t) => {
	await admin.reset();
	const { id: workflowId } = await main.api.createWorkflow(triggerWorkflow(credential));
	const other = await host.startMain('main-2', DURABLE_SCHEDULER);
	await other.api.activate(workflowId);
	t.after(async () => await main.api.deactivate(workflowId));

	// n8n publishes after it has answered; the trigger begins with its first poll.
	const deadlineOfStart = Date.now() + TIMEOUT_MS;
	while ((await pollsOf(main)) + (await pollsOf(other)) === 0) {
		assert.ok(Date.now() < deadlineOfStart, 'No poll');
		await sleep(200);
	}
	let before = { main: 0, other: 0 };
	const bothPoll = async () => {
		before = { main: await pollsOf(main), other: await pollsOf(other) };
		return before.main > 0 && before.other > 0 && before.main + before.other >= 10;
	};
	const inserted = await writeUntil(bothPoll, admin, TIMEOUT_MS);
	await other.process.kill9();
	const goesOn = async () => (await pollsOf(main)) >= before.main + 5;
	inserted.push(...(await writeUntil(goesOn, admin, TIMEOUT_MS)));

	const deadline = Date.now() + TIMEOUT_MS;
	let emitted = new Set<string>();
	while (inserted.some((id) => !emitted.has(id))) {
		assert.ok(Date.now() < deadline, `${inserted.length} written, ${emitted.size} emitted`);
		await sleep(3000);
		emitted = new Set(await emittedIds(postgres, main.api, workflowId));
	}
	// Later polls would bring a second copy.
	const settled = (await pollsOf(main)) + 3;
	while ((await pollsOf(main)) < settled) await sleep(500);
	const ids = await emittedIds(postgres, main.api, workflowId);
	assert.deepEqual(ids.toSorted(), inserted.toSorted());
	notes.push(
		`Durable scheduler: ${inserted.length} entries, each once. Polls before one instance was killed: ` +
			`${before.other} by it, ${before.main} by the other, which then went on.`,
	);
});

after(() => {
	if (measured.length > 0) console.log(`\n${measuredTable(measured)}`);
	for (const note of notes) console.log(`\n  ${note}`);
});
