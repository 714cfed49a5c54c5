import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { logDir } from '../paths.mts';
import { suiteStack } from '../suite.mts';
import { prove, type Proof } from '../trigger/proof.mts';
import { balance, summary } from '../trigger/reconcile.mts';

/**
 * n8n is killed again and again in the middle of polls, and every entry of the log still comes out of the trigger
 * exactly once. MURAL_KILLS asks for more kills than CI has time for.
 */

const more = Number(process.env.MURAL_KILLS ?? 0);

const DURABLE = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	// Polls every three seconds need a scheduler that looks more often than every five.
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '2',
};

const columns: Array<{ name: string; proof: Proof; durationMs: number }> = [];
after(() => console.log(`\n${summary(columns)}\n`));

async function proof(name: string, env: Record<string, string>, kills: number): Promise<Proof> {
	const started = Date.now();
	const folder = `trigger-${name.replaceAll(' ', '-')}`;
	const stack = await suiteStack(folder, env);
	const found = await prove(stack, { kills, env, logDir: join(logDir, folder) });
	columns.push({ name, proof: found, durationMs: Date.now() - started });
	return found;
}

function none(ids: string[], what: string): void {
	assert.equal(ids.length, 0, `${ids.length} ${what}, such as ${ids.slice(0, 3).join(', ')}`);
}

function checkDelivery(found: Proof): void {
	const { strange, undelivered, lost, redelivered, crashed } = balance(found);
	none(strange, 'entries were emitted that are not new');
	none(redelivered, 'entries came downstream more often than they were emitted');
	const inCrash = new Set(crashed);
	none(
		undelivered.filter((id) => !inCrash.has(id)),
		'entries did not come downstream although their execution ended well',
	);
	none(lost, 'entries never came downstream, though their execution was retried');
	assert.ok(Object.keys(found.polls.faults).length >= 3, 'too few kinds of faults were played');
}

test('cursor in static data: none missing, repeats only where n8n itself rolled back', async () => {
	const kills = Math.max(20, more);
	const found = await proof('static data', {}, kills);
	const { missing, repeated } = balance(found);
	assert.ok(found.kills.inRequest >= kills);
	none(
		missing.filter((id) => !found.hostLost.has(id)),
		'entries are missing that n8n has not lost',
	);
	none(
		repeated.filter((id) => !found.hostRolledBack.has(id)),
		'entries were repeated that n8n has not rolled back',
	);
	checkDelivery(found);
});

test('durable cursors: none missing, none repeated', async () => {
	const kills = Math.max(8, more);
	const found = await proof('durable cursors', DURABLE, kills);
	const { missing, repeated } = balance(found);
	assert.ok(found.kills.inRequest >= kills);
	none(missing, 'entries are missing');
	none(repeated, 'entries were repeated');
	checkDelivery(found);
});
