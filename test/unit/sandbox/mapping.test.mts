import type { Sandbox } from '../../sandbox/index.mts';
import { call, lastActions, startSmall, type Json } from './api.mts';

let sandbox: Sandbox;
let groupId: string;
let w: string[];

beforeAll(async () => {
	sandbox = await startSmall({ now: '2026-03-31T12:00:00Z', frozen: true });
});

beforeEach(() => {
	sandbox.admin.reset();
	[groupId] = sandbox.state.groups.keys();
	w = [...sandbox.state.workspaces.keys()];
	sandbox.state.groups.get(groupId)!.workspaces.clear();
});

afterAll(async () => {
	await sandbox.close();
});

const get = async (path = '') => (await call(sandbox, 'GET', `/mapping/groups${path}`)).body;
const patch = (body: Json, id = groupId) =>
	call(sandbox, 'PATCH', `/mapping/groups/${id}`, { body });
const workspaces = async () => (await get(`/${groupId}`)).workspaces as Json;

const ALL = {
	createRooms: true,
	canPublishTemplates: true,
	canDiscoverPublicRooms: true,
	admin: true,
};

test('add answers the name; the mapping then holds the permissions', async () => {
	const { displayName } = sandbox.state.groups.get(groupId)!;
	const answer = await patch({
		action: 'add',
		workspaceIds: [w[0], w[1]],
		permissions: { createRooms: true, canPublishTemplates: false, admin: false },
	});
	expect([answer.status, answer.body]).toEqual([200, { name: displayName }]);
	expect(await get(`/${groupId}`)).toEqual({
		id: groupId,
		name: displayName,
		workspaces: { [w[0]]: ['createRooms'], [w[1]]: ['createRooms'] },
	});
	const action = 'ADD_GROUP_TO_WORKSPACE';
	expect(lastActions(sandbox, 2).sort()).toEqual(
		[
			['APIKEY', action, 'WORKSPACE', w[0]],
			['APIKEY', action, 'WORKSPACE', w[1]],
		].sort(),
	);
});

test('add again overwrites; no permissions is an empty array', async () => {
	const add = (permissions: Json) => patch({ action: 'add', workspaceIds: [w[0]], permissions });
	await add(ALL);
	expect(await workspaces()).toEqual({
		[w[0]]: ['createRooms', 'canDiscoverPublicRooms', 'canPublishTemplates', 'admin'],
	});
	await add({});
	expect(await workspaces()).toEqual({ [w[0]]: [] });
});

test('remove detaches; what is not attached is no error', async () => {
	await patch({ action: 'add', workspaceIds: [w[0], w[1]], permissions: {} });
	const answer = await patch({ action: 'remove', workspaceIds: [w[1], w[2]] });
	expect(answer.status).toBe(200);
	expect(await workspaces()).toEqual({ [w[0]]: [] });
});

test('the list has every active group', async () => {
	const { status, body } = await call(sandbox, 'GET', '/mapping/groups', {
		query: { startIndex: '2', count: '1' },
	});
	expect(status).toBe(200);
	expect(body).toMatchObject({ totalResults: 3, startIndex: 2, itemsPerPage: 1 });
	const all = await get();
	expect(all.Resources).toHaveLength(3);
	expect((all.Resources as Json[])[1]).toEqual((body.Resources as Json[])[0]);
});

const add = { action: 'add', workspaceIds: ['W'], permissions: { createRooms: true } };
test.each<[string, Json]>([
	['no action', { ...add, action: undefined }],
	['another action', { ...add, action: 'replace' }],
	['no workspaces', { ...add, workspaceIds: undefined }],
	['an empty list of workspaces', { ...add, workspaceIds: [] }],
	['a workspace of number', { ...add, workspaceIds: [5] }],
	['an unknown workspace', { ...add, workspaceIds: ['W', 'nowhere'] }],
	['add without permissions', { ...add, permissions: undefined }],
	['permissions as an array', { ...add, permissions: ['createRooms'] }],
	['a permission as text', { ...add, permissions: { createRooms: 'true' } }],
	['an unknown permission', { ...add, permissions: { canFly: true } }],
	['admin alone', { ...add, permissions: { admin: true } }],
	['admin with one false', { ...add, permissions: { ...ALL, createRooms: false } }],
	['remove with permissions', { ...add, action: 'remove' }],
	['an unknown field', { ...add, permission: {} }],
])('%s is 400 and nothing changes', async (_, body) => {
	const workspaceIds = (body.workspaceIds as unknown[] | undefined)?.map((id) =>
		id === 'W' ? w[0] : id,
	);
	const answer = await patch({ ...body, workspaceIds });
	expect([answer.status, answer.body.error]).toEqual([400, 'INVALID_INPUT']);
	expect(await workspaces()).toEqual({});
});

test('404 for no group', async () => {
	expect((await call(sandbox, 'GET', '/mapping/groups/none')).status).toBe(404);
	expect((await patch({ action: 'remove', workspaceIds: [w[0]] }, 'none')).status).toBe(404);
});

test('403 everywhere while mapping is not enabled', async () => {
	sandbox.admin.configure({ mapping: { enabled: false } });
	const answers = [
		await call(sandbox, 'GET', '/mapping/groups'),
		await call(sandbox, 'GET', `/mapping/groups/${groupId}`),
		await patch({ action: 'remove', workspaceIds: [w[0]] }),
	];
	for (const { status, body } of answers) {
		expect([status, body.error]).toEqual([403, 'MAPPING_NOT_ENABLED']);
	}
});
