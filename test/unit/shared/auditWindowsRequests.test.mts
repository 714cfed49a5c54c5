import type { AuditLogQuery } from '../../../nodes/shared/auditLog';
import type { WindowOptions } from '../../../nodes/shared/auditWindows';
import { readWindows } from '../../../nodes/shared/auditWindows';
import { FakeLog, ids, readAll } from './fakeLog.mts';

/** How many requests are under way, and when they end. */

const START = Date.UTC(2026, 8, 1, 12);
const PAGE_SIZE = 10;
const settle = async () => await new Promise((resolve) => setImmediate(resolve));

/** One entry a second; answers come when they are let through. */
function slowLog() {
	const waiting: Array<() => void> = [];
	const entries = Array.from({ length: 2000 }, (_, n) => ({ at: START - n * 1000, id: `${n}` }));
	const log = new FakeLog(entries, {
		untilCovers: 'second',
		pageSize: () => PAGE_SIZE,
		arrive: async () => await new Promise<void>((resolve) => waiting.push(resolve)),
	});
	const options: WindowOptions = {
		parallel: 4,
		pageSize: PAGE_SIZE,
		since: () => START - 2_000_000,
		wanted: () => Number.POSITIVE_INFINITY,
	};
	/** Lets every answer through that is due. @returns how many */
	const answer = async () => {
		await settle();
		const due = waiting.splice(0);
		for (const resolve of due) resolve();
		await settle();
		return due.length;
	};
	return { log, options, answer, pages: readWindows((query) => log.pages(query), {}, options) };
}

test('as many requests as allowed are under way, not more', async () => {
	const { pages, answer } = slowLog();
	const underWay: number[] = [];
	void (async () => {
		for await (const page of pages) expect(page).not.toEqual([]);
	})();
	for (let round = 0; round < 20; round++) underWay.push(await answer());
	expect(underWay[0]).toBe(1);
	expect(Math.max(...underWay)).toBe(4);
});

test('reading ahead goes on while a page is worked on, up to five pages for each request', async () => {
	const { log, pages, answer } = slowLog();
	const first = pages.next();
	await answer();
	expect((await first).value).toHaveLength(PAGE_SIZE);
	for (let round = 0; round < 30; round++) await answer();
	// One more is being taken, one was cut.
	expect(log.sent.size / PAGE_SIZE).toBeGreaterThanOrEqual(15);
	expect(log.sent.size / PAGE_SIZE).toBeLessThanOrEqual(22);
});

test('when the caller stops, no further request is sent', async () => {
	const { log, pages, answer } = slowLog();
	const first = pages.next();
	await answer();
	await first;
	await answer();
	await pages.return();
	const sent = log.requests.length;
	for (let round = 0; round < 10; round++) await answer();
	expect(log.requests).toHaveLength(sent);
});

test('an empty page between others is not given', async () => {
	const entries = Array.from({ length: 40 }, (_, n) => ({ at: START - n * 1000, id: `${n}` }));
	const log = new FakeLog(entries, { untilCovers: 'second', pageSize: () => PAGE_SIZE });
	const pages = async function* (query: AuditLogQuery) {
		yield [];
		yield* log.pages(query);
	};
	const { options } = slowLog();
	const given: number[] = [];
	for await (const page of readWindows(pages, { since: START - 40_000 }, options)) {
		given.push(page.length);
	}
	expect(given).not.toContain(0);
});

test.each([1, 40, 400])(
	'a service that takes no notice of `until` is read to its end: %i entries',
	async (count) => {
		const entries = Array.from({ length: count }, (_, n) => ({ at: START - n * 1000, id: `${n}` }));
		const log = new FakeLog(entries, { untilCovers: 'second', pageSize: () => PAGE_SIZE });
		const pages = (query: AuditLogQuery) => log.pages({ ...query, until: undefined });
		const { options } = slowLog();
		const read = await readAll(readWindows(pages, { since: START - 2_000_000 }, options));
		expect(ids(read)).toEqual(ids(entries));
	},
);
