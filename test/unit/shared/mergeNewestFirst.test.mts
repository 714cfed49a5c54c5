import fc from 'fast-check';

import type { AuditLogEntry } from '../../../nodes/shared/auditLog';
import { mergeNewestFirst, parseEntryDate } from '../../../nodes/shared/auditLog';
import { readAll } from './fakeLog.mts';

type Dated = { id: string; at: number | undefined };
const START = Date.parse('2026-01-01T00:00:00Z');
const toEntry = ({ id, at }: Dated): AuditLogEntry => ({
	id,
	date: at === undefined ? 'unreadable' : new Date(START + at * 100).toISOString(),
});

async function* paged(entries: Dated[], sizes: number[]) {
	for (let at = 0, n = 0; at < entries.length; n++) {
		const size = sizes[n % sizes.length];
		yield entries.slice(at, at + size).map(toEntry);
		at += size;
	}
}

/** A log, and which of its entries each source has. Few moments, so that there are ties. */
const log = fc.uniqueArray(fc.record({ id: fc.uuid(), at: fc.nat(30) }), {
	selector: ({ id }) => id,
	maxLength: 60,
});
const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 3 });
const membership = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 60, maxLength: 60 });

test('gives every entry of every source once, newest first', async () => {
	await fc.assert(
		fc.asyncProperty(log, membership, sizes, async (entries, member, pages) => {
			const sorted = [...entries].sort((a, b) => b.at - a.at);
			// Bits of `member` say which of three sources hold an entry: one, several or all.
			const sources = [1, 2, 4].map((bit) => sorted.filter((_, n) => member[n] & bit));
			const merged = await readAll(mergeNewestFirst(sources.map((own) => paged(own, pages))));
			const dates = merged.map(({ date }) => parseEntryDate(date) as number);
			expect(dates).toEqual([...dates].sort((a, b) => b - a));
			expect(merged.map(({ id }) => id).sort()).toEqual(entries.map(({ id }) => id).sort());
		}),
	);
});

test('loses no entry whose date cannot be read; it stays behind the one before it', async () => {
	const holes = fc.array(fc.boolean(), { minLength: 60, maxLength: 60 });
	await fc.assert(
		fc.asyncProperty(log, holes, sizes, async (entries, undated, pages) => {
			const sorted = [...entries].sort((a, b) => b.at - a.at);
			const sources = [0, 1, 2].map((rest) =>
				sorted
					.filter((_, n) => n % 3 === rest)
					.map((entry, n) => (undated[n] ? { ...entry, at: undefined } : entry)),
			);
			const merged = await readAll(mergeNewestFirst(sources.map((own) => paged(own, pages))));
			expect(merged).toHaveLength(entries.length);
			for (const source of sources) {
				const own = new Set(source.map(({ id }) => id));
				const order = merged.filter(({ id }) => own.has(id as string)).map(({ id }) => id);
				expect(order).toEqual(source.map(({ id }) => id));
			}
		}),
	);
});

test('entries without an id are all kept', async () => {
	async function* nameless() {
		yield [{ date: '2026-01-02' }, { date: '2026-01-02' }];
	}
	expect(await readAll(mergeNewestFirst([nameless(), nameless()]))).toHaveLength(4);
});

test('an id that comes again with another date is another entry', async () => {
	const entries = [
		{ id: 'a', at: 2 },
		{ id: 'a', at: 1 },
	];
	const merged = await readAll(mergeNewestFirst([paged(entries, [1]), paged(entries, [2])]));
	expect(merged).toEqual(entries.map(toEntry));
});

test('gives no empty page for what it has given before', async () => {
	const entries = [
		{ id: 'a', at: 1 },
		{ id: 'b', at: 1 },
	];
	const merged = mergeNewestFirst([paged(entries, [2]), paged(entries, [2])]);
	for await (const page of merged) expect(page).not.toEqual([]);
});

test('who stops early stops the reading of every source', async () => {
	const stopped: string[] = [];
	async function* source(name: string) {
		try {
			for (let at = 100; ; at--) yield [toEntry({ id: `${name}${at}`, at })];
		} finally {
			stopped.push(name);
		}
	}
	for await (const page of mergeNewestFirst([source('a'), source('b')])) {
		if (page.length > 0) break;
	}
	expect(stopped.sort()).toEqual(['a', 'b']);
});

test('no sources, and empty ones', async () => {
	expect(await readAll(mergeNewestFirst([]))).toEqual([]);
	expect(
		await readAll(mergeNewestFirst([paged([], [1]), paged([{ id: 'a', at: 1 }], [1])])),
	).toEqual([toEntry({ id: 'a', at: 1 })]);
});

test('a source that fails ends the merge with its error', async () => {
	async function* broken() {
		yield [toEntry({ id: 'x', at: 9 })];
		throw new Error('the service is failing');
	}
	const merged = mergeNewestFirst([broken(), paged([{ id: 'a', at: 1 }], [1])]);
	await expect(readAll(merged)).rejects.toThrow('the service is failing');
});
