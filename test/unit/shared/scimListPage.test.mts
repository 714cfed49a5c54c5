import type { Client, ServiceRequest } from '../../../nodes/shared/client';
import { isLastPage, readListPage, readListPages } from '../../../nodes/shared/scimList';

/** A client whose answers are given in turn, the last one again and again, and what it was asked. */
function fakeClient(...answers: unknown[]) {
	const requests: ServiceRequest[] = [];
	const client = {
		request: async (request: ServiceRequest) => {
			requests.push(request);
			return answers[Math.min(requests.length, answers.length) - 1];
		},
		unexpected: (_: ServiceRequest, what: string) => new Error(`unexpected: ${what}`),
	} as unknown as Client;
	return { client, requests };
}

const LIST = { path: ['scim', 'Users'], scim: true };

test('a page is asked for by its place and length, beside what else the list takes', async () => {
	const { client, requests } = fakeClient({ Resources: [] });
	const list = { ...LIST, query: { filter: 'x' }, sentences: {}, itemIndex: 3 };
	await readListPage(client, list, 21, 20);
	await readListPage(client, LIST, 1);
	expect(requests).toEqual([
		{ ...list, method: 'GET', query: { filter: 'x', startIndex: 21, count: 20 } },
		{ ...LIST, method: 'GET', query: { startIndex: 1, count: 100 } },
	]);
});

test.each<[string, unknown]>([
	['with its place', { totalResults: 5, startIndex: 3, Resources: [{ id: 'a' }] }],
	['without a place', { totalResults: 5, Resources: [{ id: 'a' }] }],
	['empty, with the place of the last page', { startIndex: 1, Resources: [] }],
	['empty, without a total', { Resources: [] }],
])('a page %s is given as it came', async (_, page) => {
	expect(await readListPage(fakeClient(page).client, LIST, 3)).toEqual(page);
});

test('the list may be absent when nothing matches', async () => {
	const { client } = fakeClient({ totalResults: 0, startIndex: 1 });
	const page = await readListPage(client, LIST, 1);
	expect(page).toEqual({ totalResults: 0, startIndex: 1, Resources: [] });
});

test.each<[unknown, string]>([
	[undefined, "JSON without the list 'Resources'"],
	[null, "JSON without the list 'Resources'"],
	['text', "JSON without the list 'Resources'"],
	[{}, "JSON without the list 'Resources'"],
	[{ totalResults: 7 }, "JSON without the list 'Resources'"],
	[{ totalResults: 0, Resources: null }, "JSON without the list 'Resources'"],
	[{ totalResults: 0, Resources: {} }, "JSON without the list 'Resources'"],
	[{ Resources: [null] }, "a list 'Resources' that holds more than resources"],
	[{ Resources: [{}, 'x'] }, "a list 'Resources' that holds more than resources"],
	[{ startIndex: 1, Resources: [{}] }, 'the page at 1 instead of the one at 3'],
])('%j is no page', async (body, what) => {
	await expect(readListPage(fakeClient(body).client, LIST, 3)).rejects.toThrow(what);
});

test.each<[string, number | null | undefined, number, number, boolean]>([
	['an empty page', 9, 0, 4, true],
	['an empty page without a total', undefined, 0, 4, true],
	['a page that reaches the total', 3, 3, 4, true],
	['a page one short of the total', 4, 3, 4, false],
	['a page without a total', undefined, 3, 4, false],
	['a page whose total is null', null, 3, 4, false],
])('%s: the last one?', (_, totalResults, length, nextIndex, expected) => {
	const Resources = Array.from({ length }, () => ({}));
	const page = { totalResults: totalResults as number | undefined, Resources };
	expect(isLastPage(page, nextIndex)).toBe(expected);
});

test('resources without an id are all given', async () => {
	const pages = [
		{ totalResults: 4, Resources: [{ userName: 'a' }, { userName: 'a' }] },
		{ totalResults: 4, Resources: [{ userName: 'a' }, { userName: 'b' }] },
	];
	const given: unknown[] = [];
	for await (const page of readListPages(fakeClient(...pages).client, LIST)) given.push(...page);
	expect(given).toEqual(pages.flatMap(({ Resources }) => Resources));
});

test('no more is asked for than the caller takes', async () => {
	const { client, requests } = fakeClient({ totalResults: 500, Resources: [{ id: 'a' }] });
	for await (const page of readListPages(client, LIST, { limit: 7 })) if (page.length > 0) break;
	expect(requests.map(({ query }) => query)).toEqual([{ startIndex: 1, count: 7 }]);
});
