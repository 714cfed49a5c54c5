import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../sandbox/index.mts';
import { startSandbox } from '../sandbox/index.mts';
import type { User } from '../sandbox/types.mts';
import { byEmail, byId, runsOf } from './runs.mts';

/** The user operations that change values: update, create or update, replace. */

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ sizes: { users: 60, groups: 3, workspaces: 4, entries: 0 } });
});
afterAll(async () => await sandbox.close());
beforeEach(() => sandbox.admin.reset());

const { run, failure } = runsOf('user', () => sandbox);

/** Members who are active and no company admins. */
function members(hasExternalId = true): User[] {
	const all = [...sandbox.state.users.values()].slice(10);
	return all.filter((user) => user.active && (user.externalId !== undefined) === hasExternalId);
}

const sent = () =>
	sandbox.admin.requests().map(({ method, body }) => ({
		method,
		...(body === '' ? {} : { body: JSON.parse(body) as IDataObject }),
	}));
const methods = () => sent().map(({ method }) => method);
const stateOf = (id: string) => structuredClone(sandbox.state.users.get(id)) as User;
const patched = () => sent().at(-1)?.body?.Operations;

describe('Update', () => {
	test.each<[string, INodeParameters, IDataObject[], Partial<User>]>([
		['false', { active: false }, [{ path: 'active', value: false }], { active: false }],
		['true', { active: true }, [{ path: 'active', value: true }], { active: true }],
		[
			'an empty name',
			{ givenName: '' },
			[{ path: 'name.givenName', value: '' }],
			{ givenName: '' },
		],
		[
			'a number',
			{ familyName: '={{ 0 }}' },
			[{ path: 'name.familyName', value: '0' }],
			{ familyName: '0' },
		],
		[
			'several',
			{ givenName: 'Ann', active: false },
			[
				{ path: 'name.givenName', value: 'Ann' },
				{ path: 'active', value: false },
			],
			{ givenName: 'Ann', active: false },
		],
		[
			'an e-mail, sent in lower case',
			{ email: ' New.Name@Example.com ' },
			[{ path: 'userName', value: 'new.name@example.com' }],
			{ userName: 'new.name@example.com' },
		],
	])(
		'%s: only that is sent, and only that changes',
		async (_, updateFields, operations, changed) => {
			const [user] = members();
			const before = stateOf(user.id);
			const [json] = await run('update', { userId: byId(user.id), updateFields });
			expect(json).toMatchObject({ id: user.id });
			expect(patched()).toEqual(operations.map((operation) => ({ op: 'replace', ...operation })));
			expect(methods()).toEqual(['PATCH']);
			const after = { lastModified: expect.any(Number), locked: expect.anything() };
			expect(stateOf(user.id)).toEqual({ ...before, ...changed, ...after });
		},
	);

	test('unset, false, empty and true by expressions, item by item', async () => {
		const five = members().slice(0, 5);
		const values = [
			{ active: false },
			{ active: 'false' },
			{ active: true },
			{ name: '' },
			{ active: 'TRUE' },
		];
		const items = five.map(({ id }, n) => ({ id, ...values[n] }));
		const json = await run(
			'update',
			{
				userId: byId('={{ $json.id }}'),
				updateFields: { active: '={{ $json.active }}', givenName: '={{ $json.name }}' },
			},
			{ items },
		);
		expect(json.map(({ active }) => active)).toEqual([false, false, true, true, true]);
		expect(json.map(({ id }) => id)).toEqual(five.map(({ id }) => id));
		const bodies = sent().map(({ body }) => body?.Operations as IDataObject[]);
		const sizes = bodies.map((operations) => operations.length);
		expect(sizes).toEqual([1, 1, 1, 1, 1]);
		expect(stateOf(five[3].id).givenName).toBe('');
	});

	test('by e-mail', async () => {
		const [user] = members();
		await run('update', { userId: byEmail(user.userName), updateFields: { givenName: 'Ann' } });
		expect(stateOf(user.id).givenName).toBe('Ann');
		expect(methods()).toEqual(['GET', 'PATCH']);
	});

	test.each<[INodeParameters, string]>([
		[{}, "'Update Fields' holds nothing to change"],
		[{ givenName: '={{ $json.missing }}' }, "'Update Fields' holds nothing to change"],
		[{ email: '={{ "" }}' }, "'Email' is empty"],
		[{ email: 'ann' }, "'Email' is not an e-mail address: 'ann'"],
		[{ active: '={{ "maybe" }}' }, "'Active' is neither true nor false"],
		[{ active: '={{ 1 }}' }, "'Active' is neither true nor false"],
		[{ givenName: '={{ {} }}' }, "'Given Name' is not a text"],
	])('%j is told before sending', async (updateFields, message) => {
		const error = await failure('update', { userId: byId(members()[0].id), updateFields });
		expect(error.message).toBe(message);
		expect(sent()).toEqual([]);
	});

	test('an e-mail that another member has', async () => {
		const [user, other] = members();
		const error = await failure('update', {
			userId: byId(user.id),
			updateFields: { email: other.userName },
		});
		expect(error.message).toBe('Another member has this e-mail already');
		expect(error.description).toContain("Change 'Email'");
	});
});

describe('Create or Update', () => {
	const names = { givenName: 'Ann', familyName: 'Lee' };

	test('creates whoever is not there', async () => {
		const [json] = await run('upsert', { email: 'New@Example.com', ...names });
		expect(json).toMatchObject({ userName: 'new@example.com', created: true });
		expect(stateOf(json.id as string)).toMatchObject(names);
		expect(methods()).toEqual(['GET', 'POST']);
	});

	test('updates whoever is there, and only what differs', async () => {
		const [user] = members();
		const email = user.userName.toUpperCase();
		const [json] = await run('upsert', { email, givenName: 'Ann', familyName: user.familyName });
		expect(json).toMatchObject({ id: user.id, created: false, name: { givenName: 'Ann' } });
		expect(patched()).toEqual([{ op: 'replace', path: 'name.givenName', value: 'Ann' }]);
		expect(stateOf(user.id)).toMatchObject({
			...user,
			givenName: 'Ann',
			lastModified: expect.any(Number),
		});
	});

	test('changes nothing when all is as wanted', async () => {
		const [{ id, userName, givenName, familyName }] = members();
		const [json] = await run('upsert', { email: userName, givenName, familyName });
		expect(json).toMatchObject({ id, created: false });
		expect(methods()).toEqual(['GET']);
	});

	test('sets an external ID where there is none, and keeps everything else', async () => {
		const [user] = members(false);
		const before = stateOf(user.id);
		const additionalFields = { externalId: '00u-new' };
		await run('upsert', { email: user.userName, ...names, additionalFields });
		expect(stateOf(user.id)).toEqual({
			...before,
			...names,
			externalId: '00u-new',
			lastModified: expect.any(Number),
		});
		expect(methods()).toEqual(['GET', 'PUT']);
	});

	test('an external ID that is the same is fine, another one is refused with the reason', async () => {
		const [{ id, userName, externalId }] = members();
		const additionalFields = { externalId: externalId as string };
		const [json] = await run('upsert', { email: userName, ...names, additionalFields });
		expect(json).toMatchObject({ id, externalId });
		const other = { email: userName, ...names, additionalFields: { externalId: 'other' } };
		const error = await failure('upsert', other);
		expect(error.message).toBe(
			`'External ID' cannot be changed: the member already has another one ('${externalId}')`,
		);
		expect(methods().filter((method) => method === 'PUT')).toEqual([]);
		expect(stateOf(id).externalId).toBe(externalId);
	});

	test('somebody else creates the member in between', async () => {
		const [user] = members();
		const nobody = { totalResults: 0, startIndex: 1, Resources: [] };
		sandbox.admin.fault({ kind: 'body', method: 'GET', path: /Users$/, body: nobody });
		const [json] = await run('upsert', { email: user.userName, ...names });
		expect(json).toMatchObject({ id: user.id, created: false, name: names });
		expect(methods()).toEqual(['GET', 'POST', 'GET', 'PATCH']);
	});

	test('a conflict that is not about the e-mail stays an error', async () => {
		sandbox.admin.fault({ kind: 'body', method: 'POST', status: 409, body: { error: 'CONFLICT' } });
		const error = await failure('upsert', { email: 'new@example.com', ...names });
		expect(error.message).toBe('A member with this e-mail or external ID exists already');
	});
});

describe('Replace', () => {
	test('overwrites everything, also what is left out', async () => {
		const user = members().find(({ profileUrl, userType }) => profileUrl && userType) as User;
		const [json] = await run('replace', {
			userId: byId(user.id),
			email: 'New@Example.com',
			givenName: 'Ann',
			familyName: 'Lee',
			active: false,
		});
		expect(json).toMatchObject({ id: user.id, userName: 'new@example.com', active: false });
		expect(stateOf(user.id)).toMatchObject({
			userName: 'new@example.com',
			givenName: 'Ann',
			familyName: 'Lee',
			active: false,
			profileUrl: undefined,
			userType: undefined,
		});
		expect(sent()).toEqual([
			{
				method: 'PUT',
				body: {
					schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
					userName: 'new@example.com',
					name: { givenName: 'Ann', familyName: 'Lee' },
					active: false,
				},
			},
		]);
	});

	const values = (user: User) => ({
		userId: byEmail(user.userName),
		email: user.userName,
		givenName: 'Ann',
		familyName: 'Lee',
	});

	test('sets what Additional Fields holds, an empty profile URL too', async () => {
		const [user] = members(false);
		const url = 'https://example.com/a.png';
		await run('replace', {
			...values(user),
			additionalFields: { externalId: '00u', profileUrl: url },
		});
		expect(stateOf(user.id)).toMatchObject({ active: true, externalId: '00u', profileUrl: url });
		await run('replace', { ...values(user), additionalFields: { profileUrl: '' } });
		expect(sent().at(-1)?.body?.profileUrl).toBe('');
	});

	test('refuses another external ID before it overwrites anything', async () => {
		const [user] = members();
		const error = await failure('replace', {
			...values(user),
			additionalFields: { externalId: 'x' },
		});
		expect(error.message).toMatch(/^'External ID' cannot be changed/);
		expect(methods()).toEqual(['GET']);
		expect(stateOf(user.id)).toEqual(user);
	});

	test.each<[INodeParameters, string]>([
		[{ active: '={{ $json.missing }}' }, "'Active' is neither true nor false"],
		[{ givenName: '={{ $json.missing }}' }, "'Given Name' is missing"],
	])('%j is told before sending', async (parameters, message) => {
		const error = await failure('replace', { ...values(members()[0]), ...parameters });
		expect(error.message).toBe(message);
		expect(sent()).toEqual([]);
	});
});
