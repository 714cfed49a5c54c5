import type { Sandbox } from '../../sandbox/index.mts';
import {
	GROUP,
	LIST_RESPONSE,
	call,
	groupBody,
	lastActions,
	patchOp,
	startSmall,
	type Json,
} from './api.mts';

let sandbox: Sandbox;
let a: string;
let b: string;
let c: string;

beforeAll(async () => {
	sandbox = await startSmall({ now: '2026-03-31T12:00:00Z', frozen: true });
});

beforeEach(() => {
	sandbox.admin.reset();
	[a, b, c] = sandbox.state.users.keys();
});

afterAll(async () => {
	await sandbox.close();
});

const send = (method: string, path: string, body?: unknown) =>
	call(sandbox, method, `/scim/Groups${path}`, { body });

const values = (...ids: string[]) => ids.map((value) => ({ value }));

const create = async (members: string[] = [], more: Json = {}) => {
	const { body } = await send(
		'POST',
		'',
		groupBody('Team', { members: values(...members), ...more }),
	);
	sandbox.admin.advance(1);
	return body;
};

const patch = (group: Json, ...operations: unknown[]) =>
	send('PATCH', `/${encodeURIComponent(group.id as string)}`, patchOp(...operations));

const membersOf = ({ body }: { body: Json }) =>
	(body.members as Json[]).map(({ value }) => value as string);

describe('create', () => {
	test('answers the created group with the fields of the spec', async () => {
		const body = groupBody('Team', { externalId: 'g/1', members: values(a, b, a) });
		const answer = await send('POST', '', body);
		expect(answer.status).toBe(201);
		expect(answer.body).toEqual({
			schemas: [GROUP],
			id: expect.any(String) as string,
			externalId: 'g/1',
			displayName: 'Team',
			members: values(a, b),
			meta: {
				created: '2026-03-31T12:00:00.000Z',
				lastModified: '2026-03-31T12:00:00.000Z',
				resourceType: 'Group',
			},
		});
		expect(lastActions(sandbox, 3).sort()).toEqual(
			[
				['APIKEY', 'ADD_GROUP_MEMBER', 'USER', a],
				['APIKEY', 'ADD_GROUP_MEMBER', 'USER', b],
				['APIKEY', 'CREATE_GROUP', 'GROUP', answer.body.id],
			].sort(),
		);
		expect((await send('GET', `/${answer.body.id as string}`)).body).toEqual(answer.body);
	});

	test('members may be an empty array', async () => {
		expect(membersOf(await send('POST', '', groupBody('Team')))).toEqual([]);
	});

	test.each<[string, Json]>([
		['schemas', { schemas: undefined }],
		['the right schema', { schemas: ['urn:other'] }],
		['displayName', { displayName: undefined }],
		['a displayName that is not empty', { displayName: '' }],
		['members', { members: undefined }],
		['members as an array', { members: 'x' }],
		['members with a value', { members: [{ id: 'x' }] }],
		['known members', { members: values('nobody') }],
	])('needs %s', async (_, change) => {
		const { status, body } = await send('POST', '', { ...groupBody('Team'), ...change });
		expect([status, body.error]).toEqual([400, 'INVALID_INPUT']);
		expect(sandbox.state.groups.size).toBe(3);
	});

	test('the displayName is unique among active groups, whatever its case', async () => {
		const group = await create();
		const { status, body } = await send('POST', '', groupBody('TEAM'));
		expect([status, body.scimType]).toEqual([409, 'uniqueness']);
		await send('DELETE', `/${group.id as string}`);
		expect((await send('POST', '', groupBody('Team'))).status).toBe(201);
	});
});

describe('list', () => {
	const list = async (query: Record<string, string>) =>
		(await call(sandbox, 'GET', '/scim/Groups', { query })).body;

	test('count 100 with startIndex 101 is the next page; a larger count gives 100', async () => {
		for (let i = 0; i < 102; i++) await send('POST', '', groupBody(`Group ${i}`));
		const first = await list({ count: '100' });
		expect(first).toMatchObject({
			schemas: [LIST_RESPONSE],
			totalResults: 105,
			startIndex: 1,
			itemsPerPage: 100,
		});
		const second = await list({ count: '100', startIndex: '101' });
		expect(second).toMatchObject({ totalResults: 105, startIndex: 101, itemsPerPage: 5 });
		const all = [...(first.Resources as Json[]), ...(second.Resources as Json[])];
		expect(new Set(all.map(({ id }) => id as string)).size).toBe(105);
		expect(await list({ count: '500' })).toEqual(first);
		expect(await list({})).toEqual(first);
	});

	test.each<Record<string, string>>([
		{ filter: 'displayName eq "x"' },
		{ sortBy: 'displayName' },
		{ count: 'x' },
	])('%j is 400', async (query) => {
		const { status } = await call(sandbox, 'GET', '/scim/Groups', { query });
		expect(status).toBe(400);
	});
});

describe('patch', () => {
	test('add, once each', async () => {
		const group = await create([a]);
		const answer = await patch(group, { op: 'add', path: 'members', value: values(a, b) });
		expect([answer.status, membersOf(answer)]).toEqual([200, [a, b]]);
		expect(lastActions(sandbox, 1)).toEqual([['APIKEY', 'ADD_GROUP_MEMBER', 'USER', b]]);
	});

	test('remove; who is not there is no error', async () => {
		const group = await create([a, b]);
		const value = values(b, c, 'nobody');
		const answer = await patch(group, { op: 'remove', path: 'members', value });
		expect([answer.status, membersOf(answer)]).toEqual([200, [a]]);
		expect(lastActions(sandbox, 1)).toEqual([['APIKEY', 'REMOVE_GROUP_MEMBER', 'USER', b]]);
	});

	test('replace overwrites, with an empty list too', async () => {
		const group = await create([a, b]);
		const replace = (...ids: string[]) =>
			patch(group, { op: 'replace', path: 'members', value: values(...ids) });
		expect(membersOf(await replace(c, a))).toEqual([c, a]);
		expect(membersOf(await replace())).toEqual([]);
	});

	test('rename, and members in the same request', async () => {
		const group = await create([a]);
		const { body } = await patch(
			group,
			{ op: 'replace', path: 'displayName', value: 'Crew' },
			{ op: 'add', path: 'members', value: values(b) },
			{ op: 'remove', path: 'members', value: values(a) },
		);
		expect(body).toMatchObject({ id: group.id, displayName: 'Crew', members: values(b) });
	});

	test('by externalId', async () => {
		const group = await create([a], { externalId: 'ext/1 é' });
		const answer = await send(
			'PATCH',
			`/${encodeURIComponent('ext/1 é')}`,
			patchOp({ op: 'add', path: 'members', value: values(b) }),
		);
		expect(answer.body).toMatchObject({ id: group.id, members: values(a, b) });
	});

	test('reads and deletes take the id alone', async () => {
		await create([a], { externalId: 'ext1' });
		expect((await send('GET', '/ext1')).status).toBe(404);
		expect((await send('DELETE', '/ext1')).status).toBe(404);
	});

	test('an empty remove list removes nobody, or everybody when told to', async () => {
		const group = await create([a, b]);
		const remove = { op: 'remove', path: 'members', value: [] };
		expect(membersOf(await patch(group, remove))).toEqual([a, b]);
		sandbox.admin.configure({ scim: { removeEmptyList: 'everyone' } });
		expect(membersOf(await patch(group, remove))).toEqual([]);
	});

	test.each<[string, unknown]>([
		['no members', { op: 'remove', path: 'members' }],
		['members as an object', { op: 'add', path: 'members', value: { value: 'x' } }],
		['members as ids', { op: 'add', path: 'members', value: ['x'] }],
		['null among the members', { op: 'add', path: 'members', value: [null] }],
		['unknown members to add', { op: 'add', path: 'members', value: values('nobody') }],
		['unknown members to set', { op: 'replace', path: 'members', value: values('nobody') }],
		['a value path', { op: 'remove', path: 'members[value eq "x"]', value: [] }],
		['add displayName', { op: 'add', path: 'displayName', value: 'x' }],
		['an empty displayName', { op: 'replace', path: 'displayName', value: '' }],
		['externalId', { op: 'replace', path: 'externalId', value: 'x' }],
		['no path', { op: 'replace', value: { displayName: 'x' } }],
		['another op', { op: 'move', path: 'members', value: [] }],
	])('%s is 400 and nothing changes', async (_, operation) => {
		const group = await create([a]);
		const good = { op: 'add', path: 'members', value: values(b) };
		expect((await patch(group, good, operation)).status).toBe(400);
		expect((await send('GET', `/${group.id as string}`)).body).toEqual(group);
	});

	test('a taken displayName is 409 and nothing changes', async () => {
		await send('POST', '', groupBody('Taken'));
		const group = await create([a]);
		const answer = await patch(
			group,
			{ op: 'add', path: 'members', value: values(b) },
			{ op: 'replace', path: 'displayName', value: 'taken' },
		);
		expect(answer.status).toBe(409);
		expect((await send('GET', `/${group.id as string}`)).body).toEqual(group);
		const own = { op: 'replace', path: 'displayName', value: 'TEAM' };
		expect((await patch(group, own)).status).toBe(200);
	});

	test('404 for no group', async () => {
		const operation = { op: 'add', path: 'members', value: [] };
		expect((await patch({ id: 'none' }, operation)).status).toBe(404);
	});
});

test('delete deactivates: every later request is 404', async () => {
	const group = await create([a], { externalId: 'ext1' });
	const path = `/${group.id as string}`;
	expect((await send('DELETE', path)).status).toBe(204);
	expect(lastActions(sandbox, 1)).toEqual([['APIKEY', 'DELETE_GROUP', 'GROUP', group.id]]);
	const operation = patchOp({ op: 'add', path: 'members', value: [] });
	const answers = [
		await send('GET', path),
		await send('DELETE', path),
		await send('PATCH', path, operation),
		await send('PATCH', '/ext1', operation),
		await call(sandbox, 'GET', `/mapping/groups${path}`),
	];
	expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
	for (const list of ['/scim/Groups', '/mapping/groups']) {
		expect((await call(sandbox, 'GET', list)).body.totalResults).toBe(3);
	}
});
