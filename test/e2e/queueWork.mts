import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RemoteControls } from '../sandbox/admin.mts';
import type { ExecutionStatus, N8nApi, Workflow } from './n8nApi.mts';
import type { Postgres } from './services.mts';
import type { CredentialRef } from './workflows.mts';

/** Work for n8n in queue mode: one webhook call an item, one execution a call, one effect in the sandbox at most. */

export const KINDS = ['read', 'suspend', 'transfer'] as const;
export type Kind = (typeof KINDS)[number];

export interface WorkItem {
	/** Stands in the call's body, by which its execution is found. */
	tag: string;
	kind: Kind;
	userId: string;
	email: string;
	/** Who gets the content. */
	receiver: string;
}

export interface ExecutionRecord {
	id: string;
	tag: string;
	status: ExecutionStatus;
	startedAt: Date | null;
	stoppedAt: Date | null;
	/** Run data as n8n stores it. */
	data: string;
}

type Dump = Awaited<ReturnType<RemoteControls['dump']>>;

/** Executed for each kind. The member comes in the body of the call. */
const OPERATIONS: Record<Kind, Record<string, unknown>> = {
	read: { resource: 'user', operation: 'get', userId: locator('email', 'email') },
	suspend: { resource: 'user', operation: 'suspend', userId: locator('id', 'userId') },
	transfer: {
		resource: 'transfer',
		operation: 'start',
		fromUser: locator('email', 'email'),
		toUser: locator('email', 'receiver'),
	},
};

function locator(mode: 'email' | 'id', field: keyof WorkItem) {
	return { __rl: true, mode, value: `={{ $json.body.${field} }}` };
}

const webhookPath = (kind: Kind) => `queue-${kind}`;

/** Webhook → the operation of this kind. */
export function workWorkflow(kind: Kind, { type, id, name }: CredentialRef): Workflow {
	return {
		name: `Queue: ${kind}`,
		nodes: [
			{
				id: '5e0e0000-0000-4000-8000-000000000001',
				name: 'Webhook',
				type: 'n8n-nodes-base.webhook',
				typeVersion: 2,
				position: [0, 0],
				webhookId: `5e0e0000-0000-4000-8000-00000000001${KINDS.indexOf(kind)}`,
				parameters: { httpMethod: 'POST', path: webhookPath(kind) },
			},
			{
				id: '5e0e0000-0000-4000-8000-000000000002',
				name: 'Mural Enterprise',
				type: 'n8n-nodes-mural-enterprise.muralEnterprise',
				typeVersion: 1,
				position: [220, 0],
				parameters: OPERATIONS[kind],
				credentials: { [type]: { id, name } },
			},
		],
		connections: {
			Webhook: { main: [[{ node: 'Mural Enterprise', type: 'main', index: 0 }]] },
		},
		settings: { executionOrder: 'v1' },
	};
}

/**
 * `count` items of mixed kinds (a fifth reads, a fifth suspends, the rest transfers), each about another member: active,
 * and no admin of a workspace, for the last one could not be suspended.
 */
export function planWork({ users, workspaces, mappings }: Dump, count: number): WorkItem[] {
	const roles = workspaces.flatMap(({ members }) => Object.entries(members));
	const admins = new Set(roles.filter(([, role]) => role === 'admin').map(([id]) => id));
	const [{ userName: receiver }, ...others] = users;
	const members = others.filter(({ active, id }) => active && !admins.has(id));
	assert.ok(mappings.length > 0);
	const used: Record<Kind, number> = { read: 0, suspend: 0, transfer: 0 };
	return Array.from({ length: count }, (_, index) => {
		const kind = KINDS[Math.min(index % 5, 2)];
		const from = kind === 'suspend' ? members : others;
		const user = from[used[kind]++];
		assert.ok(user, `The company has too few members for ${count} items`);
		const { id: userId, userName: email } = user;
		return { tag: `queue-item-${index}.`, kind, userId, email, receiver };
	});
}

/** Calls the webhooks, `lanes` at a time; n8n answers as soon as it has queued the execution. */
export async function callWebhooks(url: string, items: WorkItem[], lanes = 16): Promise<void> {
	const waiting = items.values();
	const lane = async () => {
		for (const item of waiting) {
			const answer = await fetch(`${url}/webhook/${webhookPath(item.kind)}`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(item),
			});
			assert.equal(answer.status, 200, `${item.tag}: ${await answer.text()}`);
		}
	};
	await Promise.all(Array.from({ length: lanes }, lane));
}

/** Executions of the webhooks that came after the one with this id, oldest first. */
export async function executionsAfter(postgres: Postgres, id: number): Promise<ExecutionRecord[]> {
	const rows = await postgres.query<Omit<ExecutionRecord, 'tag'>>(
		`SELECT e.id::text AS id, e.status, e."startedAt", e."stoppedAt", d.data
		FROM execution_entity e JOIN execution_data d ON d."executionId" = e.id
		WHERE e.id > $1 AND e.mode = 'webhook' ORDER BY e.id`,
		[id],
	);
	return rows.map((row) => ({ ...row, tag: /queue-item-\d+\./.exec(row.data)?.[0] ?? '' }));
}

/** How many executions after that id there are in each state. */
export async function statesAfter(
	postgres: Postgres,
	id: number,
): Promise<Partial<Record<ExecutionStatus, number>>> {
	const rows = await postgres.query<{ status: ExecutionStatus; count: number }>(
		`SELECT status, count(*)::int AS count FROM execution_entity
		WHERE id > $1 AND mode = 'webhook' GROUP BY status`,
		[id],
	);
	return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

export async function lastExecutionId(postgres: Postgres): Promise<number> {
	const [{ id }] = await postgres.query<{ id: number }>(
		'SELECT coalesce(max(id), 0)::int AS id FROM execution_entity',
	);
	return id;
}

/** Waits until `count` executions after that id have ended, well or not. */
export async function untilEnded(
	postgres: Postgres,
	id: number,
	count: number,
	timeoutMs: number,
): Promise<void> {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const states = await statesAfter(postgres, id);
		const { new: queued = 0, running = 0, waiting = 0, unknown = 0, ...ended } = states;
		const total = Object.values(ended).reduce((sum, number) => sum + number, 0);
		if (queued + running + waiting + unknown === 0 && total >= count) return;
		assert.ok(Date.now() < deadline, `After ${timeoutMs} ms: ${JSON.stringify(states)}`);
		await sleep(200);
	}
}

/** What became of one item: n8n's word for its execution, and how often the sandbox carried it out. */
export interface Outcome {
	item: WorkItem;
	execution: ExecutionRecord;
	effects: number;
}

/**
 * Sets items, executions and the sandbox's own state against each other.
 * @param since sandbox time at which the work began
 * @throws AssertionError when an item has no execution or several, or when something was done that nobody asked for
 */
export async function reconcile(
	items: WorkItem[],
	executions: ExecutionRecord[],
	admin: RemoteControls,
	since: number,
): Promise<Outcome[]> {
	const dump = await admin.dump({ log: 100_000 });
	const requests = await admin.requests();
	const suspensions = dump.log.entries
		.filter(({ action, date }) => action === 'SUSPEND_USER' && epoch(date as string) >= since)
		.map(({ affected }) => (affected as { id: string }).id);
	const reads = requests.filter(({ path, status }) => path === '/scim/Users' && status === 200);
	const effectsOf: Record<Kind, (item: WorkItem) => number> = {
		read: ({ email }) => reads.filter(({ query }) => String(query.filter).includes(email)).length,
		suspend: ({ userId }) => suspensions.filter((id) => id === userId).length,
		transfer: ({ userId }) => dump.jobs.filter(({ fromUserId }) => fromUserId === userId).length,
	};
	const byTag = Map.groupBy(executions, ({ tag }) => tag);
	const outcomes = items.map((item) => {
		const found = byTag.get(item.tag) ?? [];
		assert.equal(found.length, 1, `${item.tag} has ${found.length} executions`);
		return { item, execution: found[0], effects: effectsOf[item.kind](item) };
	});
	assert.equal(executions.length, items.length);
	const done = (kind: Kind) =>
		outcomes.reduce((sum, { item, effects }) => sum + (item.kind === kind ? effects : 0), 0);
	assert.equal(dump.jobs.length, done('transfer'), 'transfers that nobody asked for');
	assert.equal(suspensions.length, done('suspend'), 'suspensions that nobody asked for');
	for (const { item, effects } of outcomes.filter(({ item: { kind } }) => kind === 'suspend')) {
		const { active } = dump.users.find(({ id }) => id === item.userId)!;
		assert.equal(active, effects === 0, item.tag);
	}
	assert.ok(requests.every(({ keyMatched, keyLeaked }) => keyMatched && !keyLeaked));
	return outcomes;
}

/** Of a date as the audit log has it, in milliseconds. */
function epoch(date: string): number {
	return Date.parse(`${date.replace(' ', 'T')}Z`);
}

/** Waits until no transfer is under way, then checks that the members who gave away their content own none. */
export async function contentMoved(outcomes: Outcome[], admin: RemoteControls): Promise<number> {
	const deadline = Date.now() + 30_000;
	let dump = await admin.dump({ log: 1 });
	while (dump.jobs.some(({ status }) => status === 'in-progress')) {
		assert.ok(Date.now() < deadline, 'A transfer does not end');
		await sleep(500);
		dump = await admin.dump({ log: 1 });
	}
	const givers = new Set(dump.jobs.map(({ fromUserId }) => fromUserId));
	const asked = outcomes.filter(({ item }) => item.kind === 'transfer');
	assert.ok(asked.every(({ item, effects }) => givers.has(item.userId) === effects > 0));
	const receiver = dump.users.find(({ userName }) => userName === asked[0].item.receiver)!.id;
	assert.ok(
		dump.jobs.every(({ status, toUserId }) => status === 'finished' && toUserId === receiver),
	);
	assert.ok(dump.murals.every(({ ownerId }) => ownerId === null || !givers.has(ownerId)));
	return dump.jobs.reduce((sum, { moved }) => sum + moved, 0);
}

/** Activates the workflow of each kind. */
export async function activateWork(api: N8nApi, credential: CredentialRef): Promise<void> {
	for (const kind of KINDS) {
		const { id } = await api.createWorkflow(workWorkflow(kind, credential));
		await api.activate(id);
	}
}
