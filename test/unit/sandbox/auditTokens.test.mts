import type { Sandbox } from '../../sandbox/index.mts';
import { call, startSmall, type Json } from './api.mts';

const NOW = '2026-03-31T12:00:00.000Z';
const DAY = 86_400_000;
const ago = (ms: number) => new Date(Date.parse(NOW) - ms).toISOString();

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSmall({ now: NOW, frozen: true, sizes: { entries: 0 } });
});

beforeEach(() => {
	sandbox.admin.reset();
});

afterAll(async () => {
	await sandbox.close();
});

const get = (query: Record<string, string | string[]> = {}) =>
	call(sandbox, 'GET', '/audit-log', { query });

const ids = (body: Json) => (body.data as Json[]).map(({ id }) => id as string);

const since = (text: string) => ({ 'filter[date][since]': text });

/** Pages until one is empty or its token missing, empty or known. */
async function readAll(query: Record<string, string>) {
	const pages: string[][] = [];
	const tokens: unknown[] = [];
	let next = query;
	for (;;) {
		const { status, body } = await get(next);
		expect(status).toBe(200);
		pages.push(ids(body));
		const token = body.nextToken as string | null | undefined;
		if (!token || tokens.includes(token) || pages.at(-1)!.length === 0) {
			return { pages, last: body };
		}
		tokens.push(token);
		next = { nextToken: token, ...(query.maxResults && { maxResults: query.maxResults }) };
	}
}

const numbered = (count: number) =>
	Array.from({ length: count }, (_, i) => ({ id: `e${i}`, date: ago(i * 1000) }));

describe('paging', () => {
	beforeEach(() => {
		sandbox.admin.insertEntries(numbered(5));
	});

	const endOfPaging = (
		value: 'emptyPage' | 'noToken' | 'nullToken' | 'emptyToken' | 'repeatedToken',
	) => sandbox.admin.configure({ audit: { endOfPaging: value } });

	test('a token on every page, the last and the empty one too', async () => {
		const { pages, last } = await readAll({ maxResults: '2' });
		expect(pages).toEqual([['e0', 'e1'], ['e2', 'e3'], ['e4'], []]);
		expect(typeof last.nextToken).toBe('string');
		expect(last.nextToken).not.toBe('');
	});

	test('a page that is exactly full is followed by an empty one', async () => {
		expect((await readAll({ maxResults: '5' })).pages.map((page) => page.length)).toEqual([5, 0]);
	});

	test.each([
		['noToken', undefined],
		['nullToken', null],
		['emptyToken', ''],
	] as const)('%s ends the last page', async (style, token) => {
		endOfPaging(style);
		const { pages, last } = await readAll({ maxResults: '2' });
		expect(pages).toEqual([['e0', 'e1'], ['e2', 'e3'], ['e4']]);
		expect(last.nextToken).toBe(token);
	});

	test('repeatedToken answers the last page for ever', async () => {
		endOfPaging('repeatedToken');
		const { pages, last } = await readAll({ maxResults: '2' });
		expect(pages).toEqual([['e0', 'e1'], ['e2', 'e3'], ['e4'], ['e4']].slice(0, pages.length));
		const again = await get({ nextToken: last.nextToken as string, maxResults: '2' });
		expect(again.body).toEqual(last);
	});

	test('maxResults counts with a token, everything else is ignored', async () => {
		const { body } = await get({ maxResults: '1', 'filter[action]': 'CREATE_MURAL' });
		const nextToken = body.nextToken as string;
		const rest = await get({
			nextToken,
			maxResults: '3',
			'filter[action]': '',
			...since('garbage'),
			unknown: 'x',
		});
		expect([rest.status, ids(rest.body)]).toEqual([200, ['e1', 'e2', 'e3']]);
		expect((await get({ nextToken, maxResults: '0' })).status).toBe(400);
	});

	test('a token keeps the filters and the 7 days of its first request', async () => {
		sandbox.admin.insertEntries([
			{ id: 'other', action: 'SIGN_IN_FAILURE', date: ago(1500) },
			{ id: 'week', date: ago(7 * DAY) },
		]);
		const { body } = await get({ maxResults: '1', 'filter[action]': 'CREATE_MURAL' });
		sandbox.admin.advance(60_000);
		const rest = await get({ nextToken: body.nextToken as string });
		expect(ids(rest.body)).toEqual(['e1', 'e2', 'e3', 'e4', 'week']);
	});

	test('entries that leave the log meanwhile are not sent', async () => {
		sandbox.admin.insertEntries([
			{ id: 'going', date: ago(30 * DAY - 1000) },
			{ id: 'gone', date: ago(30 * DAY - 999) },
		]);
		const { body } = await get({ maxResults: '5', ...since('2026-01-01') });
		sandbox.admin.advance(1000);
		const rest = await get({ nextToken: body.nextToken as string });
		expect(ids(rest.body)).toEqual(['going']);
	});

	test.each(['', 'nonsense', 'bm9uc2Vuc2U='])('the token "%s" is 400', async (nextToken) => {
		const { status, body } = await get({ nextToken });
		expect([status, body.error]).toEqual([400, 'INVALID_TOKEN']);
	});

	test('two tokens are 400', async () => {
		expect((await get({ nextToken: ['a', 'b'] })).status).toBe(400);
	});

	test('a token expires when told to', async () => {
		sandbox.admin.configure({ audit: { tokenTtlMs: 1000 } });
		const { body } = await get({ maxResults: '1' });
		const nextToken = body.nextToken as string;
		sandbox.admin.advance(1000);
		expect((await get({ nextToken })).status).toBe(200);
		sandbox.admin.advance(1);
		const late = await get({ nextToken });
		expect([late.status, late.body.error]).toEqual([400, 'TOKEN_EXPIRED']);
	});

	test('short pages are not the end', async () => {
		sandbox.admin.insertEntries(numbered(300).map(({ date }) => ({ date })));
		sandbox.admin.configure({ audit: { shortPages: 1 } });
		const { pages } = await readAll({ maxResults: '50' });
		const full = pages.slice(0, -1);
		expect(full.every((page) => page.length > 0 && page.length < 50)).toBe(true);
		expect(new Set(full.flat()).size).toBe(305);
	});
});
