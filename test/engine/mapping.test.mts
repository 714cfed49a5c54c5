import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { PERMISSIONS } from '../../nodes/shared/mapping';
import {
	searchMappedGroups,
	searchWorkspaces,
} from '../../nodes/MuralEnterprise/methods/listSearch';
import type { Group, Permission } from '../sandbox/types.mts';
import { loadOptionsContext } from './contexts.mts';
import { runForJson } from './engine.mts';
import { by, useSandbox } from './groupSandbox.mts';

const service = useSandbox('mapping', {
	seed: 5,
	sizes: { users: 20, groups: 230, workspaces: 12, entries: 0 },
});
const { changes, credential, groups, refused, requests, run, runOne } = service;

const workspaceIds = () => [...service.sandbox.state.workspaces.keys()];
const mapped = ({ workspaces }: Group) => Object.fromEntries(workspaces);
const ids = (value: unknown) =>
	({ workspaceSource: 'text', workspaceIds: value }) as INodeParameters;
const picked = (...locators: Array<ReturnType<typeof by>>) => ({
	workspaceSource: 'list',
	workspaceList: { entries: locators.map((workspaceId) => ({ workspaceId })) },
});
const bodies = () => changes().map(({ body }) => JSON.parse(body) as IDataObject);

/** A group that is mapped to two workspaces, and others that it is not mapped to. */
function someMapping() {
	const group = groups()[0];
	const [one, two, ...others] = workspaceIds();
	const permissions: Permission[] = ['createRooms'];
	group.workspaces = new Map([
		[one, permissions],
		[two, []],
	]);
	return { group, one, two, others, groupId: by('id', group.id) };
}

describe('Get', () => {
	test('by id, by name, from the list', async () => {
		const { group, groupId } = someMapping();
		const expected = { id: group.id, name: group.displayName, workspaces: mapped(group) };
		for (const locator of [groupId, by('name', group.displayName), by('list', group.id)]) {
			expect(await runOne('get', { groupId: locator })).toEqual(expected);
		}
		// A key for mappings may not be allowed to read the SCIM groups.
		expect(requests('GET', '/scim/Groups')).toEqual([]);
	});

	test('simplified: the workspaces as a list', async () => {
		const { one, two, groupId } = someMapping();
		const none = { canDiscoverPublicRooms: false, canPublishTemplates: false, admin: false };
		expect(await runOne('get', { groupId, output: 'simplified' })).toMatchObject({
			workspaceCount: 2,
			workspaces: [
				{ workspaceId: one, createRooms: true, ...none },
				{ workspaceId: two, createRooms: false, ...none },
			],
		});
	});

	test('a group that does not exist, by id and by name', async () => {
		expect((await refused('get', { groupId: by('id', 'nope') })).message).toBe(
			"No group was found for 'nope'",
		);
		expect((await refused('get', { groupId: by('name', 'Nope') })).message).toBe(
			"No group has the name 'Nope'",
		);
	});

	test('mapping that is not enabled, and a key without the scope, have sentences of their own', async () => {
		const { groupId } = someMapping();
		service.sandbox.admin.configure({ mapping: { enabled: false } });
		for (const operation of ['get', 'getAll']) {
			const { message, description } = await refused(operation, { groupId });
			expect(message).toBe('The service does not allow group mapping for this API key');
			expect(description).toContain('until Mural support enables them');
			expect(description).toContain('MAPPING_NOT_ENABLED');
		}
		const { key } = service.sandbox.admin.createKey({ scopes: ['scim'] });
		const { error } = await run(
			'get',
			{ groupId },
			{ credential: { ...credential(), apiKey: key } },
		);
		expect(error?.message).toBe('The API key lacks the scope for this operation');
		expect(JSON.stringify(error)).not.toContain(key);
	});
});

test('Get Many: all mappings in the order of the service', async () => {
	const found = await runForJson({
		parameters: { resource: 'mapping', operation: 'getAll', returnAll: true },
		credential: credential(),
	});
	expect(found).toEqual(
		groups().map((group) => ({
			id: group.id,
			name: group.displayName,
			workspaces: mapped(group),
		})),
	);
	expect(requests('GET')).toHaveLength(3);
	const { items } = await run('getAll', { limit: 120 });
	expect(items).toHaveLength(120);
});

describe('Add Workspaces', () => {
	test('returns the mapping as it then is, and what was new', async () => {
		const { group, one, two, others, groupId } = someMapping();
		const json = await runOne('addWorkspaces', {
			groupId,
			...ids(`${one}, ${two}; ${others[0]}`),
			permissions: { createRooms: true },
		});
		expect(json).toEqual({
			id: group.id,
			name: group.displayName,
			workspaces: mapped(group),
			added: [others[0]],
			changed: [two],
			unchanged: [one],
		});
		const all = [one, two, others[0]];
		expect(mapped(group)).toEqual(Object.fromEntries(all.map((id) => [id, ['createRooms']])));
		expect(bodies()).toEqual([
			{
				action: 'add',
				workspaceIds: [others[0], two],
				permissions: {
					createRooms: true,
					canDiscoverPublicRooms: false,
					canPublishTemplates: false,
					admin: false,
				},
			},
		]);
	});

	test('Admin switches the others on; no permissions are none', async () => {
		const { group, others, groupId } = someMapping();
		const [a, b] = others;
		await runOne('addWorkspaces', {
			groupId,
			...picked(by('list', a)),
			permissions: { admin: true },
		});
		await runOne('addWorkspaces', { groupId, ...picked(by('id', b)) });
		expect(group.workspaces.get(a)).toEqual([...PERMISSIONS]);
		expect(group.workspaces.get(b)).toEqual([]);
	});

	test('workspaces and switches from expressions, an item each', async () => {
		const { group, others } = someMapping();
		const items = others.slice(0, 4).map((id, i) => ({ id, rooms: i % 2 === 0 }));
		const { items: out } = await run(
			'addWorkspaces',
			{
				groupId: by('name', group.displayName),
				...ids('={{ [$json.id] }}'),
				permissions: { createRooms: '={{ $json.rooms }}' },
			},
			{ items },
		);
		expect(out?.map(({ json }) => json.added)).toEqual(items.map(({ id }) => [id]));
		expect(out?.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
		for (const { id, rooms } of items) {
			expect(group.workspaces.get(id)).toEqual(rooms ? ['createRooms'] : []);
		}
	});

	test.each(['createRooms', 'canDiscoverPublicRooms', 'canPublishTemplates'])(
		'Admin on and %s explicitly off is refused',
		async (name) => {
			const { others, groupId } = someMapping();
			const { message, description } = await refused('addWorkspaces', {
				groupId,
				...ids(others[0]),
				permissions: { admin: true, [name]: false },
			});
			expect(message).toMatch(/^'Admin' is on and '.*' is off/);
			expect(description).toContain("switch 'Admin' off");
			expect(service.sandbox.admin.requests()).toEqual([]);
		},
	);

	test('Admin off with others off is no contradiction', async () => {
		const { group, others, groupId } = someMapping();
		const permissions = { admin: false, createRooms: false, canPublishTemplates: true };
		await runOne('addWorkspaces', { groupId, ...ids(others[0]), permissions });
		expect(group.workspaces.get(others[0])).toEqual(['canPublishTemplates']);
	});

	test('a workspace that does not exist', async () => {
		const { group, groupId } = someMapping();
		const before = mapped(group);
		const { error } = await run('addWorkspaces', { groupId, ...ids('atlantis') });
		expect(error?.message).toBe('The service refused the workspaces or their permissions');
		expect(error?.description).toContain('No such workspaces: atlantis');
		expect(mapped(group)).toEqual(before);
	});

	test('a service that accepts but does nothing', async () => {
		const { others, groupId } = someMapping();
		service.sandbox.admin.fault({ kind: 'body', body: { name: 'x' }, method: 'PATCH' });
		const { error } = await run('addWorkspaces', { groupId, ...ids(others[0]) });
		expect(error?.message).toBe(
			`The service accepted the change, but the mapping is not as asked for: ${others[0]}`,
		);
	});

	test('bad input', async () => {
		const { groupId } = someMapping();
		const cases: Array<[INodeParameters, string]> = [
			[ids(' , '), "'IDs' names no workspace"],
			[picked(), "'Workspace List' names no workspace"],
			[picked(by('list', '={{ $json.gone }}')), "'Workspace' is empty"],
			[ids('={{ [""] }}'), "Entry 1 of 'IDs' is empty"],
			[{ ...ids('a'), groupId: by('id', '={{ $json.gone }}') }, "'Group' is empty"],
			[
				{ ...ids('a'), permissions: { createRooms: '={{ "some" }}' } },
				"'Create Rooms' is neither true nor false",
			],
		];
		for (const [parameters, message] of cases) {
			expect((await refused('addWorkspaces', { groupId, ...parameters })).message).toBe(message);
			expect(service.sandbox.admin.requests()).toEqual([]);
		}
	});
});

describe('Remove Workspaces', () => {
	test('says what was removed and what was not mapped', async () => {
		const { group, one, two, others, groupId } = someMapping();
		const list = `${one},${others[0]},${one}`;
		expect(await runOne('removeWorkspaces', { groupId, ...ids(list) })).toEqual({
			id: group.id,
			name: group.displayName,
			workspaces: { [two]: [] },
			removed: [one],
			notMapped: [others[0]],
		});
		expect(bodies()).toEqual([{ action: 'remove', workspaceIds: [one] }]);
	});

	test('nothing is sent when none is mapped, or none is named', async () => {
		const { others, groupId } = someMapping();
		const json = await runOne('removeWorkspaces', { groupId, ...ids(others.join()) });
		expect(json).toMatchObject({ removed: [], notMapped: others });
		expect(changes()).toEqual([]);
		const { message } = await refused('removeWorkspaces', { groupId, ...ids('={{ [] }}') });
		expect(message).toBe("'IDs' names no workspace");
	});
});

test('items that change one mapping never overlap', async () => {
	const { group, groupId } = someMapping();
	service.sandbox.admin.setLatency({ ms: 0, jitterMs: 20 });
	const items = workspaceIds().map((id) => ({ id }));
	await run(
		'setWorkspaces',
		{ groupId, ...ids('={{ $json.id }}'), options: { concurrency: 10 } },
		{ items },
	);
	expect([...group.workspaces.keys()]).toEqual([items.at(-1)?.id]);
});

test('the pickers: groups of the mappings, and every workspace that is mapped', async () => {
	const last = groups().at(-1) as Group;
	const context = loadOptionsContext(credential());
	const found = await searchMappedGroups.call(context, last.displayName);
	expect(found.results).toContainEqual({ name: last.displayName, value: last.id });
	expect(requests('GET', '/scim/Groups')).toEqual([]);

	const counts = new Map<string, number>();
	for (const { workspaces } of groups()) {
		for (const id of workspaces.keys()) counts.set(id, (counts.get(id) ?? 0) + 1);
	}
	const all = await searchWorkspaces.call(context);
	expect(new Map(all.results.map(({ name, value }) => [value, name]))).toEqual(
		new Map([...counts].map(([id, n]) => [id, `${id} – ${n} ${n === 1 ? 'group' : 'groups'}`])),
	);
	const [id] = counts.keys();
	const some = await searchWorkspaces.call(context, id.toUpperCase());
	expect(some.results.map(({ value }) => value)).toEqual([id]);
});
