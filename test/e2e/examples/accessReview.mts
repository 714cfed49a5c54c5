import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import type { Example } from './example.mts';

/** One row for every member of a group and every workspace that the group opens. */
export async function accessReview(example: Example): Promise<void> {
	const { admin } = example.stack.sandbox;
	const { users, groups, mappings } = await admin.dump();
	const expected = groups.flatMap(({ id, displayName, members }) => {
		const mapped = Object.entries(mappings.find((mapping) => mapping.id === id)!.workspaces);
		const opened = mapped.length > 0 ? mapped : [['', []] as const];
		return members.flatMap(({ value }) => {
			const user = users.find((each) => each.id === value)!;
			return opened.map(([workspace, permissions]) => ({
				groupId: id,
				group: displayName,
				userId: value,
				workspace,
				permissions: permissions.toSorted().join(' '),
				email: user.userName,
				name: `${user.name.givenName} ${user.name.familyName}`,
				status: user.active ? 'active' : 'suspended',
			}));
		});
	});
	assert.ok(expected.length > 1000);

	await admin.clearRequests();
	const execution = await example.run('Start');
	const { name, text } = await example.fileOf(execution, 'Make the file');
	assert.equal(name, 'access-review.csv');
	type Row = (typeof expected)[number];
	const rows = (parse(text, { columns: true }) as Row[]).map((row) => ({
		...row,
		permissions: row.permissions.split(' ').toSorted().join(' '),
	}));
	const keysOf = (list: Row[]) =>
		new Set(list.map((row) => JSON.stringify(Object.entries(row).sort())));
	const [seen, wanted] = [keysOf(rows), keysOf(expected)];
	const missing = [...wanted].filter((row) => !seen.has(row));
	const besides = [...seen].filter((row) => !wanted.has(row));
	assert.deepEqual([missing.slice(0, 3), besides.slice(0, 3)], [[], []]);
	assert.equal(rows.length, expected.length);
	const changes = rows.filter(({ group }, index) => group !== rows[index - 1]?.group);
	assert.equal(changes.length, groups.filter(({ members }) => members.length > 0).length);
	const requests = await admin.requests();
	assert.ok(requests.every(({ method }) => method === 'GET'));
	// A hundred a page; users, groups and mappings once each.
	const pages = Math.ceil(users.length / 100) + 2 * Math.ceil(groups.length / 100);
	assert.equal(requests.length, pages);
}
