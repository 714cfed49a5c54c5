import type { Sandbox } from '../../sandbox/index.mts';
import { call, groupBody, patchOp, startSmall, userBody } from './api.mts';

// The spec's state tables: what a member can open after each transition.

let sandbox: Sandbox;
let user: string;
let w1: string;
let w2: string;
let w3: string;

beforeAll(async () => {
	sandbox = await startSmall();
});

beforeEach(async () => {
	sandbox.admin.reset();
	[w1, w2, w3] = sandbox.state.workspaces.keys();
	const { body } = await call(sandbox, 'POST', '/scim/Users', { body: userBody('m@b.example') });
	user = body.id as string;
});

afterAll(async () => {
	await sandbox.close();
});

const open = () =>
	sandbox.admin
		.access(user)
		.workspaces.map(({ id }) => id)
		.sort();
const locked = () => sandbox.admin.access(user).locked.sort();

const setActive = async (value: boolean) => {
	const body = patchOp({ op: 'replace', path: 'active', value });
	expect((await call(sandbox, 'PATCH', `/scim/Users/${user}`, { body })).status).toBe(200);
};

const group = async (displayName: string, ...workspaceIds: string[]) => {
	const members = [{ value: user }];
	const { body } = await call(sandbox, 'POST', '/scim/Groups', {
		body: groupBody(displayName, { members }),
	});
	await map(body.id as string, 'add', ...workspaceIds);
	return body.id as string;
};

const map = async (id: string, action: 'add' | 'remove', ...workspaceIds: string[]) => {
	const permissions = action === 'add' ? { createRooms: true } : undefined;
	const { status } = await call(sandbox, 'PATCH', `/mapping/groups/${id}`, {
		body: { action, workspaceIds, permissions },
	});
	expect(status).toBe(200);
};

const members = async (id: string, op: string) => {
	const body = patchOp({ op, path: 'members', value: [{ value: user }] });
	expect((await call(sandbox, 'PATCH', `/scim/Groups/${id}`, { body })).status).toBe(200);
};

const direct = (workspaceId: string) =>
	sandbox.admin.setMembership({ workspaceId, user, role: 'member' });

test('directly and through the mappings of active groups', async () => {
	expect(open()).toEqual([]);
	direct(w1);
	const id = await group('G', w2);
	expect(open()).toEqual([w1, w2].sort());
	expect(sandbox.admin.access('m@b.example').workspaces).toContainEqual({
		id: w2,
		role: null,
		groups: [id],
		permissions: ['createRooms'],
		admin: false,
	});
});

test('suspended: nothing, but the membership stays', async () => {
	direct(w1);
	await group('G', w2);
	await setActive(false);
	expect(open()).toEqual([]);
	expect(locked()).toEqual([w1, w2].sort());
});

test('unsuspended: former workspaces wait for an approval each', async () => {
	direct(w1);
	await group('G', w2);
	await setActive(false);
	await setActive(true);
	expect(open()).toEqual([]);
	sandbox.admin.approve({ user, workspaceId: w1 });
	expect(open()).toEqual([w1]);
	expect(locked()).toEqual([w2]);
	sandbox.admin.approve({ user });
	expect(open()).toEqual([w1, w2].sort());
});

test('a workspace that is new after the suspension needs no approval', async () => {
	const id = await group('G', w1);
	await setActive(false);
	await map(id, 'add', w2);
	expect(open()).toEqual([]);
	await setActive(true);
	expect(open()).toEqual([w2]);
});

test('suspended again before the approval: still waiting', async () => {
	direct(w1);
	await setActive(false);
	await setActive(true);
	await setActive(false);
	await setActive(true);
	expect(open()).toEqual([]);
	expect(locked()).toEqual([w1]);
});

test('a deactivated group gives no access; another active group keeps it', async () => {
	const first = await group('G1', w1, w2);
	const second = await group('G2', w2, w3);
	expect((await call(sandbox, 'DELETE', `/scim/Groups/${first}`)).status).toBe(204);
	expect(open()).toEqual([w2, w3].sort());
	expect((await call(sandbox, 'DELETE', `/scim/Groups/${second}`)).status).toBe(204);
	expect(open()).toEqual([]);
});

test('leaving a group ends access through it alone; the member stays active', async () => {
	direct(w1);
	const first = await group('G1', w1, w2);
	const second = await group('G2', w2, w3);
	await members(second, 'remove');
	expect(open()).toEqual([w1, w2].sort());
	await members(first, 'remove');
	expect(open()).toEqual([w1]);
	expect(sandbox.admin.access(user).active).toBe(true);
	await members(second, 'add');
	expect(open()).toEqual([w1, w2, w3].sort());
});

test('removing a mapping ends access through it; direct members stay', async () => {
	direct(w1);
	const id = await group('G', w1, w2);
	await map(id, 'remove', w1, w2);
	expect(open()).toEqual([w1]);
});

test('own content opens with its workspace', async () => {
	direct(w1);
	sandbox.state.murals.set('mine', { id: 'mine', title: 'M', workspaceId: w1, ownerId: user });
	const content = () => {
		const { owned, openable } = sandbox.admin.access(user);
		return { owned, openable };
	};
	expect(content()).toEqual({ owned: ['mine'], openable: ['mine'] });
	await setActive(false);
	await setActive(true);
	expect(content()).toEqual({ owned: ['mine'], openable: [] });
	sandbox.admin.approve({ user });
	expect(content()).toEqual({ owned: ['mine'], openable: ['mine'] });
});

test('an administrator through a group counts as one', async () => {
	const workspace = sandbox.state.workspaces.get(w1)!;
	workspace.members.clear();
	for (const each of sandbox.state.groups.values()) each.workspaces.clear();
	const id = await group('G', w2);
	sandbox.state.groups.get(id)!.workspaces.set(w1, ['admin']);
	const suspend = patchOp({ op: 'replace', path: 'active', value: false });
	const answer = await call(sandbox, 'PATCH', `/scim/Users/${user}`, { body: suspend });
	expect(answer.status).toBe(409);
	const [someone] = sandbox.state.users.keys();
	sandbox.admin.setMembership({ workspaceId: w1, user: someone, role: 'admin' });
	await setActive(false);
});

test('GET /__sandbox/access/USER by id and e-mail', async () => {
	direct(w1);
	for (const name of [user, 'm%40b.example']) {
		const answer = await fetch(`${sandbox.adminUrl}/access/${name}`);
		expect(await answer.json()).toMatchObject({ user, workspaces: [{ id: w1, role: 'member' }] });
	}
	expect((await fetch(`${sandbox.adminUrl}/access/nobody`)).status).toBe(400);
});
