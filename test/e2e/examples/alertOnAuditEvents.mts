import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCollector } from '../collector.mts';
import { everySeconds } from '../pollTimes.mts';
import type { Example } from './example.mts';

interface Alert {
	text: string;
	action: string;
	person: string;
	count?: number;
	entryId?: string;
}

const TIMEOUT_MS = 30_000;

export async function alertOnAuditEvents(example: Example, t: TestContext): Promise<void> {
	const { sandbox, host } = example.stack;
	const collector = await startCollector<Alert>();
	t.after(async () => await collector.close());
	const { id } = await example.import(
		{ Settings: { webhookUrl: collector.url, failures: 5 } },
		({ nodes }) => {
			const trigger = nodes.find(({ name }) => name === 'New audit entries')!;
			trigger.parameters.pollTimes = everySeconds(3);
		},
	);
	await host.api.activate(id);
	t.after(async () => await host.api.deactivate(id));
	const insert = async (action: string, email: string, count = 1) => {
		const entry = { action, actor: { email, name: email.split('@')[0] } };
		return await sandbox.admin.insertEntries(Array.from({ length: count }, () => entry));
	};
	/** Waits until polls have read everything that is in the log now, and its executions have ended. */
	const settled = async () => {
		const { total } = await sandbox.admin.counters();
		const deadline = Date.now() + TIMEOUT_MS;
		for (;;) {
			const polled = (await sandbox.admin.counters()).total - total >= 2;
			const executions = await host.api.executions(id);
			if (polled && executions.every(({ stoppedAt }) => stoppedAt !== null)) return;
			assert.ok(Date.now() < deadline, 'The trigger does not poll');
			await sleep(100);
		}
	};

	await t.test('neither few failures nor other actions are told', async () => {
		await insert('SIGN_IN_FAILURE', 'ann@aurelia.example', 4);
		await insert('SIGN_IN_FAILURE', 'bob@aurelia.example', 4);
		await insert('CREATE_MURAL', 'carl@aurelia.example', 9);
		await settled();
		assert.deepEqual(collector.received, []);
	});

	await t.test(
		'a burst of one person and every change of single sign-on are told, once',
		async () => {
			const [first] = await insert('UPDATE_COMPANY_SSO', 'admin@aurelia.example');
			await insert('SIGN_IN_FAILURE', 'dora@aurelia.example', 7);
			await insert('SIGN_IN_FAILURE', 'emil@aurelia.example', 2);
			const [second] = await insert('UPDATE_COMPANY_SSO', 'admin@aurelia.example');
			await settled();
			await settled();
			const { received } = collector;
			const bursts = received.filter(({ action }) => action === 'SIGN_IN_FAILURE');
			assert.deepEqual(
				bursts.map(({ person, count }) => [person, count]),
				[['dora@aurelia.example', 7]],
			);
			assert.match(bursts[0].text, /^dora@aurelia\.example failed to sign in 7 times between 20/);
			const changes = received.filter(({ action }) => action === 'UPDATE_COMPANY_SSO');
			assert.deepEqual(changes.map(({ entryId }) => entryId).sort(), [first, second].sort());
			assert.match(changes[0].text, /^admin@aurelia\.example changed the single sign-on/);
			assert.equal(received.length, 3);
		},
	);
}
