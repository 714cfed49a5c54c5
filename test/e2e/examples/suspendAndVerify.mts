import assert from 'node:assert/strict';
import { EXAMPLE_TRIGGER, readRun } from '../example.mts';
import { writesOf, type Example } from './example.mts';

/** The newcomer's example; `npm start -- --check` looks at it more closely. */
export async function suspendAndVerify(example: Example): Promise<void> {
	const { admin } = example.stack.sandbox;
	await admin.clearRequests();
	const { suspended, results } = readRun(await example.run(EXAMPLE_TRIGGER));
	const [{ id, userName }] = suspended;
	const { users, log } = await admin.dump();
	assert.equal(users.find((user) => user.id === id)?.active, false);
	assert.deepEqual(await writesOf(admin), [`PATCH /scim/Users/${id}`]);
	const [{ member, active, entryId, action }] = results;
	assert.deepEqual([member, active], [userName, false]);
	const entry = log.entries.find((each) => each.id === entryId);
	assert.equal(entry?.action, action);
	assert.equal((entry?.affected as { id: string }).id, id);
}
