import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BinaryDataService } from 'n8n-core';
import type { IBinaryData, IDataObject, INodeParameters } from 'n8n-workflow';
import { parse } from 'csv-parse/sync';

import type { EntryInput, Sandbox } from '../sandbox/index.mts';
import { startSandbox } from '../sandbox/index.mts';
import { keepBinaryDataIn, keepBinaryDataInMemory } from './binaryData.mts';
import { runForJson, runNode } from './engine.mts';

/** Audit Log: Export in n8n's engine, with n8n's own store of binary data. */

const HOUR = 3_600_000;
const NOW = Date.now();

let sandbox: Sandbox;
let folder: string;
let store: BinaryDataService;

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'mural-export-'));
	sandbox = await startSandbox({ sizes: { entries: 0 } });
	sandbox.admin.bulkInsert({ count: 2345, from: NOW - 6 * 24 * HOUR, to: NOW - HOUR });
});
beforeEach(async () => {
	sandbox.admin.clearRequests();
	store = await keepBinaryDataIn(folder);
});
afterAll(async () => {
	await sandbox.close();
	rmSync(folder, { recursive: true });
});

const credential = () => ({ apiKey: sandbox.key, baseUrl: sandbox.url });

const parameters = (own: INodeParameters = {}): INodeParameters => ({
	resource: 'auditLog',
	operation: 'export',
	...own,
});

async function exported(own: INodeParameters = {}, items?: IDataObject[]) {
	const result = await runNode({ parameters: parameters(own), credential: credential(), items });
	// n8n gives a plain object.
	if (result.error) throw new Error(result.error.message);
	const files = result.items ?? [];
	const texts = await Promise.all(
		files.map(async ({ binary }) => {
			const [file] = Object.values(binary as Record<string, IBinaryData>);
			return (await store.getAsBuffer(file)).toString('utf8');
		}),
	);
	return { files, texts };
}

const lines = (texts: string[]) =>
	texts.flatMap((text) =>
		text
			.trimEnd()
			.split('\n')
			.map((line) => JSON.parse(line) as IDataObject),
	);

const rows = (text: string) =>
	parse(text, { columns: true, bom: true }) as Array<Record<string, string>>;

const iso = (millis: number) => new Date(millis).toISOString();

const newestFirst = () => sandbox.admin.entryIds().toReversed();

test('rotates files after so many entries; an item tells what is in each', async () => {
	const { files, texts } = await exported({ format: 'ndjson', options: { entriesPerFile: 1000 } });
	const raw = await runForJson({
		parameters: { resource: 'auditLog', operation: 'getAll', returnAll: true, output: 'raw' },
		credential: credential(),
	});
	expect(lines(texts)).toEqual(raw);
	expect(lines(texts).map(({ id }) => id)).toEqual(newestFirst());
	expect(texts.map((text) => lines([text]).length)).toEqual([1000, 1000, 345]);
	const moment = (entry: IDataObject) => `${(entry.date as string).replace(' ', 'T')}Z`;
	expect(files.map(({ json }) => json)).toEqual(
		texts.map((text, index) => ({
			fileName: `audit-log-00${index + 1}.ndjson`,
			entries: lines([text]).length,
			newestDate: moment(lines([text])[0]),
			oldestDate: moment(lines([text]).at(-1) as IDataObject),
		})),
	);
	for (const { binary, pairedItem } of files) {
		expect(binary?.data).toMatchObject({
			mimeType: 'application/x-ndjson',
			fileExtension: 'ndjson',
			data: 'filesystem-v2',
		});
		expect(pairedItem).toEqual({ item: 0 });
		expect(existsSync(store.getPath(binary?.data.id as string))).toBe(true);
	}
});

test.each([
	[999, [999, 999, 347]],
	[1000, [1000, 1000, 345]],
	[1001, [1001, 1001, 343]],
	[2345, [2345]],
	[50_000, [2345]],
])('%d entries a file', async (entriesPerFile, counts) => {
	const { files, texts } = await exported({ options: { entriesPerFile } });
	expect(files.map(({ json }) => json.entries)).toEqual(counts);
	expect(texts.flatMap(rows).map(({ id }) => id)).toEqual(newestFirst());
});

test('files may be smaller than a page', async () => {
	const { files, texts } = await exported({ options: { entriesPerFile: 7 } });
	expect(files).toHaveLength(Math.ceil(2345 / 7));
	expect(texts.flatMap(rows).map(({ id }) => id)).toEqual(newestFirst());
});

test('every CSV file has the same header, the mark and the columns asked for', async () => {
	const { files, texts } = await exported({
		columns: 'date, actor.email,id',
		binaryPropertyName: 'table',
		options: { entriesPerFile: 2000, byteOrderMark: true, fileName: 'members' },
	});
	expect(files.map(({ json }) => json.fileName)).toEqual(['members-001.csv', 'members-002.csv']);
	for (const text of texts) expect(text).toMatch(/^\uFEFFdate,actor\.email,id\r\n/);
	expect(texts.flatMap(rows).map(({ id }) => id)).toEqual(newestFirst());
	expect(files[0].binary?.table.mimeType).toBe('text/csv');
});

describe('with further entries', () => {
	const insert = (input: EntryInput) => sandbox.admin.insertEntries([input])[0];
	const at = NOW - HOUR / 2;

	afterEach(() => {
		sandbox.admin.reset();
		sandbox.admin.bulkInsert({ count: 2345, from: NOW - 6 * 24 * HOUR, to: NOW - HOUR });
	});

	test('formulas do not reach a spreadsheet, and unknown fields keep their place', async () => {
		insert({ date: at, actor: { name: '=1+1' }, overrides: { origin: { ip: null } } });
		const [first, second] = rows((await exported()).texts[0]);
		expect(first['actor.name']).toBe("'=1+1");
		expect(JSON.parse(first.other)).toEqual({ origin: { ip: null } });
		expect(second.other).toBe('');
		const [unsafe] = rows((await exported({ options: { escapeFormulas: false } })).texts[0]);
		expect(unsafe['actor.name']).toBe('=1+1');
	});

	test('filters are those of Get Many', async () => {
		const email = 'somebody.else@example.com';
		const id = insert({ date: at, action: 'RENAME_MURAL', actor: { email } });
		const byEmail = await exported({ filters: { actorEmail: email } });
		expect(byEmail.texts.flatMap(rows).map((row) => row.id)).toEqual([id]);
		const since = iso(at - 1000);
		const bySince = await exported({ filters: { since, otherActions: 'rename_mural, NOTHING' } });
		expect(bySince.texts.flatMap(rows).map((row) => row.id)).toEqual([id]);
	});
});

test('no entries, no file', async () => {
	const since = iso(NOW - 10_000);
	expect((await exported({ filters: { since } })).files).toEqual([]);
});

test('items keep their files apart', async () => {
	const { files } = await exported(
		{ format: '={{ $json.format }}', options: { fileName: '={{ $json.name }}' } },
		[
			{ format: 'csv', name: 'a' },
			{ format: 'ndjson', name: 'b' },
		],
	);
	expect(files.map(({ json, pairedItem }) => [json.fileName, pairedItem])).toEqual([
		['a-001.csv', { item: 0 }],
		['b-001.ndjson', { item: 1 }],
	]);
});

test.each([
	[{ format: 'xml' }, /'Format' is neither csv nor ndjson: 'xml'/],
	[{ options: { entriesPerFile: 0 } }, /'Entries per File' is not a whole number of 1 or more/],
	[{ options: { fileName: ' ' } }, /'File Name' is empty/],
	[{ binaryPropertyName: ' ' }, /'Put Output File in Field' is empty/],
	[{ options: { parallelWindows: 0 } }, /'Parallel Windows' is not a whole number from 1 to 20/],
	[{ options: { escapeFormulas: 'maybe' } }, /'Escape Formulas' is neither true nor false/],
])('%j is refused before anything is sent', async (own, message) => {
	await expect(exported(own as INodeParameters)).rejects.toThrow(message);
	expect(sandbox.admin.requests()).toEqual([]);
});

test('without a store the file is in the item', async () => {
	keepBinaryDataInMemory();
	const { items } = await runNode({ parameters: parameters(), credential: credential() });
	const { data, id, fileName } = items?.[0].binary?.data as IBinaryData;
	expect(id).toBeUndefined();
	expect(fileName).toBe('audit-log-001.csv');
	expect(rows(Buffer.from(data, 'base64').toString()).map((row) => row.id)).toEqual(newestFirst());
});

describe('parallel windows', () => {
	const windows = { parallelWindows: 8, pageSize: 50 };

	test('write the same files, with requests side by side', async () => {
		const plain = await exported({ options: { entriesPerFile: 1000, pageSize: 50 } });
		const sequential = sandbox.admin.requests().length;
		sandbox.admin.clearRequests();
		const { files, texts } = await exported({ options: { ...windows, entriesPerFile: 1000 } });
		expect(texts).toEqual(plain.texts);
		expect(files.map(({ json }) => json)).toEqual(plain.files.map(({ json }) => json));
		const requests = sandbox.admin.requests();
		expect(requests.length).toBeLessThan(sequential * 1.3);
		expect(new Set(requests.map(({ query }) => query['filter[date][until]'])).size).toBeGreaterThan(
			8,
		);
	});

	test.each([
		['the default range', {}],
		['a range', { since: iso(NOW - 48 * HOUR), until: iso(NOW - 4 * HOUR) }],
		['two actions', { actions: ['CREATE_MURAL', 'SIGN_IN_FAILURE'] }],
		['until alone', { until: iso(NOW - 30 * HOUR) }],
	])('give Get Many the same items in the same order: %s', async (_, filters) => {
		const read = async (options: INodeParameters) =>
			await runForJson({
				parameters: {
					resource: 'auditLog',
					operation: 'getAll',
					returnAll: true,
					output: 'raw',
					filters,
					options,
				},
				credential: credential(),
			});
		const items = await read(windows);
		expect(items.length).toBeGreaterThan(100);
		expect(items).toEqual(await read({}));
	});

	test('a limit takes the newest', async () => {
		const items = await runForJson({
			parameters: { resource: 'auditLog', operation: 'getAll', limit: 120, options: windows },
			credential: credential(),
		});
		expect(items.map(({ id }) => id)).toEqual(newestFirst().slice(0, 120));
		expect(sandbox.admin.requests().length).toBeLessThanOrEqual(5);
	});

	test('an error is the one that one read after the other has', async () => {
		sandbox.admin.fault({ kind: 'status', status: 403, skip: 9, count: null });
		const { error } = await runNode({
			parameters: parameters({ options: windows }),
			credential: credential(),
		});
		// What was read ahead is still on its way.
		await sleep(100);
		sandbox.admin.clearFaults();
		expect(error).toMatchObject({ httpCode: '403' });
	});
});
