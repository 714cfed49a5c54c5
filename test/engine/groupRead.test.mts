import { searchGroups } from '../../nodes/MuralEnterprise/methods/listSearch';
import { loadOptionsContext } from './contexts.mts';
import { runForJson } from './engine.mts';
import { by, useSandbox } from './groupSandbox.mts';

const service = useSandbox('group', {
	seed: 3,
	sizes: { users: 320, groups: 230, workspaces: 5, entries: 0 },
});
const { credential, groups, membersOf, refused, requests, run, runOne, someGroup } = service;

describe('Get', () => {
	test('by id, by name, and from the list', async () => {
		const { group, groupId } = someGroup();
		const expected = {
			id: group.id,
			displayName: group.displayName,
			members: membersOf(group.id).map((value) => ({ value })),
			meta: { resourceType: 'Group' },
		};
		for (const locator of [groupId, by('list', group.id), by('name', group.displayName)]) {
			expect(await runOne('get', { groupId: locator })).toMatchObject(expected);
		}
	});

	test('simplified, and selected fields', async () => {
		const { group, groupId } = someGroup();
		expect(await runOne('get', { groupId, output: 'simplified' })).toEqual({
			id: group.id,
			displayName: group.displayName,
			externalId: group.externalId ?? null,
			memberCount: group.members.size,
			memberIds: membersOf(group.id),
			created: new Date(group.created).toISOString(),
			lastModified: new Date(group.lastModified).toISOString(),
		});
		const selected = { groupId, output: 'selected', fields: 'displayName' };
		expect(await runOne('get', selected)).toEqual({ displayName: group.displayName });
	});

	test('the last group of many pages is found by its name, with one read of the list for all items', async () => {
		const names = groups().map(({ displayName }) => displayName);
		const items = [names.at(-1), names[0], names[120]].map((name) => ({ name }));
		const found = await runForJson({
			parameters: { resource: 'group', operation: 'get', groupId: by('name', '={{ $json.name }}') },
			credential: credential(),
			items,
		});
		expect(found.map(({ displayName }) => displayName)).toEqual(items.map(({ name }) => name));
		expect(requests('GET', '/scim/Groups')).toHaveLength(3);
	});

	test('a name that no group has, with a hint at one that is spelt differently', async () => {
		const { group } = someGroup();
		expect(await refused('get', { groupId: by('name', 'No such group') })).toEqual({
			message: "No group has the name 'No such group'",
			description: expect.stringContaining("Change 'Group'"),
		});
		const wrong = group.displayName.toUpperCase();
		expect(await refused('get', { groupId: by('name', wrong) })).toEqual({
			message: `No group has the name '${wrong}'`,
			description: expect.stringContaining(`There is '${group.displayName}'`),
		});
	});

	test('a name that two groups have', async () => {
		const [first, second] = groups();
		second.displayName = first.displayName;
		expect(await refused('get', { groupId: by('name', first.displayName) })).toEqual({
			message: `2 groups have the name '${first.displayName}'`,
			description: expect.stringContaining(`${first.id} or ${second.id}`),
		});
	});

	test('an id that no group has, and an empty one', async () => {
		expect(await refused('get', { groupId: by('id', 'nope') })).toEqual({
			message: "No group was found for 'nope'",
			description: expect.stringContaining("Change 'Group'"),
		});
		const { message, description } = await refused('get', { groupId: by('id', ' ') });
		expect(message).toBe("'Group' is empty");
		expect(description).toContain("Select a group in 'Group'");
	});
});

describe('Get Many', () => {
	test('all groups in the order of the service, 100 a page', async () => {
		const found = await runForJson({
			parameters: { resource: 'group', operation: 'getAll', returnAll: true },
			credential: credential(),
		});
		expect(found.map(({ id }) => id)).toEqual(groups().map(({ id }) => id));
		expect(requests('GET').map(({ query }) => query)).toEqual([
			{ startIndex: '1', count: '100' },
			{ startIndex: '101', count: '100' },
			{ startIndex: '201', count: '100' },
		]);
	});

	test.each([1, 100, 130])('a limit of %i', async (limit) => {
		const { items } = await run('getAll', { limit });
		expect(items?.map(({ json }) => json.id)).toEqual(
			groups()
				.slice(0, limit)
				.map(({ id }) => id),
		);
	});

	test('pages that the service caps', async () => {
		service.sandbox.admin.configure({ scim: { maxCount: 30 } });
		const { items } = await run('getAll', { returnAll: true });
		expect(items?.map(({ json }) => json.id)).toEqual(groups().map(({ id }) => id));
	});

	test('bad limits', async () => {
		expect((await refused('getAll', { limit: 0 })).message).toContain("'Limit'");
		expect((await refused('getAll', { returnAll: '={{ "maybe" }}' })).message).toContain(
			"'Return All'",
		);
		const output = { output: 'selected', fields: ' ' };
		expect((await refused('getAll', output)).message).toBe("'Fields' is empty");
	});
});

test('one bad item among many: the others go through, in order and paired', async () => {
	const some = groups().slice(0, 6);
	const items = some.map(({ id }, i) => ({ id: i === 2 ? 'nope' : id }));
	const { items: out } = await run(
		'get',
		{ groupId: by('id', '={{ $json.id }}') },
		{ items, onError: 'continueRegularOutput' },
	);
	expect(out?.map(({ json }) => json.id ?? json.error)).toEqual(
		some.map(({ id }, i) => (i === 2 ? "No group was found for 'nope'" : id)),
	);
	expect(out?.map(({ pairedItem }) => pairedItem)).toEqual(some.map((_, item) => ({ item })));
});

test('the picker finds a group by a part of its name, on any page', async () => {
	const last = groups().at(-1) as { id: string; displayName: string };
	const context = loadOptionsContext(credential());
	const found = await searchGroups.call(context, last.displayName.slice(1).toUpperCase());
	expect(found.results).toContainEqual({ name: last.displayName, value: last.id });
	const first = await searchGroups.call(context);
	expect(first.results).toHaveLength(100);
	const second = await searchGroups.call(context, undefined, first.paginationToken);
	expect(second.results[0].value).toBe(groups()[100].id);
});
