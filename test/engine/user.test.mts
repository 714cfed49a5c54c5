import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../sandbox/index.mts';
import { startSandbox } from '../sandbox/index.mts';
import type { User } from '../sandbox/types.mts';
import { byEmail, byId, fromList, runsOf } from './runs.mts';

/** Every user operation, in n8n's engine, against the sandbox: what it gives, what it sent, what it changed. */

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ sizes: { users: 350, groups: 3, workspaces: 4, entries: 0 } });
});
afterAll(async () => await sandbox.close());
beforeEach(() => sandbox.admin.reset());

const { run, failure } = runsOf('user', () => sandbox);

/** A member of the sandbox who can be suspended and has an external ID. */
function someone(nth = 0, has: Partial<User> = { active: true }): User {
	const isLike = (user: User) =>
		Object.entries(has).every(([name, value]) => user[name as keyof User] === value);
	const members = [...sandbox.state.users.values()].slice(10);
	return members.filter((user) => user.externalId !== undefined && isLike(user))[nth];
}

const sent = () =>
	sandbox.admin.requests().map(({ method, path, body }) => ({
		method,
		path: decodeURIComponent(path),
		...(body === '' ? {} : { body: JSON.parse(body) as IDataObject }),
	}));
const methods = () => sent().map(({ method }) => method);
const stateOf = (id: string) => sandbox.state.users.get(id) as User;

describe('Get', () => {
	test.each([
		['by ID', (user: User) => byId(user.id)],
		['from the list', (user: User) => fromList(user.id)],
		['by e-mail', (user: User) => byEmail(user.userName)],
		[
			'by e-mail in mixed case, with white space',
			(user: User) => byEmail(` ${user.userName.toUpperCase()} `),
		],
		['by an e-mail where an ID was expected', (user: User) => byId(user.userName)],
		['by a text that an expression gave', (user: User) => user.id],
	])('%s', async (_, locator) => {
		const user = someone();
		const [json] = await run('get', { userId: locator(user) });
		expect(json).toMatchObject({
			id: user.id,
			userName: user.userName,
			name: { givenName: user.givenName, familyName: user.familyName },
			active: true,
			emails: [{ primary: true, value: user.userName }],
		});
		expect(methods()).toEqual(['GET']);
	});

	test.each([
		['an unknown ID', byId('nobody'), "No user was found for 'nobody'"],
		[
			'an unknown e-mail',
			byEmail('nobody@example.com'),
			"No user was found for 'nobody@example.com'",
		],
		['a wrong e-mail', byEmail('nobody'), "'User' is not an e-mail address: 'nobody'"],
		['nothing', byId(' '), "'User' is empty"],
		['an expression that found nothing', byId('={{ $json.missing }}'), "'User' is empty"],
		['the list itself', byId('..'), "'User' is not a value the service can have"],
	])('%s', async (_, locator, message) => {
		const error = await failure('get', { userId: locator });
		expect(error.message).toBe(message);
		expect(error.description).toMatch(/'User'|the service knows/);
	});

	test('simplified', async () => {
		const user = someone();
		const [json] = await run('get', { userId: byId(user.id), output: 'simplified' });
		expect(Object.keys(json)).toHaveLength(8);
		expect(json).toMatchObject({ id: user.id, email: user.userName, active: true });
	});
});

describe('Get Many', () => {
	test('the limit, and no more than it is asked of the service', async () => {
		const users = await run('getAll', { limit: 7 });
		const first = [...sandbox.state.users.keys()].slice(0, 7);
		expect(users.map(({ id }) => id)).toEqual(first);
		expect(sandbox.admin.requests().map(({ query }) => query.count)).toEqual(['7']);
	});

	test('everybody, each once, in the order of the service', async () => {
		const users = await run('getAll', { returnAll: true });
		expect(users.map(({ id }) => id)).toEqual([...sandbox.state.users.keys()]);
	});

	test('everybody, when the service gives shorter pages than asked for', async () => {
		sandbox.admin.configure({ scim: { maxCount: 30 } });
		expect(await run('getAll', { returnAll: true })).toHaveLength(350);
	});

	test('by e-mail in any case, by external ID, by both', async () => {
		const user = someone();
		const email = user.userName.toUpperCase();
		const { externalId } = user;
		for (const filters of [{ email }, { externalId }, { email, externalId }]) {
			const users = await run('getAll', { filters: filters as INodeParameters });
			expect(users.map(({ id }) => id)).toEqual([user.id]);
		}
		expect(await run('getAll', { filters: { email, externalId: 'other' } })).toEqual([]);
		expect(await run('getAll', { filters: { email: 'nobody@example.com' } })).toEqual([]);
	});

	test('a filter is never widened', async () => {
		const strangers = [...sandbox.state.users.values()].slice(0, 2);
		const Resources = strangers.map(({ id, userName }) => ({ id, userName }));
		sandbox.admin.fault({ kind: 'body', body: { totalResults: 2, startIndex: 1, Resources } });
		expect(await run('getAll', { filters: { email: someone().userName } })).toEqual([]);
	});

	test.each([
		['blank', { email: ' ' }, "'Email' is empty"],
		['an expression that found nothing', { email: '={{ $json.missing }}' }, "'Email' is empty"],
		['null', { externalId: '={{ null }}' }, "'External ID' is empty"],
		['no e-mail', { email: 'ann' }, "'Email' is not an e-mail address: 'ann'"],
	])(
		'a filter that is %s is refused, since it would give everybody',
		async (_, filters, message) => {
			expect((await failure('getAll', { filters })).message).toBe(message);
			expect(sent()).toEqual([]);
		},
	);

	test.each([[0], [-1], [1.5], ['many']])('the limit %p is refused', async (limit) => {
		const error = await failure('getAll', { limit });
		expect(error.message).toBe("'Limit' is not a whole number of 1 or more");
	});
});

describe('Create', () => {
	const names = { givenName: 'Zoë', familyName: 'Łukasz' };

	test('a member, who is then there', async () => {
		const [json] = await run('create', {
			email: ' New.Member@Example.com ',
			...names,
			additionalFields: { externalId: '00u-new' },
		});
		expect(json).toMatchObject({ userName: 'new.member@example.com', active: true });
		expect(stateOf(json.id as string)).toMatchObject({ ...names, externalId: '00u-new' });
		expect(sent()).toEqual([
			{
				method: 'POST',
				path: '/scim/Users',
				body: {
					schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
					userName: 'new.member@example.com',
					name: names,
					externalId: '00u-new',
				},
			},
		]);
		expect(sandbox.admin.requests()[0].headers['content-type']).toBe('application/scim+json');
	});

	test('an e-mail that is taken', async () => {
		const error = await failure('create', { email: someone().userName, ...names });
		expect(error.message).toBe('A member with this e-mail or external ID exists already');
		expect(error.description).toContain("'Email'");
		expect(error).toMatchObject({ httpCode: '409' });
	});

	test.each([
		[{ email: "={{ '' }}" }, "'Email' is empty"],
		[{ email: 'ann' }, "'Email' is not an e-mail address: 'ann'"],
		[{ givenName: ' ' }, "'Given Name' is empty"],
		[{ familyName: '={{ $json.missing }}' }, "'Family Name' is missing"],
		[{ familyName: '={{ [1] }}' }, "'Family Name' is not a text"],
		[{ additionalFields: { externalId: '' } }, "'External ID' is empty"],
	])('%j is told before sending', async (parameters, message) => {
		const whole = { email: 'new@example.com', ...names, ...parameters } as INodeParameters;
		expect((await failure('create', whole)).message).toBe(message);
		expect(sent()).toEqual([]);
	});
});

describe('Delete', () => {
	test.each([
		['by ID', (user: User) => byId(user.id), ['DELETE']],
		['by e-mail', (user: User) => byEmail(user.userName), ['GET', 'DELETE']],
	])('%s', async (_, locator, expected) => {
		const user = someone();
		expect(await run('delete', { userId: locator(user) })).toEqual([
			{ deleted: true, id: user.id },
		]);
		expect(sandbox.state.users.has(user.id)).toBe(false);
		expect(sandbox.state.users.size).toBe(349);
		expect(methods()).toEqual(expected);
	});

	test('somebody who is not there is an error, not a success', async () => {
		const error = await failure('delete', { userId: byEmail('nobody@example.com') });
		expect(error.message).toBe("No user was found for 'nobody@example.com'");
		expect(sandbox.state.users.size).toBe(350);
	});

	test('after a failure in the middle, the member may be gone, and nothing is sent twice', async () => {
		sandbox.admin.fault({ kind: 'reset', method: 'DELETE', applied: true });
		const user = someone();
		const error = await failure('delete', { userId: byId(user.id) });
		expect(error.message).toBe('The connection broke before the answer was complete');
		expect(error.description).toContain('The change may have been carried out all the same');
		expect(sandbox.state.users.has(user.id)).toBe(false);
		expect(methods()).toEqual(['DELETE']);
	});
});

describe('Suspend and Unsuspend', () => {
	test.each([
		['by ID', (user: User) => byId(user.id)],
		['by e-mail, in any case', (user: User) => byEmail(user.userName.toUpperCase())],
	])('%s: one request each', async (_, locator) => {
		const user = someone();
		const userId = locator(user);
		const [suspended] = await run('suspend', { userId });
		expect(suspended).toMatchObject({ id: user.id, active: false });
		// The walk-through of the spec shows the addresses under `email`.
		expect(suspended.emails).toEqual([{ primary: true, value: user.userName }]);
		expect(suspended).not.toHaveProperty('email');
		expect(stateOf(user.id).active).toBe(false);
		const [active] = await run('unsuspend', { userId });
		expect(active).toMatchObject({ id: user.id, active: true });
		expect(stateOf(user.id).active).toBe(true);
		expect(sent().map(({ body }) => body?.Operations)).toEqual([
			[{ op: 'replace', path: 'active', value: false }],
			[{ op: 'replace', path: 'active', value: true }],
		]);
	});

	test('active as a text', async () => {
		const { id, userName } = someone();
		sandbox.admin.fault({ kind: 'body', body: { id, userName, active: 'false' } });
		expect(await run('suspend', { userId: byId(id) })).toEqual([{ id, userName, active: false }]);
	});

	test('an answer that shows the member still active is no success', async () => {
		const { id, userName } = someone();
		sandbox.admin.fault({ kind: 'body', body: { id, userName, active: true } });
		const error = await failure('suspend', { userId: byId(id) });
		expect(error.message).toBe('The service answered with the member still active');
	});

	test('the last admin of a workspace', async () => {
		const [workspace] = sandbox.state.workspaces.values();
		const [admin, ...others] = [...workspace.members].filter(([, role]) => role === 'admin');
		for (const [user] of others) {
			sandbox.admin.setMembership({ workspaceId: workspace.id, user, role: 'member' });
		}
		const error = await failure('suspend', { userId: byId(admin[0]) });
		expect(error.message).toBe(
			'The member cannot be suspended: they are the last admin of a workspace',
		);
		expect(error.description).toContain(workspace.name);
		expect(stateOf(admin[0]).active).toBe(true);
	});

	test('nobody', async () => {
		for (const operation of ['suspend', 'unsuspend']) {
			const error = await failure(operation, { userId: byEmail('nobody@example.com') });
			expect(error.message).toBe("No user was found for 'nobody@example.com'");
		}
	});
});
