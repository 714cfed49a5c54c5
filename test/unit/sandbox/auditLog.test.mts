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
const until = (text: string) => ({ 'filter[date][until]': text });

test('an entry has the fields of the spec', async () => {
	sandbox.admin.insertEntries([
		{
			id: 'e1',
			date: '2026-03-31T10:19:42.841Z',
			action: 'UPDATE_COMPANY_SSO',
			actor: { id: 'u1', email: 'a@b.example', name: 'A B' },
			ip: '192.0.2.1',
		},
	]);
	expect((await get()).body.data).toEqual([
		{
			action: 'UPDATE_COMPANY_SSO',
			actor: {
				company: 'aurelia',
				email: 'a@b.example',
				id: 'u1',
				name: 'A B',
				type: 'USER',
			},
			date: '2026-03-31 10:19:42.841',
			id: 'e1',
			ip: '192.0.2.1',
			affected: { company: 'aurelia', id: 'aurelia', type: 'COMPANY' },
		},
	]);
});

test('without dates: the past 7 days, newest first, ties by id', async () => {
	sandbox.admin.insertEntries([
		{ id: 'old', date: ago(7 * DAY + 1) },
		{ id: 'edge', date: ago(7 * DAY) },
		{ id: 'b', date: ago(5) },
		{ id: 'a', date: ago(5) },
		{ id: 'new', date: ago(0) },
	]);
	expect(ids((await get()).body)).toEqual(['new', 'b', 'a', 'edge']);
});

test('the log holds 30 days', async () => {
	sandbox.admin.insertEntries([
		{ id: 'gone', date: ago(30 * DAY + 1) },
		{ id: 'kept', date: ago(30 * DAY) },
	]);
	expect(ids((await get(since('2026-01-01'))).body)).toEqual(['kept']);
	sandbox.admin.advance(1);
	expect(ids((await get(since('2026-01-01'))).body)).toEqual([]);
});

test('a response covers at most 30 days up to its upper bound', async () => {
	sandbox.admin.insertEntries([
		{ id: 'early', date: ago(29 * DAY) },
		{ id: 'future', date: ago(-5 * DAY) },
	]);
	expect(ids((await get(since('2026-03-01'))).body)).toEqual(['future', 'early']);
	expect(ids((await get(until('2026-03-03'))).body)).toEqual(['early']);
	const ahead = { ...since('2026-03-01'), ...until('2026-04-05 12:00:00') };
	expect(ids((await get(ahead)).body)).toEqual(['future']);
	const whole = { ...since('2026-03-01 12:00:00'), ...until('2026-03-31 12:00:00') };
	sandbox.admin.insertEntries([{ id: 'edge', date: ago(30 * DAY) }]);
	expect(ids((await get(whole)).body)).toEqual(['early', 'edge']);
});

describe('dates', () => {
	beforeEach(() => {
		sandbox.admin.insertEntries([
			{ id: '41.999', date: '2026-03-30T10:19:41.999Z' },
			{ id: '42.000', date: '2026-03-30T10:19:42.000Z' },
			{ id: '42.841', date: '2026-03-30T10:19:42.841Z' },
			{ id: '43.000', date: '2026-03-30T10:19:43.000Z' },
			{ id: 'midnight', date: '2026-03-30T00:00:00.500Z' },
		]);
	});

	test.each<[Record<string, string>, string[]]>([
		[since('2026-03-30 10:19:42'), ['43.000', '42.841', '42.000']],
		[until('2026-03-30 10:19:42'), ['42.841', '42.000', '41.999', 'midnight']],
		[{ ...since('2026-03-30 10:19:42'), ...until('2026-03-30 10:19:42') }, ['42.841', '42.000']],
		[since('2026-03-31'), []],
		[until('2026-03-30'), ['midnight']],
		[since('2026-03-30'), ['43.000', '42.841', '42.000', '41.999', 'midnight']],
	])('%j gives %j', async (query, expected) => {
		const { status, body } = await get(query);
		expect([status, ids(body)]).toEqual([200, expected]);
	});

	test.each([
		'2026-03-30T10:19:42Z',
		'2026-03-30T10:19:42',
		'2026-03-30 10:19:42.841',
		'2026-03-30 10:19',
		'2026-3-30',
		'2026-02-30',
		'2026-03-30 24:00:00',
		'2026-03-30 10:19:42Z',
		' 2026-03-30',
		'30.03.2026',
		'1774865982',
		'yesterday',
		'',
	])('400 for "%s"', async (text) => {
		for (const query of [since(text), until(text)]) {
			const { status, body } = await get(query);
			expect([status, body.error]).toEqual([400, 'INVALID_INPUT']);
		}
	});

	test('400 when until is before since', async () => {
		const query = { ...since('2026-03-30 10:19:42'), ...until('2026-03-30 10:19:41') };
		expect((await get(query)).status).toBe(400);
	});
});

test('filter[action] takes one action', async () => {
	sandbox.admin.insertEntries([
		{ id: '1', action: 'SIGN_IN_FAILURE' },
		{ id: '2', action: 'CREATE_MURAL' },
	]);
	const action = (value: string | string[]) => get({ 'filter[action]': value });
	expect(ids((await action('SIGN_IN_FAILURE')).body)).toEqual(['1']);
	expect(ids((await action('NEVER_SEEN')).body)).toEqual([]);
	expect((await action('')).status).toBe(400);
	expect((await action(['SIGN_IN_FAILURE', 'CREATE_MURAL'])).status).toBe(400);
});

describe('maxResults', () => {
	beforeEach(() => {
		sandbox.admin.bulkInsert({ count: 1500, from: ago(DAY) });
	});

	test.each([
		['1', 1],
		['999', 999],
		['1000', 1000],
	])('%s gives as many', async (maxResults, expected) => {
		expect((await get({ maxResults })).body.data).toHaveLength(expected);
	});

	test('the default is 1000', async () => {
		expect((await get()).body.data).toHaveLength(1000);
	});

	test.each(['0', '-1', '1001', '1.5', '1e2', 'many', '', '99999999999'])(
		'"%s" is 400',
		async (maxResults) => {
			expect((await get({ maxResults })).status).toBe(400);
		},
	);
});

test('an unknown parameter is 400', async () => {
	expect((await get({ limit: '5' })).status).toBe(400);
	expect((await get({ since: '2026-03-30' })).status).toBe(400);
});

describe('the look of an entry', () => {
	test('ISO dates and the newer fields', async () => {
		sandbox.admin.configure({ audit: { dateStyle: 'iso', extraFields: true } });
		sandbox.admin.insertEntries([{ date: '2026-03-31T10:19:42.841Z' }]);
		const [entry] = (await get()).body.data as Json[];
		expect(entry).toMatchObject({
			date: '2026-03-31T10:19:42.841Z',
			snapshotDate: '2026-03-31T10:19:43.841Z',
			origin: null,
			destination: { id: null, type: 'COMPANY' },
		});
	});

	test('malformed entries: no id, no date, a garbage date, odd text', async () => {
		sandbox.admin.insertEntries([
			{ date: ago(1), omit: ['id'] },
			{ date: ago(2), id: 'no date', omit: ['date'] },
			{ date: ago(3), id: 'garbage', overrides: { date: 'soon', extra: { a: 1 } } },
			{ date: ago(4), id: 'quote " \\ \u2028', ip: null, action: 'A"B' },
		]);
		const data = (await get()).body.data as Json[];
		expect(data.map(({ id }) => id as unknown)).toEqual([
			undefined,
			'no date',
			'garbage',
			'quote " \\ \u2028',
		]);
		expect('id' in data[0]).toBe(false);
		expect('date' in data[1]).toBe(false);
		expect(data[2]).toMatchObject({ date: 'soon', extra: { a: 1 } });
		expect(data[3]).toMatchObject({ ip: null, action: 'A"B' });
	});
});

test('late entries appear at their moment, under their date', async () => {
	sandbox.admin.insertEntries([
		{ id: 'late', date: ago(DAY), appearsAt: ago(-1000) },
		{ id: 'later', date: ago(DAY), appearsAt: ago(-2000) },
		{ id: 'now', date: ago(0) },
	]);
	expect(ids((await get()).body)).toEqual(['now']);
	sandbox.admin.advance(1000);
	expect(ids((await get()).body)).toEqual(['now', 'late']);
	sandbox.admin.advance(5000);
	expect(ids((await get()).body)).toEqual(['now', 'later', 'late']);
});

test('a limit of calls per day answers 429 until midnight UTC', async () => {
	sandbox.admin.configure({ audit: { callsPerDay: 2 } });
	expect((await get()).status).toBe(200);
	expect((await get()).status).toBe(200);
	expect((await get()).status).toBe(429);
	sandbox.admin.advance(DAY / 2);
	expect((await get()).status).toBe(200);
});
