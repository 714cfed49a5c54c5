import type { Client, ServiceRequest } from '../../../nodes/shared/client';
import { readListPages } from '../../../nodes/shared/scimList';
import { ListService } from './listService.mts';

/** Pages read ahead, and lists that change at certain moments. */

const settle = async () => await new Promise((resolve) => setImmediate(resolve));
const LIST = { path: ['x'], scim: true };

test('pages after the first are on their way at the same time, each asked for once', async () => {
	const service = new ListService(1000, {
		turn: settle,
	});
	expect(await service.read({ sideBySide: 4 })).toHaveLength(1000);
	expect(service.mostInFlight).toBe(4);
	const starts = service.requests.map(({ startIndex }) => startIndex).sort((a, b) => a - b);
	expect(starts).toEqual(Array.from({ length: 10 }, (_, i) => 1 + 100 * i));
});

test('no page is read ahead of what the caller takes', async () => {
	const service = new ListService(1000);
	expect(await service.read({ sideBySide: 8, limit: 250 })).toHaveLength(250);
	expect(service.requests.map(({ startIndex }) => startIndex)).toEqual([1, 101, 201]);
});

test.each([
	[2, 11],
	[4, 6],
])('%i side by side read 2000 resources in %i rounds', async (sideBySide, expected) => {
	let waiting: Array<(value?: unknown) => void> = [];
	const turn = async () => await new Promise((resolve) => waiting.push(resolve));
	const service = new ListService(2000, { turn });
	let isOver = false;
	const done = service.read({ sideBySide }).finally(() => (isOver = true));
	let rounds = 0;
	for (await settle(); !isOver; await settle()) {
		rounds++;
		for (const answer of waiting.splice(0)) answer();
	}
	expect(await done).toEqual(service.all);
	expect(rounds).toBe(expected);
	expect(service.mostInFlight).toBe(sideBySide);
});

test.each([
	[1000, 3, 4],
	[1000, 1, 1],
	[101, 3, 2],
	[100, 3, 1],
])(
	'of %i resources, with %i side by side, %i pages are asked for when the first is taken',
	async (size, sideBySide, requests) => {
		const service = new ListService(size);
		const pages = readListPages(service.client, LIST, { sideBySide });
		await pages.next();
		await settle();
		expect(service.requests).toHaveLength(requests);
	},
);

test('what a short page left out is asked for up to the page that is on its way', async () => {
	const service = new ListService(400, { caps: [100, 60, 100] });
	expect(await service.read({ sideBySide: 3 })).toEqual(service.all);
	expect(service.requests).toEqual([
		{ startIndex: 1, count: 100 },
		{ startIndex: 101, count: 100 },
		{ startIndex: 201, count: 100 },
		{ startIndex: 301, count: 100 },
		{ startIndex: 161, count: 40 },
	]);
});

/** A list of 1000 that changes right after certain requests have been answered. */
function changing(changes: Record<number, (all: number[]) => void>) {
	const service: ListService = new ListService(1000, {
		turn: async () => changes[service.requests.length]?.(service.all),
	});
	return service;
}

test.each([1, 3])(
	'it is noticed again and again that some went, others coming in between; %i side by side',
	async (sideBySide) => {
		const service = changing({
			3: (all) => all.splice(0, 2),
			6: (all) => all.push(...[1000, 1001, 1002, 1003, 1004]),
			8: (all) => all.splice(0, 3),
		});
		const ids = await service.read({ sideBySide });
		expect(service.all.filter((id) => !ids.includes(id))).toEqual([]);
		expect(new Set(ids).size).toBe(ids.length);
	},
);

test('a list that lost its end, so that it is read from its beginning again, is read to its new end', async () => {
	const service = changing({ 2: (all) => all.splice(150) });
	expect(await service.read()).toEqual(service.all);
});

test('a page read ahead that fails is told when it is its turn, and nowhere else', async () => {
	const service = new ListService(300);
	const request = async (asked: ServiceRequest) => {
		if (asked.query?.startIndex === 201) throw new Error('the service is failing');
		return await service.client.request<unknown>(asked);
	};
	const client = { request } as unknown as Client;
	const unhandled = jest.fn();
	process.on('unhandledRejection', unhandled);
	const pages = readListPages(client, LIST, { sideBySide: 3 });
	for (let n = 0; n < 2; n++) {
		expect((await pages.next()).value).toHaveLength(100);
		await settle();
	}
	expect(unhandled).not.toHaveBeenCalled();
	await expect(pages.next()).rejects.toThrow('the service is failing');
	process.off('unhandledRejection', unhandled);
});
