import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RemoteControls } from '../sandbox/admin.mts';
import { itemsOf, type N8nApi, type Workflow } from './n8nApi.mts';
import type { Host } from './n8nHost.mts';
import { everySeconds } from './pollTimes.mts';
import type { Postgres } from './services.mts';
import type { CredentialRef } from './workflows.mts';

/** Polls are planned in the database and done by whichever main instance claims them; each counts its own. */
export const DURABLE_SCHEDULER = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
	// Instances that look at fixed distances keep their order, and the first one gets everything.
	N8N_SCHEDULER_JITTER_RATIO: '0.9',
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '5',
	// A poll of a main instance that has gone is taken over after this many seconds.
	N8N_SCHEDULER_LEASE_DURATION: '10',
	N8N_SCHEDULER_POLL_TIMEOUT: '8',
	N8N_SCHEDULER_REAPER_INTERVAL: '3',
	N8N_METRICS: 'true',
	N8N_METRICS_INCLUDE_SCHEDULER_METRICS: 'true',
};

const LAST_NODE = 'Done';

/** The trigger, polling every two seconds and looking for late entries every minute, and a node that does nothing. */
export function triggerWorkflow({ type, id, name }: CredentialRef): Workflow {
	const trigger = 'New entries';
	return {
		name: 'Queue: trigger',
		nodes: [
			{
				id: '5e0e0000-0000-4000-8000-000000000003',
				name: trigger,
				type: 'n8n-nodes-mural-enterprise.muralEnterpriseTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {
					pollTimes: everySeconds(2),
					options: { lateHours: 1, reReadMinutes: 1 },
				},
				credentials: { [type]: { id, name } },
			},
			{
				id: '5e0e0000-0000-4000-8000-000000000004',
				name: LAST_NODE,
				type: 'n8n-nodes-base.noOp',
				typeVersion: 1,
				position: [220, 0],
				parameters: {},
			},
		],
		connections: { [trigger]: { main: [[{ node: LAST_NODE, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	};
}

/** Polls that this main instance has done, by its own metrics. */
export async function pollsOf({ url }: Host): Promise<number> {
	const metrics = await (await fetch(`${url}/metrics`)).text();
	const counts = metrics.matchAll(
		/^n8n_scheduler_tasks_completed_total\{.*task_type="workflow:poll-trigger".*\} (\d+)$/gm,
	);
	return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Ids of the entries that the executions of this workflow got, all of which have to end well. */
export async function emittedIds(
	{ query }: Postgres,
	api: N8nApi,
	workflowId: string,
): Promise<string[]> {
	const executions = await query<{ id: string }>(
		'SELECT id::text AS id FROM execution_entity WHERE "workflowId" = $1 ORDER BY execution_entity.id',
		[workflowId],
	);
	const ids: string[] = [];
	for (const { id } of executions) {
		const execution = await api.waitForExecution(id);
		assert.equal(execution.status, 'success', id);
		ids.push(...itemsOf(execution, LAST_NODE).map((item) => item.id as string));
	}
	return ids;
}

/** Writes entries into the log until `enough`; gives their ids. Some appear when later ones have been read. */
export async function writeUntil(
	enough: () => Promise<boolean>,
	admin: RemoteControls,
	timeoutMs: number,
): Promise<string[]> {
	const deadline = Date.now() + timeoutMs;
	const ids: string[] = [];
	do {
		assert.ok(Date.now() < deadline, 'Too few polls');
		const now = await admin.now();
		const late = { date: now, appearsAt: now + 5000 };
		ids.push(...(await admin.insertEntries([{ date: now }, { date: now }, late])));
		await sleep(700);
	} while (!(await enough()));
	return ids;
}
