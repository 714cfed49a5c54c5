import type { Sandbox } from '../../sandbox/index.mts';
import type { User } from '../../sandbox/types.mts';
import { USER, call, lastActions, patchOp, startSmall, userBody, type Json } from './api.mts';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSmall({ now: '2026-03-31T12:00:00Z', frozen: true });
});

beforeEach(() => {
	sandbox.admin.reset();
});

afterAll(async () => {
	await sandbox.close();
});

const send = (method: string, path: string, body?: unknown) =>
	call(sandbox, method, `/scim/Users${path}`, { body });

const create = async (userName: string, more: Json = {}) =>
	(await send('POST', '', userBody(userName, more))).body;

const at = (user: Json) => `/${encodeURIComponent(user.id as string)}`;

/** A member who administers no workspace. */
const plainMember = () => {
	const { users, workspaces } = sandbox.state;
	return [...users.values()].find(
		(user) =>
			user.active &&
			user.externalId &&
			[...workspaces.values()].every(({ members }) => members.get(user.id) !== 'admin'),
	) as User;
};

describe('replace', () => {
	test('overwrites everything, what is left out too, but externalId', async () => {
		const user = await create('a@b.example', {
			externalId: 'x1',
			userType: 'Employee',
			profileUrl: 'https://x.example',
			active: false,
		});
		sandbox.admin.advance(5000);
		const { status, body } = await send('PUT', at(user), {
			schemas: [USER],
			userName: 'C@b.example',
		});
		expect(status).toBe(200);
		expect(body).toEqual({
			schemas: [USER],
			id: user.id,
			externalId: 'x1',
			userName: 'c@b.example',
			name: { givenName: '', familyName: '' },
			active: true,
			emails: [{ primary: true, value: 'c@b.example' }],
			meta: {
				created: '2026-03-31T12:00:00.000Z',
				lastModified: '2026-03-31T12:00:05.000Z',
				resourceType: 'User',
			},
		});
		expect(
			lastActions(sandbox, 2)
				.map(([, action]) => action)
				.sort(),
		).toEqual(['UNSUSPEND_USER', 'UPDATE_USER']);
	});

	test('externalId can be set once', async () => {
		const user = await create('a@b.example');
		const put = (externalId: unknown) =>
			send('PUT', at(user), userBody('a@b.example', { externalId }));
		expect((await put('x1')).body.externalId).toBe('x1');
		expect((await put('x1')).status).toBe(200);
		expect((await put(null)).body.externalId).toBe('x1');
		for (const other of ['x2', '']) {
			const { status, body } = await put(other);
			expect([status, body.scimType]).toEqual([400, 'mutability']);
		}
		expect((await send('GET', at(user))).body.externalId).toBe('x1');
	});

	test('active false suspends; the answer keeps emails', async () => {
		const user = await create('a@b.example');
		const { body } = await send('PUT', at(user), userBody('a@b.example', { active: false }));
		expect(body).toMatchObject({ active: false, emails: [{ value: 'a@b.example' }] });
	});

	test.each<[string, Json, number]>([
		['no schemas', { schemas: undefined }, 400],
		['no userName', { userName: undefined }, 400],
		['active as text', { active: 'false' }, 400],
		['a name of text', { name: 'G F' }, 400],
		['a taken userName', { userName: 'taken@b.example' }, 409],
	])('%s', async (_, change, status) => {
		await create('taken@b.example');
		const user = await create('a@b.example');
		const before = (await send('GET', at(user))).body;
		expect((await send('PUT', at(user), { ...userBody('a@b.example'), ...change })).status).toBe(
			status,
		);
		expect((await send('GET', at(user))).body).toEqual(before);
	});

	test('404 for nobody', async () => {
		expect((await send('PUT', '/nobody', userBody('a@b.example'))).status).toBe(404);
	});
});

describe('patch', () => {
	const replace = (path: string, value: unknown) => ({ op: 'replace', path, value });

	test('changes what it names and nothing else', async () => {
		const user = await create('a@b.example', { externalId: 'x1', userType: 'Employee' });
		const { status, body } = await send(
			'PATCH',
			at(user),
			patchOp(replace('name.givenName', ''), replace('userName', 'New@b.example')),
		);
		expect(status).toBe(200);
		expect(body).toEqual({
			...user,
			userName: 'new@b.example',
			name: { givenName: '', familyName: 'Family' },
			emails: [{ primary: true, value: 'new@b.example' }],
		});
	});

	test.each<[unknown, boolean]>([
		[false, false],
		['false', false],
		['False', false],
		[true, true],
		['TRUE', true],
	])('active %j', async (value, active) => {
		const user = await create('a@b.example', { active: !active });
		sandbox.admin.advance(1);
		expect((await send('PATCH', at(user), patchOp(replace('active', value)))).body.active).toBe(
			active,
		);
		const action = active ? 'UNSUSPEND_USER' : 'SUSPEND_USER';
		expect(lastActions(sandbox, 1)).toEqual([['APIKEY', action, 'USER', user.id]]);
	});

	test('a suspend answer holds email, or emails when told to', async () => {
		const user = await create('a@b.example');
		const path = '/a%40b.example';
		const suspend = () => send('PATCH', path, patchOp(replace('active', false)));
		const { body } = await suspend();
		expect(body.email).toEqual([{ primary: true, value: 'a@b.example' }]);
		expect('emails' in body).toBe(false);
		expect('emails' in (await send('GET', at(user))).body).toBe(true);
		sandbox.admin.configure({ scim: { suspendAnswer: 'emails' } });
		expect('emails' in (await suspend()).body).toBe(true);
		const { body: back } = await send('PATCH', path, patchOp(replace('active', true)));
		expect('emails' in back).toBe(true);
	});

	test('op is compared without case; suspending twice is no second change', async () => {
		const user = await create('a@b.example');
		const suspend = patchOp({ op: 'Replace', path: 'active', value: false });
		const first = await send('PATCH', at(user), suspend);
		const entries = sandbox.service.log.size;
		sandbox.admin.advance(1000);
		const second = await send('PATCH', at(user), suspend);
		expect(second.body).toEqual(first.body);
		expect(sandbox.service.log.size).toBe(entries);
	});

	test.each<[string, unknown, string | undefined]>([
		['no schemas', { Operations: [replace('active', false)] }, undefined],
		['another schema', { ...patchOp(replace('active', false)), schemas: [USER] }, undefined],
		['no operations', patchOp(), undefined],
		['operations in lower case', { ...patchOp(), operations: [] }, undefined],
		['no path', patchOp({ op: 'replace', value: { active: false } }), undefined],
		['no value', patchOp({ op: 'replace', path: 'active' }), 'invalidValue'],
		['op add', patchOp({ op: 'add', path: 'active', value: false }), 'invalidSyntax'],
		['op remove', patchOp({ op: 'remove', path: 'name.givenName' }), 'invalidSyntax'],
		['externalId', patchOp(replace('externalId', 'x')), 'invalidPath'],
		['emails', patchOp(replace('emails', [])), 'invalidPath'],
		['userType', patchOp(replace('userType', 'x')), 'invalidPath'],
		['a prototype path', patchOp(replace('__proto__.x', 'x')), 'invalidPath'],
		['active as number', patchOp(replace('active', 0)), 'invalidValue'],
		['active as other text', patchOp(replace('active', 'no')), 'invalidValue'],
		['active null', patchOp(replace('active', null)), 'invalidValue'],
		['a name of number', patchOp(replace('name.givenName', 5)), 'invalidValue'],
		['a userName that is no e-mail', patchOp(replace('userName', 'x')), 'invalidValue'],
		[
			'one bad operation among good ones',
			patchOp(replace('name.givenName', 'X'), replace('active', 'no')),
			'invalidValue',
		],
	])('%s is 400', async (_, body, scimType) => {
		const user = await create('a@b.example');
		const answer = await send('PATCH', at(user), body);
		expect([answer.status, answer.body.scimType]).toEqual([400, scimType]);
		expect((await send('GET', at(user))).body).toEqual(user);
	});

	test('a taken userName is 409 and changes nothing', async () => {
		await create('taken@b.example');
		const user = await create('a@b.example');
		const body = patchOp(replace('name.givenName', 'X'), replace('userName', 'Taken@b.example'));
		expect((await send('PATCH', at(user), body)).status).toBe(409);
		expect((await send('GET', at(user))).body).toEqual(user);
		const own = patchOp(replace('userName', 'A@b.example'));
		expect((await send('PATCH', at(user), own)).status).toBe(200);
	});

	test('404 for nobody', async () => {
		const body = patchOp(replace('active', false));
		expect((await send('PATCH', '/nobody%40b.example', body)).status).toBe(404);
	});

	test('the last administrator of a workspace cannot be suspended', async () => {
		const user = plainMember();
		const [workspaceId] = sandbox.state.workspaces.keys();
		sandbox.state.groups.forEach((group) => group.workspaces.clear());
		sandbox.state.workspaces.get(workspaceId)!.members.clear();
		sandbox.admin.setMembership({ workspaceId, user: user.id, role: 'admin' });
		const suspend = patchOp(replace('name.givenName', 'X'), replace('active', false));
		for (const [method, body] of [
			['PATCH', suspend],
			['PUT', userBody(user.userName, { active: false })],
		] as const) {
			const { status, body: error } = await send(method, `/${user.id}`, body);
			expect([status, error.error]).toEqual([409, 'LAST_ADMIN']);
			expect(user.active).toBe(true);
			expect(user.givenName).not.toBe('X');
		}
		const other = await create('other@b.example');
		sandbox.admin.setMembership({ workspaceId, user: other.id as string, role: 'admin' });
		expect((await send('PATCH', `/${user.id}`, suspend)).status).toBe(200);
		const last = patchOp(replace('active', false));
		expect((await send('PATCH', at(other), last)).status).toBe(409);
	});

	test('501 when PATCH is declared unsupported', async () => {
		sandbox.admin.configure({ scim: { patchSupported: false } });
		const user = plainMember();
		const { status, body } = await send('PATCH', `/${user.id}`, patchOp(replace('active', false)));
		expect([status, body.error]).toEqual([501, 'NOT_IMPLEMENTED']);
	});
});

describe('delete', () => {
	test('erases the member everywhere', async () => {
		const user = plainMember();
		const { status, text } = await send('DELETE', `/${encodeURIComponent(user.userName)}`);
		expect([status, text]).toEqual([204, '']);
		expect((await send('GET', `/${user.id}`)).status).toBe(404);
		expect((await send('DELETE', `/${user.id}`)).status).toBe(404);
		const { groups, workspaces, murals } = sandbox.state;
		for (const { members } of [...groups.values(), ...workspaces.values()]) {
			expect(members.has(user.id)).toBe(false);
		}
		for (const { ownerId } of murals.values()) expect(ownerId).not.toBe(user.id);
		expect(lastActions(sandbox, 1)).toEqual([['APIKEY', 'DELETE_USER', 'USER', user.id]]);
	});

	test('the e-mail is free again, under another id', async () => {
		const first = await create('a@b.example');
		await send('DELETE', at(first));
		expect((await create('a@b.example')).id).not.toBe(first.id);
	});

	test('works with a JSON content type and no body', async () => {
		const user = await create('a@b.example');
		const headers = { 'content-type': 'application/json' };
		expect((await call(sandbox, 'DELETE', `/scim/Users${at(user)}`, { headers })).status).toBe(204);
	});
});
