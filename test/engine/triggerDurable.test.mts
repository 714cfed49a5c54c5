import type { Sandbox } from '../sandbox/index.mts';
import { startSandbox } from '../sandbox/index.mts';
import { TriggerHost } from './triggerHost.mts';

/** The trigger with n8n's durable cursors, which came with n8n 2. */

const HOUR = 60 * 60_000;

let sandbox: Sandbox;
beforeAll(async () => {
	const sizes = { users: 10, groups: 1, workspaces: 2, entries: 300 };
	sandbox = await startSandbox({ sizes, frozen: true });
});
afterAll(async () => await sandbox.close());

test('entries come from the activation on, not from the first poll after it', async () => {
	const { admin, key, url } = sandbox;
	const insert = () => admin.insertEntries([{ date: admin.now() - HOUR / 2 }]);
	const trigger = new TriggerHost({ credential: { apiKey: key, baseUrl: url }, durable: true });
	const next = async () => (await trigger.poll()).map(({ id }) => id);

	expect(await trigger.activate()).toEqual([]);
	admin.advance(HOUR);
	expect(insert()).toEqual(await next());

	// A later activation goes on where the one before ended.
	trigger.restart();
	admin.advance(HOUR);
	const meanwhile = insert();
	expect((await trigger.activate()).map(({ id }) => id)).toEqual(meanwhile);
	admin.advance(HOUR);
	expect(insert()).toEqual(await next());
});
