import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { MuralEnterpriseTrigger } from '../../nodes/MuralEnterpriseTrigger/MuralEnterpriseTrigger.node.ts';
import type { EntryInput, Sandbox } from '../sandbox/index.mts';
import { startSandbox } from '../sandbox/index.mts';
import { credentialTestContext } from './contexts.mts';
import type { Credential } from './engine.mts';
import type { HostOptions } from './triggerHost.mts';
import { TriggerHost } from './triggerHost.mts';

/** The trigger in n8n's own PollContext, against the sandbox: what it emits, and when. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let sandbox: Sandbox;
beforeAll(async () => {
	const sizes = { users: 10, groups: 1, workspaces: 2, entries: 300 };
	sandbox = await startSandbox({ sizes, frozen: true });
});
afterAll(async () => await sandbox.close());
beforeEach(() => sandbox.admin.reset());

const credential = () => ({ apiKey: sandbox.key, baseUrl: sandbox.url });
const host = (parameters: INodeParameters = {}, options: Partial<HostOptions> = {}) =>
	new TriggerHost({ credential: credential(), parameters, ...options });

async function active(parameters: INodeParameters = {}, options: Partial<HostOptions> = {}) {
	const trigger = host(parameters, options);
	await trigger.activate();
	sandbox.admin.advance(MINUTE);
	sandbox.admin.clearRequests();
	return trigger;
}

const ids = (items: IDataObject[] | null) => (items ?? []).map(({ id }) => id);
const queries = () => sandbox.admin.requests().map(({ query }) => query);
const ago = (ms: number) => sandbox.admin.now() - ms;
const insert = (...entries: EntryInput[]) => sandbox.admin.insertEntries(entries);

describe('new entries', () => {
	test('from now on: nothing that was there, everything after, oldest first', async () => {
		const trigger = host();
		expect(await trigger.activate()).toEqual([]);
		sandbox.admin.advance(MINUTE);
		const [newer, older] = insert({ date: ago(1000) }, { date: ago(2000) });
		expect(ids(await trigger.poll())).toEqual([older, newer]);
		expect(await trigger.poll()).toEqual([]);
	});

	test('last hours: what was there since then too', async () => {
		const expected = [...sandbox.service.log.all()].filter(({ date }) => date >= ago(72 * HOUR));
		const trigger = host({ startFrom: 'hours', hours: 72 });
		expect(ids(await trigger.activate())).toEqual(expected.map(({ key }) => key));
		expect(expected.length).toBeGreaterThan(10);
		expect(await trigger.poll()).toEqual([]);
	});

	test('an entry is simplified, or as the service sends it', async () => {
		const simplified = await active();
		const raw = await active({ output: 'raw' });
		const [id] = insert({ action: 'RENAME_MURAL', overrides: { extra: { deep: [false, 0, ''] } } });
		const [flat] = await simplified.poll();
		const dateIso = new Date(ago(0)).toISOString();
		expect(flat).toMatchObject({ id, action: 'RENAME_MURAL', dateIso });
		expect(Object.keys(flat)).toHaveLength(10);
		const [full] = await raw.poll();
		expect(full).toMatchObject({ id, extra: { deep: [false, 0, ''] }, actor: { type: 'USER' } });
	});

	test('all of a poll in one item', async () => {
		const trigger = await active({ emit: 'together' });
		const [first, second] = insert({ date: ago(2000) }, { date: ago(1000) });
		const [item, ...more] = await trigger.poll();
		expect(more).toEqual([]);
		expect(item.count).toBe(2);
		expect(ids(item.entries as IDataObject[])).toEqual([first, second]);
		expect(await trigger.poll()).toEqual([]);
	});

	test('entries that share a millisecond, arriving one by one', async () => {
		const trigger = await active();
		const date = ago(1000);
		for (let round = 0; round < 3; round++) {
			const [id] = insert({ date });
			expect(ids(await trigger.poll())).toEqual([id]);
		}
	});

	test('late entries are found when their hours are read again', async () => {
		const trigger = await active();
		sandbox.admin.advance(10 * MINUTE);
		const [news] = insert({ date: ago(1000) });
		expect(ids(await trigger.poll())).toEqual([news]);
		const [late] = insert({ date: ago(5 * MINUTE) });
		expect(await trigger.poll()).toEqual([]);
		sandbox.admin.advance(HOUR);
		expect(ids(await trigger.poll())).toEqual([late]);
		sandbox.admin.advance(HOUR);
		expect(await trigger.poll()).toEqual([]);
	});

	test('an entry 48 hours late is found', async () => {
		const trigger = await active();
		insert({ date: ago(0) }, { id: 'late', date: ago(0), appearsAt: ago(-48 * HOUR) });
		expect((await trigger.poll()).length).toBe(1);
		for (let hour = 0; hour < 48; hour++) {
			sandbox.admin.advance(HOUR - 1000);
			insert({ date: ago(0) });
			expect(ids(await trigger.poll())).not.toContain('late');
		}
		sandbox.admin.advance(HOUR);
		expect(ids(await trigger.poll())).toEqual(['late']);
	});

	test('entries without a date, with a garbage one or one in the future, and without an id: once', async () => {
		const trigger = await active({ output: 'raw' });
		insert(
			{ omit: ['date'], overrides: { n: 1 } },
			{ overrides: { n: 2, date: 'yesterday' } },
			{ date: ago(-400 * DAY), overrides: { n: 3 } },
			{ omit: ['id'], overrides: { n: 4 } },
			{ overrides: { n: 5, id: null } },
		);
		const numbers = (await trigger.poll()).map(({ n }) => n as number);
		expect(numbers.sort()).toEqual([1, 2, 3, 4, 5]);
		for (let hour = 0; hour < 5; hour++) {
			sandbox.admin.advance(HOUR);
			const [id] = insert({});
			expect((await trigger.poll()).map((entry) => entry.id)).toEqual([id]);
			expect(await trigger.poll()).toEqual([]);
		}
	});

	test.each(['emptyPage', 'noToken', 'nullToken', 'emptyToken'] as const)(
		'pages that end with %s, some of them short',
		async (endOfPaging) => {
			sandbox.admin.configure({ audit: { endOfPaging, shortPages: 0.5 } });
			const trigger = await active({ options: { pageSize: 20 } });
			const expected = insert(...Array.from({ length: 95 }, (_, n) => ({ date: ago(1000 - n) })));
			expect(ids(await trigger.poll())).toEqual(expected);
			expect(await trigger.poll()).toEqual([]);
		},
	);
});

describe('requests', () => {
	test('activation, a quiet poll, a poll with news: one each', async () => {
		const trigger = host();
		await trigger.activate();
		expect(sandbox.admin.requests()).toHaveLength(1);
		await trigger.poll();
		expect(sandbox.admin.requests()).toHaveLength(2);
		sandbox.admin.advance(MINUTE);
		insert({ date: ago(2000) });
		// The first news read on to the end: nothing known is there to stop at.
		expect(await trigger.poll()).toHaveLength(1);
		expect(sandbox.admin.requests()).toHaveLength(4);
		for (let minute = 0; minute < 20; minute++) {
			sandbox.admin.clearRequests();
			sandbox.admin.advance(MINUTE);
			if (minute % 2 === 1) insert({ date: ago(100) });
			expect(await trigger.poll()).toHaveLength(minute % 2);
			expect(sandbox.admin.requests()).toHaveLength(1);
		}
	});

	test('a day of polls every minute stays within 1,500', async () => {
		const trigger = await active();
		for (let minute = 0; minute < 24 * 60; minute++) {
			sandbox.admin.advance(MINUTE);
			if (minute % 10 === 0) insert({ date: ago(100) });
			await trigger.poll();
		}
		expect(sandbox.admin.requests().length).toBeLessThan(1500);
	}, 120_000);

	test('the key is in no URL and in no state', async () => {
		const trigger = await active();
		insert({});
		await trigger.poll();
		expect(sandbox.admin.requests().every(({ keyLeaked }) => !keyLeaked)).toBe(true);
		expect(trigger.saved).not.toContain(sandbox.key);
	});
});

describe('filters', () => {
	const cases: Array<[string, IDataObject, EntryInput, EntryInput]> = [
		['one action', { actions: ['SIGN_IN_FAILURE'] }, { action: 'SIGN_IN_FAILURE' }, {}],
		['an action of another name', { otherActions: 'new_thing' }, { action: 'NEW_THING' }, {}],
		[
			'several actions',
			{ actions: ['SIGN_IN_FAILURE'], otherActions: 'NEW_THING' },
			{ action: 'NEW_THING' },
			{ action: 'RENAME_MURAL' },
		],
		[
			'actor e-mail',
			{ actorEmail: 'Ann@Example.com' },
			{ actor: { email: 'ann@example.com' } },
			{ actor: { email: null } },
		],
		[
			'affected type',
			{ affectedTypes: ['ROOM'] },
			{ affected: { type: 'ROOM' } },
			{ affected: { type: 'MURAL' } },
		],
		['IP address', { ip: '198.51.100.4' }, { ip: '198.51.100.4' }, { ip: null }],
	];
	test.each(cases)('%s', async (_name, filters, matching, other) => {
		const trigger = await active({ filters } as INodeParameters);
		const [id] = insert({ ...matching, date: ago(2000) }, { ...other, date: ago(1000) });
		expect(ids(await trigger.poll())).toEqual([id]);
		expect(await trigger.poll()).toEqual([]);
	});

	test('one action is sent to the service, several are not, and cost no more requests', async () => {
		const one = await active({ filters: { actions: ['SIGN_IN_FAILURE'] } });
		await one.poll();
		expect(queries()).toEqual([expect.objectContaining({ 'filter[action]': 'SIGN_IN_FAILURE' })]);
		const two = await active({ filters: { actions: ['SIGN_IN_FAILURE', 'CREATE_MURAL'] } });
		await two.poll();
		expect(queries()).toHaveLength(1);
		expect(queries()[0]).not.toHaveProperty('filter[action]');
	});

	test('what does not match is not read again and again', async () => {
		const trigger = await active({ filters: { ip: '198.51.100.4' } });
		insert(...Array.from({ length: 50 }, (_, n) => ({ date: ago(3000 - n) })));
		expect(await trigger.poll()).toEqual([]);
		sandbox.admin.clearRequests();
		expect(await trigger.poll()).toEqual([]);
		expect(sandbox.admin.requests()).toHaveLength(1);
	});
});

describe('test run in the editor', () => {
	test('shows the newest entries and touches no state', async () => {
		const trigger = await active();
		const before = trigger.staticData;
		const newest = [...sandbox.service.log.all()].slice(-10).map(({ key }) => key);
		expect(ids(await trigger.test())).toEqual(newest);
		expect(trigger.staticData).toEqual(before);
		const idle = host();
		await idle.test();
		expect(idle.staticData).toEqual({});
	});

	test('shows what matches the filters, nothing when nothing does', async () => {
		// The sandbox's people have none of these addresses.
		insert({ ip: '192.0.2.4', id: 'mine' });
		const filters = (ip: string) => ({ filters: { ip } });
		expect(ids(await host(filters('192.0.2.4')).test())).toEqual(['mine']);
		expect(await host(filters('192.0.2.1')).test()).toBeNull();
	});
});

test('the credential can be tested from the trigger too', async () => {
	const { muralEnterpriseApiTest } = new MuralEnterpriseTrigger().methods.credentialTest;
	const verdict = async (data: Credential) =>
		await muralEnterpriseApiTest.call(credentialTestContext(data) as never, {
			id: '1',
			name: 'Sandbox',
			type: 'muralEnterpriseApi',
			data: { ...data },
		});
	expect(await verdict(credential())).toMatchObject({ status: 'OK' });
	expect(await verdict({ ...credential(), apiKey: 'wrong' })).toMatchObject({ status: 'Error' });
});
