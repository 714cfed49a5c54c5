import fc from 'fast-check';

import type { Client } from '../../../nodes/shared/client';
import { MAX_COUNT, readListPages } from '../../../nodes/shared/scimList';
import { ListService } from './listService.mts';

const sizes = fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 450 }));
const caps = fc.array(fc.oneof(fc.constant(MAX_COUNT), fc.integer({ min: 1, max: 120 })), {
	minLength: 1,
	maxLength: 8,
});
const sideBySide = fc.integer({ min: 1, max: 12 });
/** Places as a share of the list. */
const places = fc.array(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), {
	maxLength: 12,
});
const noTotal = () => undefined;

const isAscending = (ids: number[]) => ids.every((id, i) => i === 0 || ids[i - 1] < id);

test('a list that nobody changes comes whole and in order, whatever the pages hold', async () => {
	await fc.assert(
		fc.asyncProperty(
			sizes,
			caps,
			sideBySide,
			fc.boolean(),
			fc.option(fc.integer({ min: 1, max: 460 }), { nil: Number.POSITIVE_INFINITY }),
			fc.scheduler(),
			async (size, pageCaps, width, hasTotal, limit, scheduler) => {
				const service = new ListService(size, {
					caps: pageCaps,
					total: hasTotal ? undefined : noTotal,
					turn: async () => await scheduler.schedule(Promise.resolve()),
				});
				const ids = await scheduler.waitFor(service.read({ limit, sideBySide: width }));
				expect(ids).toEqual(service.all.slice(0, limit));
				expect(service.mostInFlight).toBeLessThanOrEqual(Math.min(width, 10));
			},
		),
		{ numRuns: 150 },
	);
});

/** Reads while `changes` happen at any moment between the answers. */
async function readDuring(
	service: ListService,
	scheduler: fc.Scheduler,
	changes: Array<() => void>,
	width: number,
): Promise<number[]> {
	for (const change of changes) void scheduler.schedule(Promise.resolve()).then(change);
	return await scheduler.waitFor(service.read({ sideBySide: width }));
}

test('what is there all the time comes once and in order while others come', async () => {
	await fc.assert(
		fc.asyncProperty(
			sizes,
			caps,
			sideBySide,
			places,
			fc.scheduler(),
			async (size, pageCaps, width, newcomers, scheduler) => {
				const service = new ListService(size, {
					caps: pageCaps,
					turn: async () => await scheduler.schedule(Promise.resolve()),
				});
				const original = [...service.all];
				const insertions = newcomers.map((place, i) => () => {
					const at = Math.floor(place * (service.all.length + 1));
					// Sorts between its neighbours, and tells itself from everything else.
					service.all.splice(at, 0, (service.all[at - 1] ?? -1) + 0.5 / (i + 2));
				});
				const ids = await readDuring(service, scheduler, insertions, width);
				expect(ids.filter((id) => Number.isInteger(id))).toEqual(original);
				expect(new Set(ids).size).toBe(ids.length);
			},
		),
		{ numRuns: 150 },
	);
});

test('what is there all the time comes once and in order while others go', async () => {
	await fc.assert(
		fc.asyncProperty(
			sizes,
			caps,
			sideBySide,
			places,
			fc.scheduler(),
			async (size, pageCaps, width, leavers, scheduler) => {
				const service = new ListService(size, {
					caps: pageCaps,
					turn: async () => await scheduler.schedule(Promise.resolve()),
				});
				const deletions = leavers.map((place) => () => {
					service.all.splice(Math.floor(place * service.all.length), 1);
				});
				const ids = await readDuring(service, scheduler, deletions, width);
				const stayed = new Set(service.all);
				expect(ids.filter((id) => stayed.has(id))).toEqual(service.all);
				expect(isAscending(ids)).toBe(true);
			},
		),
		{ numRuns: 150 },
	);
});

test('while some come and others go, nothing comes twice', async () => {
	await fc.assert(
		fc.asyncProperty(
			sizes,
			caps,
			sideBySide,
			fc.boolean(),
			places,
			fc.scheduler(),
			async (size, pageCaps, width, hasTotal, changed, scheduler) => {
				const service = new ListService(size, {
					caps: pageCaps,
					total: hasTotal ? undefined : noTotal,
					turn: async () => await scheduler.schedule(Promise.resolve()),
				});
				let last = size;
				const changes = changed.map((place, i) => () => {
					const at = Math.floor(place * service.all.length);
					if (i % 2 === 0) service.all.splice(at, 1);
					else service.all.push(++last);
				});
				const ids = await readDuring(service, scheduler, changes, width);
				expect(new Set(ids).size).toBe(ids.length);
			},
		),
		{ numRuns: 150 },
	);
});

test('it ends, and misses nothing, with a service whose totals jump about', async () => {
	await fc.assert(
		fc.asyncProperty(
			// Every jump may have all pages read once more, so the number of requests grows with the square.
			fc.integer({ min: 0, max: 100 }),
			caps,
			sideBySide,
			fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 1 }),
			async (size, pageCaps, width, extra) => {
				let answers = 0;
				const total = (actual: number) => actual + extra[answers++ % extra.length];
				const service = new ListService(size, { caps: pageCaps, total });
				const ids = await service.read({ sideBySide: width });
				expect(ids).toEqual(service.all);
			},
		),
		{ numRuns: 150 },
	);
});

test('a service that knows neither pages nor a total gives its list once', async () => {
	const Resources = [{ id: 'a' }, { id: 'b' }];
	let requests = 0;
	const client = {
		request: async () => {
			if (++requests > 10) throw new Error('The list is read for ever');
			return { Resources };
		},
	} as unknown as Client;
	const ids: string[] = [];
	for await (const page of readListPages(client, { path: ['x'], scim: false })) {
		ids.push(...page.map(({ id }) => String(id)));
	}
	expect(ids).toEqual(['a', 'b']);
	expect(requests).toBe(2);
});
