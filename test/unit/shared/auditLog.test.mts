import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

import fc from 'fast-check';

import type { AuditLogEntry, AuditLogPage } from '../../../nodes/shared/auditLog';
import {
	DEFAULT_RANGE_MS,
	formatFilterDate,
	parseEntryDate,
	readPage,
	readPages,
	RETENTION_MS,
	simplifyEntry,
} from '../../../nodes/shared/auditLog';
import type { Client, ServiceRequest } from '../../../nodes/shared/client';

describe('parseEntryDate', () => {
	test.each([
		['2022-02-01 22:19:42.841', '2022-02-01T22:19:42.841Z'],
		['2022-02-01 22:19:42', '2022-02-01T22:19:42.000Z'],
		['2022-02-01 22:19', '2022-02-01T22:19:00.000Z'],
		['2022-02-01 22:19:42.841Z', '2022-02-01T22:19:42.841Z'],
		['2022-02-01 22:19:42+02:00', '2022-02-01T20:19:42.000Z'],
		['2022-02-01T22:19:42.841Z', '2022-02-01T22:19:42.841Z'],
		['2022-02-01T22:19:42.841', '2022-02-01T22:19:42.841Z'],
		['2022-02-01t22:19:42z', '2022-02-01T22:19:42.000Z'],
		['2022-02-01T22:19:42.841+02:00', '2022-02-01T20:19:42.841Z'],
		['2022-02-01T22:19:42.841-0530', '2022-02-02T03:49:42.841Z'],
		['2022-02-01T22:19:42.841999Z', '2022-02-01T22:19:42.841Z'],
		['2022-02-01 22:19:42.841999999', '2022-02-01T22:19:42.841Z'],
		['2022-02-01', '2022-02-01T00:00:00.000Z'],
		[' 2022-02-01 22:19:42.841\n', '2022-02-01T22:19:42.841Z'],
	])('%j', (text, expected) => {
		const millis = parseEntryDate(text) as number;
		expect(new Date(millis).toISOString()).toBe(expected);
	});

	test.each([
		['yesterday'],
		[''],
		['2022'],
		['12345'],
		['garbage 1'],
		['on 2022-02-01'],
		['Tue Feb 01 2022'],
		['2022-13-01 00:00:00'],
		['2022-02-01 25:00:00'],
		['2022-02-01 22:19:42 CET'],
		['2022-02-01 22:19:42.841 and more'],
		[null],
		[undefined],
		[1643753982841],
		[{}],
	])('%j is unreadable', (value) => {
		expect(parseEntryDate(value)).toBeUndefined();
	});

	test('is the same whatever time zone this machine is in', () => {
		const dates = ['2022-02-01 22:19:42.841', '2022-02-01', '2022-02-01 22:19:42-05:00'];
		const script = `
			const { parseEntryDate } = await import(${JSON.stringify(resolve('nodes/shared/auditLog.ts'))});
			console.log(JSON.stringify(${JSON.stringify(dates)}.map(parseEntryDate)));`;
		const read = execFileSync(
			process.execPath,
			['--import', 'tsx', '--input-type=module', '-e', script],
			{
				env: { ...process.env, TZ: 'Pacific/Chatham', NODE_NO_WARNINGS: '1' },
				encoding: 'utf8',
			},
		);
		expect(JSON.parse(read)).toEqual(dates.map(parseEntryDate));
	});

	test('reads what the service writes in both styles', () => {
		fc.assert(
			fc.property(
				fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') }),
				(date) => {
					const iso = date.toISOString();
					expect(parseEntryDate(iso)).toBe(date.getTime());
					expect(parseEntryDate(iso.replace('T', ' ').replace('Z', ''))).toBe(date.getTime());
				},
			),
		);
	});
});

test('the limits of the spec', () => {
	expect(RETENTION_MS).toBe(30 * 86_400_000);
	expect(DEFAULT_RANGE_MS).toBe(7 * 86_400_000);
});

test('formatFilterDate writes the form of the filters, in UTC, down to the second', () => {
	expect(formatFilterDate(Date.parse('2026-01-31T23:59:59.999Z'))).toBe('2026-01-31 23:59:59');
	expect(formatFilterDate(Date.parse('2026-01-31T00:00:00+05:30'))).toBe('2026-01-30 18:30:00');
	fc.assert(
		fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), (millis) => {
			expect(parseEntryDate(formatFilterDate(millis))).toBe(millis - (millis % 1000));
		}),
	);
});

describe('simplifyEntry', () => {
	const entry: AuditLogEntry = {
		id: 'e1',
		action: 'CREATE_MURAL',
		date: '2022-02-01 22:19:42.841',
		ip: '203.0.113.7',
		actor: { company: 'c', email: 'ann@example.com', id: 'a1', name: 'Ann', type: 'USER' },
		affected: { company: 'c', id: 'm1', type: 'MURAL' },
		snapshotDate: 'x',
	};

	test('ten fields, flat; the date as it was sent and as ISO', () => {
		expect(simplifyEntry(entry)).toEqual({
			id: 'e1',
			date: '2022-02-01 22:19:42.841',
			dateIso: '2022-02-01T22:19:42.841Z',
			action: 'CREATE_MURAL',
			actorEmail: 'ann@example.com',
			actorName: 'Ann',
			actorType: 'USER',
			affectedType: 'MURAL',
			affectedId: 'm1',
			ip: '203.0.113.7',
		});
	});

	test.each<[AuditLogEntry]>([
		[{}],
		[{ actor: null, affected: null, date: null, ip: null }],
		[{ actor: 'text' as never, affected: 5 as never, date: 'never' }],
	])('the same fields whatever is missing: %j', (partial) => {
		const simple = simplifyEntry(partial);
		expect(Object.keys(simple)).toHaveLength(10);
		expect(simple).toMatchObject({ id: null, dateIso: null, actorEmail: null, affectedId: null });
	});
});

/** A client whose answers are given, and what it was asked. */
function fakeClient(answer: (request: ServiceRequest, n: number) => unknown) {
	const requests: ServiceRequest[] = [];
	const client = {
		request: async (request: ServiceRequest) => answer(request, requests.push(request)),
		unexpected: (_: ServiceRequest, what: string) => new Error(`unexpected: ${what}`),
	} as unknown as Client;
	return { client, requests };
}

async function all(pages: AsyncIterable<AuditLogEntry[]>): Promise<AuditLogEntry[]> {
	const entries: AuditLogEntry[] = [];
	for await (const page of pages) entries.push(...page);
	return entries;
}

describe('readPage', () => {
	test('sends the filters in the form of the spec', async () => {
		const { client, requests } = fakeClient(() => ({ data: [] }));
		const since = Date.parse('2026-01-01T00:00:00Z');
		const until = Date.parse('2026-01-02T12:30:00.900Z');
		await readPage(
			client,
			{ since, until, action: 'CREATE_MURAL' },
			{ maxResults: 5, itemIndex: 2 },
		);
		expect(requests[0]).toMatchObject({
			method: 'GET',
			path: ['audit-log'],
			lane: 'audit',
			itemIndex: 2,
			query: {
				maxResults: 5,
				'filter[date][since]': '2026-01-01 00:00:00',
				'filter[date][until]': '2026-01-02 12:30:00',
				'filter[action]': 'CREATE_MURAL',
			},
		});
	});

	test('with a token only that and the size, for the rest is ignored', async () => {
		const { client, requests } = fakeClient(() => ({ data: [] }));
		await readPage(client, { since: 0, action: 'X' }, { maxResults: 5, nextToken: 't' });
		expect(requests[0].query).toEqual({ maxResults: 5, nextToken: 't' });
	});

	test.each<[unknown, string]>([
		[undefined, "JSON without the list 'data'"],
		[null, "JSON without the list 'data'"],
		[{}, "JSON without the list 'data'"],
		[{ data: null }, "JSON without the list 'data'"],
		[{ data: {} }, "JSON without the list 'data'"],
		[{ Resources: [] }, "JSON without the list 'data'"],
		['text', "JSON without the list 'data'"],
		[{ data: [null] }, "a list 'data' that holds more than entries"],
		[{ data: [{}, 'x'] }, "a list 'data' that holds more than entries"],
		[{ data: [], nextToken: 5 }, 'a page token that is no text'],
		[{ data: [], nextToken: {} }, 'a page token that is no text'],
	])('%j is no page', async (body, what) => {
		const { client } = fakeClient(() => body);
		await expect(readPage(client, {})).rejects.toThrow(what);
	});
});

describe('readPages', () => {
	const page = (ids: string[], nextToken?: string | null): AuditLogPage => ({
		data: ids.map((id) => ({ id })),
		...(nextToken === undefined ? {} : { nextToken }),
	});

	test.each<[string, AuditLogPage]>([
		['an empty page with a token', page([], 't9')],
		['an empty page without one', page([])],
		['no token', page(['c'])],
		['null', page(['c'], null)],
		['an empty token', page(['c'], '')],
	])('ends with %s; a short page is not the end', async (_, last) => {
		const pages = [page(['a'], 't1'), page(['b', 'b2'], 't2'), last];
		const { client, requests } = fakeClient((_request, n) => pages[n - 1]);
		const ids = (await all(readPages(client, {}))).map(({ id }) => id);
		expect(ids).toEqual(['a', 'b', 'b2', ...last.data.map(({ id }) => id)]);
		expect(requests.map(({ query }) => query?.nextToken)).toEqual([undefined, 't1', 't2']);
	});

	test('an empty log is one request', async () => {
		const { client, requests } = fakeClient(() => page([], 't1'));
		expect(await all(readPages(client, {}))).toEqual([]);
		expect(requests).toHaveLength(1);
	});

	test.each([
		['at once', ['t1', 't1']],
		['later', ['t1', 't2', 't3', 't1']],
	])('a token that comes again %s is an error, after what was read', async (_, tokens) => {
		const { client } = fakeClient((_request, n) => page([`e${n}`], tokens[n - 1]));
		const read: AuditLogEntry[] = [];
		const reading = (async () => {
			for await (const entries of readPages(client, {})) read.push(...entries);
		})();
		await expect(reading).rejects.toThrow('a page token it had given before');
		expect(read).toHaveLength(tokens.length);
	});

	test('asks for each page what is wanted by then', async () => {
		const wanted = [3, 2, 1];
		const { client, requests } = fakeClient((_request, n) => page([`e${n}`], `t${n}`));
		const pages = readPages(client, {}, { maxResults: () => wanted.shift() as number });
		for (let n = 0; n < 3; n++) await pages.next();
		expect(requests.map(({ query }) => query?.maxResults)).toEqual([3, 2, 1]);
	});

	test('reads no further than it is asked to', async () => {
		const { client, requests } = fakeClient((_request, n) => page([`e${n}`], `t${n}`));
		for await (const entries of readPages(client, {})) if (entries.length > 0) break;
		expect(requests).toHaveLength(1);
	});
});
