import type { INodeListSearchResult } from 'n8n-workflow';

import { MuralEnterprise } from '../../nodes/MuralEnterprise/MuralEnterprise.node';
import type { Sandbox } from '../sandbox/index.mts';
import { startSandbox } from '../sandbox/index.mts';
import type { User } from '../sandbox/types.mts';
import { loadOptionsContext } from './contexts.mts';

/** The list behind the User locator, in the context the editor runs it in. */

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ sizes: { users: 350, groups: 1, workspaces: 2, entries: 0 } });
});
afterAll(async () => await sandbox.close());
beforeEach(() => sandbox.admin.reset());

const { searchUsers } = new MuralEnterprise().methods.listSearch;

async function search(filter?: string, token?: unknown, key = sandbox.key) {
	const context = loadOptionsContext({ apiKey: key, baseUrl: sandbox.url });
	return await searchUsers.call(context, filter, token);
}

/** As the editor does on scrolling: on and on, until there is no token. */
async function scroll(filter?: string): Promise<INodeListSearchResult[]> {
	const pages = [await search(filter)];
	for (let token = pages[0].paginationToken; token !== undefined; ) {
		const page = await search(filter, token);
		pages.push(page);
		token = page.paginationToken;
	}
	return pages;
}

const all = () => [...sandbox.state.users.values()];
const label = ({ givenName, familyName, userName, active }: User) =>
	`${givenName} ${familyName}${active ? '' : ' (suspended)'} <${userName}>`;
const values = (pages: INodeListSearchResult[]) =>
	pages.flatMap(({ results }) => results.map(({ value }) => value));

test('every member can be reached by scrolling, each once, with name, e-mail and state', async () => {
	const pages = await scroll();
	expect(pages.map(({ results }) => results.length)).toEqual([100, 100, 100, 50]);
	expect(values(pages)).toEqual(all().map(({ id }) => id));
	const names = pages.flatMap(({ results }) => results.map(({ name }) => name));
	expect(names).toEqual(all().map(label));
	expect(names.some((name) => name.includes(' (suspended) '))).toBe(true);
});

test.each([
	['a part of a first name', ({ givenName }: User) => givenName.slice(0, 3)],
	['a last name in capitals', ({ familyName }: User) => familyName.toUpperCase()],
	['a whole name with white space', (user: User) => ` ${user.givenName} ${user.familyName} `],
	['a part of an e-mail', ({ userName }: User) => userName.split('@')[0]],
	['the domain', () => '@aurelia'],
	['a state', () => 'suspended'],
])('finds by %s, on whichever page it is', async (_, filterOf) => {
	const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
	const user = all()[340];
	const filter = filterOf(user);
	const expected = all().filter((member) => plain(label(member)).includes(plain(filter.trim())));
	expect(expected.length).toBeGreaterThan(0);
	expect(values(await scroll(filter))).toEqual(expected.map(({ id }) => id));
});

test('accents make no difference, for the service may have taken them off', async () => {
	const user = all()[300];
	user.givenName = 'Zoe';
	expect(values(await scroll('ZOË'))).toContain(user.id);
	user.givenName = 'Zoë';
	expect(values(await scroll('zoe'))).toContain(user.id);
});

test('a whole e-mail, in any case, is one request', async () => {
	const user = all()[333];
	expect(await search(` ${user.userName.toUpperCase()} `)).toEqual({
		results: [{ name: label(user), value: user.id }],
	});
	expect(sandbox.admin.requests()).toHaveLength(1);
});

test('what nobody is called gives an empty list, not an endless search', async () => {
	expect(await search('nobody has this name')).toEqual({ results: [] });
	expect(await search('nobody@example.com')).toEqual({ results: [] });
});

test('a page of its own size is asked for as long as there is little to show', async () => {
	sandbox.admin.configure({ scim: { maxCount: 7 } });
	const { results, paginationToken } = await search();
	expect(results).toHaveLength(21);
	expect(paginationToken).toBe('22');
});

test('a service that knows no pages ends the search', async () => {
	const Resources = all()
		.slice(0, 3)
		.map(({ id, userName }) => ({ id, userName }));
	sandbox.admin.fault({ kind: 'body', body: { Resources }, count: null });
	expect((await search('aurelia')).results).toHaveLength(3);
	expect(sandbox.admin.requests()).toHaveLength(2);
});

test('members without a name, and an e-mail under another key', async () => {
	const Resources = [
		{ id: 'u1', userName: 'a@b' },
		{ id: 'u2', userName: 'c@d', active: 'false', name: {} },
	];
	sandbox.admin.fault({ kind: 'body', body: { totalResults: 2, startIndex: 1, Resources } });
	expect((await search()).results).toEqual([
		{ name: '<a@b>', value: 'u1' },
		{ name: '(suspended) <c@d>', value: 'u2' },
	]);
});

test('a failure is told in the list, in the words of the node', async () => {
	await expect(search('', undefined, 'wrong-key')).rejects.toThrow(
		'The service did not accept the API key',
	);
	sandbox.admin.fault({ kind: 'html' });
	await expect(search()).rejects.toThrow('The service answered with a web page instead of JSON');
});
