import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { Client, ServiceRequest } from '../../../nodes/shared/client';
import type { Subject } from '../../../nodes/shared/errors';
import {
	createUser,
	deleteUser,
	eqFilter,
	findUser,
	getUser,
	normalizeEmail,
	normalizeUser,
	replaceUser,
	resolveUserId,
	setActive,
	simplifyUser,
	updateUser,
	userList,
	userResource,
} from '../../../nodes/shared/scim';
import { isLastPage, readListPage } from '../../../nodes/shared/scimList';
import { equalityFilter } from '../../sandbox/scim.mts';

/** A client whose answers are given in turn, and what it was asked. */
function fakeClient(...answers: unknown[]) {
	const requests: ServiceRequest[] = [];
	const client = {
		request: async (request: ServiceRequest) => answers[requests.push(request) - 1],
		unexpected: (_: ServiceRequest, what: string) => new Error(`unexpected: ${what}`),
		notFound: ({ kind, parameter, value }: Subject) =>
			new Error(`no ${kind} ${parameter}=${value}`),
	} as unknown as Client;
	return { client, requests };
}

const ann = { id: 'u1', userName: 'ann@example.com', externalId: '00u1', active: true };
const origin = { parameter: 'User', itemIndex: 3 };
const list = (...Resources: unknown[]) => ({
	totalResults: Resources.length,
	startIndex: 1,
	Resources,
});

describe('eqFilter', () => {
	test.each([
		['ann@example.com', 'userName eq "ann@example.com"'],
		['o"neil@example.com', 'userName eq "o\\"neil@example.com"'],
		['a\\b', 'userName eq "a\\\\b"'],
		['" or userName pr or userName eq "', 'userName eq "\\" or userName pr or userName eq \\""'],
	])('%j', (value, expected) => {
		expect(eqFilter('userName', value)).toBe(expected);
	});

	test('whatever the value, the service reads back one comparison with exactly that value', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme' }), (value) => {
				const filter = eqFilter('externalId', value);
				expect(equalityFilter(filter, ['externalId'])).toEqual({ attribute: 'externalId', value });
			}),
		);
	});
});

test('e-mails are compared in lower case without white space around', () => {
	expect(normalizeEmail(' Ann.LEE@Example.COM\n')).toBe('ann.lee@example.com');
});

describe('normalizeUser', () => {
	const emails = [{ primary: true, value: 'ann@example.com' }];
	test.each<[string, IDataObject, IDataObject]>([
		['email for emails', { id: 'u', email: emails }, { id: 'u', emails }],
		['both', { id: 'u', email: [], emails }, { id: 'u', emails }],
		['emails that are null', { id: 'u', email: emails, emails: null }, { id: 'u', emails }],
		['an email that is a text', { id: 'u', email: 'a@b' }, { id: 'u', email: 'a@b' }],
		['active as text', { id: 'u', active: 'True' }, { id: 'u', active: true }],
		['inactive as text', { id: 'u', active: 'false' }, { id: 'u', active: false }],
		['active as another text', { id: 'u', active: 'maybe' }, { id: 'u', active: 'maybe' }],
		['active false', { id: 'u', active: false }, { id: 'u', active: false }],
		['unknown fields', { id: 'u', x: { y: null }, z: 0 }, { id: 'u', x: { y: null }, z: 0 }],
	])('%s', (_, resource, expected) => {
		const before = structuredClone(resource);
		expect(normalizeUser(resource)).toEqual(expected);
		expect(resource).toEqual(before);
	});
});

test('simplifyUser gives the same fields whatever is missing, false included', () => {
	expect(simplifyUser({ ...ann, active: 'false', name: { givenName: '' } })).toEqual({
		id: 'u1',
		email: 'ann@example.com',
		givenName: '',
		familyName: null,
		active: false,
		externalId: '00u1',
		created: null,
		lastModified: null,
	});
});

test('userResource leaves out what is absent and keeps what is empty', () => {
	expect(userResource({ userName: 'a@b', givenName: '', active: false })).toEqual({
		schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
		userName: 'a@b',
		name: { givenName: '', familyName: undefined },
		active: false,
	});
});

describe('findUser', () => {
	const stranger = { id: 'u2', userName: 'bob@example.com', externalId: '00u2' };

	test('asks with a filter in lower case', async () => {
		const { client, requests } = fakeClient(list(ann));
		expect(await findUser(client, 'userName', ' ANN@example.com', 3)).toEqual(ann);
		expect(requests).toHaveLength(1);
		expect(requests[0]).toMatchObject({
			method: 'GET',
			path: ['scim', 'Users'],
			scim: true,
			itemIndex: 3,
			query: { filter: 'userName eq "ann@example.com"', startIndex: 1 },
		});
	});

	test('finds a member whose e-mail the service shows in mixed case', async () => {
		const shown = { ...ann, userName: 'Ann@Example.com' };
		expect(await findUser(fakeClient(list(shown)).client, 'userName', 'ann@example.com')).toEqual(
			shown,
		);
	});

	test.each<[string, unknown]>([
		['nobody', list()],
		['nobody, without a list', { totalResults: 0 }],
		['strangers, because the filter was ignored', list(stranger, stranger)],
		[
			'members without the attribute',
			list({ id: 'u3' }, { id: 'u4', userName: null, externalId: 5 }),
		],
	])('%s: found nobody', async (_, answer) => {
		expect(await findUser(fakeClient(answer).client, 'userName', ann.userName)).toBeUndefined();
		expect(await findUser(fakeClient(answer).client, 'externalId', '00u1')).toBeUndefined();
	});

	test('picks the right one among strangers; external IDs by exact case', async () => {
		const { client } = fakeClient(list(stranger, ann), list(stranger, ann), list(ann));
		expect(await findUser(client, 'userName', ann.userName)).toEqual(ann);
		expect(await findUser(client, 'externalId', '00u1')).toEqual(ann);
		expect(await findUser(client, 'externalId', '00U1')).toBeUndefined();
	});
});

describe('one member', () => {
	test('by id is one direct read', async () => {
		const { client, requests } = fakeClient(ann);
		expect(await getUser(client, { id: 'u1' }, origin)).toEqual(ann);
		expect(requests[0]).toMatchObject({
			method: 'GET',
			path: ['scim', 'Users', 'u1'],
			subject: { kind: 'user', parameter: 'User', value: 'u1' },
			itemIndex: 3,
		});
	});

	test('by e-mail is one filtered read; nobody is an error that names the parameter', async () => {
		expect(await getUser(fakeClient(list(ann)).client, { email: ann.userName }, origin)).toEqual(
			ann,
		);
		const missing = getUser(fakeClient(list()).client, { email: 'x@y' }, origin);
		await expect(missing).rejects.toThrow('no user User=x@y');
	});

	test('an id costs no request to resolve', async () => {
		const { client, requests } = fakeClient(list(ann));
		expect(await resolveUserId(client, { id: 'u9' }, origin)).toBe('u9');
		expect(requests).toEqual([]);
		expect(await resolveUserId(client, { email: ann.userName }, origin)).toBe('u1');
	});

	test.each<[unknown]>([[undefined], [null], [{}], [{ id: 5 }], [[]], ['ok']])(
		'%j is no user',
		async (answer) => {
			const { client } = fakeClient(...Array<unknown>(4).fill(answer));
			const no = 'something that is no user';
			await expect(getUser(client, { id: 'u1' }, origin)).rejects.toThrow(no);
			await expect(createUser(client, {}, origin)).rejects.toThrow(no);
			await expect(replaceUser(client, 'u1', {}, origin)).rejects.toThrow(no);
			await expect(updateUser(client, 'u1', { givenName: 'A' }, origin)).rejects.toThrow(no);
		},
	);
});

describe('changes', () => {
	test('an update sends only what is present, false and empty included', async () => {
		const { client, requests } = fakeClient(ann);
		await updateUser(client, 'u1', { givenName: '', active: false, userName: undefined }, origin);
		expect(requests[0].body).toEqual({
			schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
			Operations: [
				{ op: 'replace', path: 'name.givenName', value: '' },
				{ op: 'replace', path: 'active', value: false },
			],
		});
	});

	test.each([true, false])(
		'active %p goes out as a boolean, by e-mail in the path',
		async (active) => {
			const { client, requests } = fakeClient({ ...ann, active: String(active) });
			const user = await setActive(client, { email: 'Ann@Example.com' }, active, origin);
			expect(user.active).toBe(active);
			expect(requests).toHaveLength(1);
			expect(requests[0].path).toEqual(['scim', 'Users', 'ann@example.com']);
			expect(requests[0].body?.Operations).toEqual([
				{ op: 'replace', path: 'active', value: active },
			]);
		},
	);

	test('a good answer that shows the other state is an error', async () => {
		const suspended = setActive(fakeClient(ann).client, { id: 'u1' }, false, origin);
		await expect(suspended).rejects.toThrow('the member still active');
		const answer = { ...ann, active: 'false' };
		const unsuspended = setActive(fakeClient(answer).client, { id: 'u1' }, true, origin);
		await expect(unsuspended).rejects.toThrow('the member still suspended');
	});

	test('an answer without a state is taken', async () => {
		const { active: _, ...stateless } = ann;
		expect(await setActive(fakeClient(stateless).client, { id: 'u1' }, false, origin)).toEqual(
			stateless,
		);
	});

	test('a deletion takes any answer', async () => {
		const { client, requests } = fakeClient(undefined);
		await deleteUser(client, 'u1', origin);
		expect(requests[0]).toMatchObject({ method: 'DELETE', path: ['scim', 'Users', 'u1'] });
	});

	test('what a conflict means depends on the change', async () => {
		const { client, requests } = fakeClient(
			...Array<unknown>(7).fill({ ...ann, active: undefined }),
		);
		await createUser(client, { userName: 'a@b' }, origin);
		await updateUser(client, 'u1', { userName: 'a@b' }, origin);
		await updateUser(client, 'u1', { active: false }, origin);
		await updateUser(client, 'u1', { active: false, userName: 'a@b' }, origin);
		await updateUser(client, 'u1', { givenName: 'A', active: true }, origin);
		await replaceUser(client, 'u1', { userName: 'a@b', active: true }, origin);
		await setActive(client, { id: 'u1' }, true, origin);
		expect(requests.map(({ sentences }) => sentences?.[409]?.[0])).toEqual([
			'A member with this e-mail or external ID exists already',
			'Another member has this e-mail already',
			'The member cannot be suspended: they are the last admin of a workspace',
			expect.stringMatching(/e-mail or external ID already, or the member is the last admin/),
			undefined,
			'Another member has this e-mail or external ID already',
			undefined,
		]);
		expect(requests[3].sentences?.uniqueness[0]).toBe('Another member has this e-mail already');
	});
});

describe('a page of a list', () => {
	const users = userList('userName eq "x"', 3);

	test('carries the filter, the start and the count', async () => {
		const { client, requests } = fakeClient(list(ann));
		expect((await readListPage(client, users, 1, 20)).Resources).toEqual([ann]);
		expect(requests[0]).toMatchObject({
			path: ['scim', 'Users'],
			itemIndex: 3,
			query: { filter: 'userName eq "x"', startIndex: 1, count: 20 },
		});
	});

	test('may lack the list when nothing matches (RFC 7644, 3.4.2)', async () => {
		const { client } = fakeClient({ totalResults: 0 });
		expect(await readListPage(client, users, 1)).toMatchObject({ Resources: [] });
	});

	test.each<[unknown, string]>([
		[undefined, "JSON without the list 'Resources'"],
		[{}, "JSON without the list 'Resources'"],
		[{ totalResults: 5 }, "JSON without the list 'Resources'"],
		[{ Resources: {} }, "JSON without the list 'Resources'"],
		[{ Resources: [null] }, "a list 'Resources' that holds more than resources"],
		[{ Resources: ['u1'] }, "a list 'Resources' that holds more than resources"],
		[{ startIndex: 1, Resources: [ann] }, 'the page at 1 instead of the one at 101'],
	])('%j is an error', async (answer, what) => {
		await expect(readListPage(fakeClient(answer).client, users, 101)).rejects.toThrow(what);
	});

	test('the last one is the empty one, or the one that reaches the total', () => {
		expect(isLastPage({ Resources: [] }, 101)).toBe(true);
		expect(isLastPage({ Resources: [ann], totalResults: 100 }, 101)).toBe(true);
		expect(isLastPage({ Resources: [ann], totalResults: 101 }, 101)).toBe(false);
		expect(isLastPage({ Resources: [ann] }, 101)).toBe(false);
	});
});
