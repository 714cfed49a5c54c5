import type { Sandbox } from '../../sandbox/index.mts';
import { LIST_RESPONSE, USER, call, lastActions, startSmall, userBody, type Json } from './api.mts';

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

const list = (query: Record<string, string | string[]>) =>
	call(sandbox, 'GET', '/scim/Users', { query });

const create = async (userName: string, more: Json = {}) =>
	(await send('POST', '', userBody(userName, more))).body;

const at = (user: Json) => `/${encodeURIComponent(user.id as string)}`;

describe('create', () => {
	test('answers the created member with the fields of the spec', async () => {
		const { status, body, headers } = await send(
			'POST',
			'',
			userBody('New.Person@Aurelia.example', {
				externalId: 'x1',
				userType: 'Employee',
				profileUrl: 'https://avatars.aurelia.example/1.png',
				emails: [{ primary: true, value: 'New.Person@Aurelia.example' }],
				id: 'mine',
			}),
		);
		expect(status).toBe(201);
		expect(headers.get('content-type')).toContain('application/scim+json');
		expect(body).toEqual({
			schemas: [USER],
			id: expect.any(String) as string,
			externalId: 'x1',
			userName: 'new.person@aurelia.example',
			name: { givenName: 'Given', familyName: 'Family' },
			active: true,
			emails: [{ primary: true, value: 'new.person@aurelia.example' }],
			userType: 'Employee',
			profileUrl: 'https://avatars.aurelia.example/1.png',
			meta: {
				created: '2026-03-31T12:00:00.000Z',
				lastModified: '2026-03-31T12:00:00.000Z',
				resourceType: 'User',
			},
		});
		expect(body.id).not.toBe('mine');
		expect((await send('GET', at(body))).body).toEqual(body);
		expect(lastActions(sandbox, 1)).toEqual([['APIKEY', 'CREATE_USER', 'USER', body.id]]);
	});

	test('active false creates a suspended member', async () => {
		expect((await create('a@b.example', { active: false })).active).toBe(false);
	});

	test('the userName is unique, whatever its case', async () => {
		await create('a@b.example');
		const { status, body } = await send('POST', '', userBody('A@b.example'));
		expect([status, body.error, body.scimType]).toEqual([409, 'CONFLICT', 'uniqueness']);
	});

	const valid = userBody('a@b.example');
	test.each<[string, Json]>([
		['schemas', { schemas: undefined }],
		['the right schema', { schemas: ['urn:other'] }],
		['userName', { userName: undefined }],
		['an e-mail as userName', { userName: 'nobody' }],
		['a userName of text', { userName: 5 }],
		['name', { name: undefined }],
		['givenName', { name: { familyName: 'F' } }],
		['familyName', { name: { givenName: 'G' } }],
		['a givenName that is not empty', { name: { givenName: '', familyName: 'F' } }],
		['a boolean as active', { active: 'true' }],
		['text as externalId', { externalId: 5 }],
		['an array as emails', { emails: 'a@b.example' }],
	])('needs %s', async (_, change) => {
		const { status, body } = await send('POST', '', { ...valid, ...change });
		expect([status, body.error]).toEqual([400, 'INVALID_INPUT']);
		expect(sandbox.state.users.size).toBe(12);
	});

	test('names lose their accents when told to', async () => {
		sandbox.admin.configure({ scim: { deaccentNames: true } });
		const name = { givenName: 'José', familyName: 'Łukaszøß' };
		expect((await create('a@b.example', { name })).name).toEqual({
			givenName: 'Jose',
			familyName: 'Lukaszoss',
		});
	});
});

describe('read', () => {
	test('by id and by e-mail in the place of the id', async () => {
		const user = await create('o"d d/%2F+é@b.example'.replace(' ', ''));
		const byEmail = await send('GET', `/${encodeURIComponent(user.userName as string)}`);
		expect(byEmail.body).toEqual(user);
	});

	test.each(['nobody', 'nobody@b.example', '', '__proto__', '..%2FUsers'])(
		'"%s" is 404',
		async (id) => {
			expect((await send('GET', `/${id}`)).status).toBe(404);
		},
	);

	test('an e-mail in mixed case names nobody', async () => {
		const user = await create('someone@b.example');
		expect((await send('GET', '/Someone%40b.example')).status).toBe(404);
		expect((await send('GET', at(user))).status).toBe(200);
	});
});

describe('list', () => {
	test('a list response in order of creation', async () => {
		const { status, body } = await list({});
		expect(status).toBe(200);
		expect(body).toMatchObject({
			schemas: [LIST_RESPONSE],
			totalResults: 12,
			startIndex: 1,
			itemsPerPage: 12,
		});
		expect((body.Resources as Json[]).map(({ id }) => id as string)).toEqual([
			...sandbox.state.users.keys(),
		]);
	});

	test.each<[Record<string, string>, number, number]>([
		[{ count: '5' }, 1, 5],
		[{ startIndex: '11' }, 11, 2],
		[{ startIndex: '13' }, 13, 0],
		[{ startIndex: '11', count: '1' }, 11, 1],
		[{ startIndex: '0' }, 1, 12],
		[{ startIndex: '-3', count: '2' }, 1, 2],
		[{ count: '0' }, 1, 0],
		[{ count: '-1' }, 1, 0],
		[{ count: '1000' }, 1, 12],
	])('%j starts at %d and holds %d', async (query, startIndex, itemsPerPage) => {
		const { body } = await list(query);
		expect(body).toMatchObject({ totalResults: 12, startIndex, itemsPerPage });
		expect(body.Resources).toHaveLength(itemsPerPage);
	});

	test('no page holds more than 100', async () => {
		for (let i = 0; i < 100; i++) await create(`user${i}@b.example`);
		expect((await list({ count: '101' })).body).toMatchObject({
			totalResults: 112,
			itemsPerPage: 100,
		});
		sandbox.admin.configure({ scim: { maxCount: 7 } });
		expect((await list({ count: '101' })).body.itemsPerPage).toBe(7);
	});

	test.each<Record<string, string | string[]>>([
		{ count: 'many' },
		{ count: '1.5' },
		{ startIndex: '' },
		{ startIndex: ['1', '2'] },
		{ sortBy: 'userName' },
		{ sortOrder: 'descending' },
		{ attributes: 'userName' },
		{ cursor: 'x' },
	])('%j is 400', async (query) => {
		expect((await list(query)).status).toBe(400);
	});
});

describe('filter', () => {
	const find = async (filter: string) => {
		const { status, body } = await list({ filter });
		return status === 200
			? (body.Resources as Json[]).map(({ userName }) => userName as string)
			: [status, body.scimType];
	};

	beforeEach(async () => {
		await create('jane.doe@b.example', { externalId: 'x"1\\' });
		await create('o\'ha"ra\\@b.example', { externalId: 'été' });
	});

	test.each([
		['userName eq "jane.doe@b.example"', ['jane.doe@b.example']],
		['USERNAME EQ "jane.doe@b.example"', ['jane.doe@b.example']],
		['(userName eq "jane.doe@b.example")', ['jane.doe@b.example']],
		['userName eq "Jane.Doe@b.example"', []],
		['userName eq "jane.doe"', []],
		['userName eq ""', []],
		['userName eq "o\'ha\\"ra\\\\@b.example"', ['o\'ha"ra\\@b.example']],
		['externalId eq "x\\"1\\\\"', ['jane.doe@b.example']],
		['externalId eq "\\u00e9t\\u00e9"', ['o\'ha"ra\\@b.example']],
		['externalId eq "été"', ['o\'ha"ra\\@b.example']],
	])('%s finds %j', async (filter, expected) => {
		expect(await find(filter)).toEqual(expected);
	});

	test.each([
		'userName co "jane"',
		'userName sw "jane"',
		'userName ne "x"',
		'userName pr',
		'not (userName eq "x")',
		'userName eq "x" or userName eq "y"',
		'userName eq "x" and externalId eq "y"',
		'emails.value eq "x"',
		'emails[value eq "x"]',
		'id eq "x"',
		'active eq true',
		'userName eq true',
		'userName eq x',
		'userName eq "x',
		'userName eq "x" "y"',
		'userName eq "x"y"',
		'userName eq "\\x"',
		'userName',
		'',
	])('%s is 400 invalidFilter', async (filter) => {
		expect(await find(filter)).toEqual([400, 'invalidFilter']);
	});

	test('is refused when declared unsupported', async () => {
		sandbox.admin.configure({ scim: { filterSupported: false } });
		expect(await find('userName eq "x"')).toEqual([400, 'invalidFilter']);
	});
});
