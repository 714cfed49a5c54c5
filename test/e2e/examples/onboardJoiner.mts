import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { outputOf, writesOf, type Example } from './example.mts';

/** As the example has them. */
const JOINER = 'nora.lindgren@aurelia.example';
const GROUP = 'Design EMEA';

interface Report {
	email: string;
	created: boolean;
	group: string;
	addedToGroup: boolean;
	workspaces: Array<{ workspaceId: string; [permission: string]: boolean | string }>;
}

export async function onboardJoiner(example: Example, t: TestContext): Promise<void> {
	const { admin } = example.stack.sandbox;
	const before = await admin.dump();
	const group = before.groups.find(({ displayName }) => displayName === GROUP)!;
	const mapping = before.mappings.find(({ id }) => id === group.id)!;
	assert.ok(Object.keys(mapping.workspaces).length > 0);
	const run = async () => {
		await admin.clearRequests();
		const [report, ...more] = outputOf<Report>(await example.run('Start'), 'Report');
		assert.deepEqual(more, []);
		return report;
	};

	await t.test('a new member gets into the group and its workspaces', async () => {
		const { workspaces, ...report } = await run();
		const expected = { email: JOINER, created: true, group: GROUP, addedToGroup: true };
		assert.deepEqual(report, expected);
		for (const { workspaceId, ...flags } of workspaces) {
			const allowed = Object.keys(flags).filter((name) => flags[name]);
			const permissions = mapping.workspaces[workspaceId];
			assert.deepEqual(allowed.toSorted(), permissions.toSorted());
		}
		const access = await admin.access(JOINER);
		assert.deepEqual(
			access.workspaces.map(({ id }) => id).toSorted(),
			workspaces.map(({ workspaceId }) => workspaceId).toSorted(),
		);
		const user = (await admin.dump()).users.find(({ userName }) => userName === JOINER)!;
		const { givenName, familyName } = user.name;
		assert.deepEqual([user.active, givenName, familyName], [true, 'Nora', 'Lindgren']);
		const writes = await writesOf(admin);
		assert.deepEqual(writes, ['POST /scim/Users', `PATCH /scim/Groups/${group.id}`]);
	});

	await t.test('again: nothing is left to do', async () => {
		const { created, addedToGroup, workspaces } = await run();
		const expected = Object.keys(mapping.workspaces);
		assert.deepEqual([created, addedToGroup], [false, false]);
		assert.deepEqual(workspaces.map(({ workspaceId }) => workspaceId).toSorted(), expected.sort());
		const members = (await admin.dump()).groups.find(({ id }) => id === group.id)!.members;
		assert.equal(members.length, group.members.length + 1);
	});
}
