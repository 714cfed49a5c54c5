import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { EntryInput, Sandbox } from '../sandbox/index.mts';
import { startSandbox } from '../sandbox/index.mts';
import type { HostOptions } from './triggerHost.mts';
import { TriggerHost } from './triggerHost.mts';

/** The trigger in n8n's own PollContext when things go wrong: failures, restarts, backlogs, gaps, changed settings. */

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

const ids = (items: IDataObject[]) => items.map(({ id }) => id);
const ago = (ms: number) => sandbox.admin.now() - ms;
const insert = (...entries: EntryInput[]) => sandbox.admin.insertEntries(entries);
/** Every `every` milliseconds one, oldest first, up to a second ago. */
const spread = (count: number, every: number) =>
	Array.from({ length: count }, (_, n) => ({ date: ago(1000 + (count - 1 - n) * every) }));

interface Thrown {
	message: string;
	description: string;
	failure?: { cause: string };
}
const failure = async (poll: Promise<unknown>): Promise<Thrown> =>
	await poll.then(
		() => Promise.reject(new Error('did not fail')),
		(error: Thrown) => error,
	);

describe('activation fails with the message of the credential', () => {
	const refused = async (change: Partial<ReturnType<typeof credential>>) => {
		const trigger = host({}, { credential: { ...credential(), ...change } });
		const error = await failure(trigger.activate());
		expect(JSON.stringify(trigger.staticData)).not.toContain('cursor');
		expect(JSON.stringify(error)).not.toContain('wrong-key');
		return error;
	};

	test('a wrong key', async () => {
		const error = await refused({ apiKey: 'wrong-key' });
		expect(error.message).toBe('The service did not accept the API key');
		expect(error.failure?.cause).toBe('credential-invalid');
	});

	test('a key without the scope', async () => {
		const { key } = sandbox.admin.createKey({ scopes: ['scim'] });
		const error = await refused({ apiKey: key });
		expect(error.message).toMatch(/scope|refused/);
		expect(error.failure?.cause).toMatch(/credential-invalid|configuration-invalid/);
	});

	test('a wrong address', async () => {
		const error = await refused({ baseUrl: 'http://127.0.0.1:1/enterprise/v1' });
		expect(error.message).toMatch(/could not be reached|refused the connection/);
		expect(error.failure?.cause).toBe('temporarily-unavailable');
		const invalid = await refused({ baseUrl: 'ftp://example.com' });
		expect(invalid.message).toMatch(/Base URL/);
	}, 60_000);

	test.each<[string, INodeParameters, RegExp]>([
		['a filter without a value', { filters: { actorEmail: '' } }, /'Actor Email' is empty/],
		['no action name', { filters: { otherActions: 'sign in' } }, /'SIGN IN' is not an action name/],
		['hours', { startFrom: 'hours', hours: 0 }, /'Hours' is not a whole number from 1 to 720/],
		['output', { output: 'flat' }, /'Output' is not one of: simplified, raw/],
		['a switch', { options: { gapItem: 'yes' } }, /'Gap Item' is neither true nor false/],
		['late', { options: { lateHours: 200 } }, /'Late Entries \(Hours\)' is not .* 0 to 168/],
	])('a parameter: %s', async (_name, parameters, message) => {
		const error = await failure(host(parameters).activate());
		expect(error.message).toMatch(message);
		expect(error.failure?.cause).toBe('configuration-invalid');
		expect(sandbox.admin.requests()).toEqual([]);
	});
});

describe('failures', () => {
	test.each([0, 1, 2, 3])(
		'at request %i of a poll: the state stays, nothing is lost',
		async (skip) => {
			const trigger = await active({ options: { pageSize: 10 } });
			const expected = insert(...spread(30, 10));
			const before = trigger.staticData;
			sandbox.admin.fault({ kind: 'status', status: 403, skip });
			const error = await failure(trigger.poll());
			expect(error.message).toBeTruthy();
			expect(trigger.staticData).toEqual(before);
			expect(ids(await trigger.poll())).toEqual(expected);
			expect(await trigger.poll()).toEqual([]);
		},
	);

	test('a token that comes back is told, and the state stays', async () => {
		const trigger = await active();
		sandbox.admin.configure({ audit: { endOfPaging: 'repeatedToken' } });
		insert({});
		const before = trigger.staticData;
		const error = await failure(trigger.poll());
		expect(error.message).toContain('a page token it had given before');
		expect(trigger.staticData).toEqual(before);
	});

	test('errors tell the host why it should wait', async () => {
		const trigger = await active();
		sandbox.admin.fault({ kind: 'status', status: 429, retryAfter: 3600, count: null });
		expect((await failure(trigger.poll())).failure).toEqual({
			cause: 'rate-limited',
			retryAfterMs: 3_600_000,
		});
	});

	test('a page that is no JSON is passing', async () => {
		const trigger = await active();
		const [id] = insert({});
		sandbox.admin.fault({ kind: 'truncate', as: 'json' });
		expect(ids(await trigger.poll())).toEqual([id]);
	});
});

describe('restarts', () => {
	test('after an emission nothing comes again; what the host had not saved does', async () => {
		const trigger = await active();
		const [first] = insert({ date: ago(1000) });
		expect(ids(await trigger.poll())).toEqual([first]);
		sandbox.admin.advance(3 * HOUR);
		expect(await trigger.poll()).toEqual([]);
		trigger.restart();
		const [second] = insert({ date: ago(1000) });
		expect(ids(await trigger.poll())).toEqual([second]);
		const saved = trigger.saved;
		const [third] = insert({ date: ago(500) });
		expect(ids(await trigger.poll())).toEqual([third]);
		trigger.saved = saved;
		trigger.restart();
		expect(ids(await trigger.poll())).toEqual([third]);
	});

	test('a poll that starts while another is under way does nothing', async () => {
		const trigger = await active();
		const [id] = insert({});
		const both = await Promise.all([trigger.poll(), trigger.poll()]);
		expect(both.map(ids)).toEqual([[id], []]);
		const [next] = insert({});
		expect(ids(await trigger.poll())).toEqual([next]);
	});

	test('a poll prepared before the latest one was stored does nothing', async () => {
		const trigger = await active();
		const [first] = insert({});
		const { saved } = trigger;
		expect(ids(await trigger.poll())).toEqual([first]);
		const stored = trigger.saved;
		sandbox.admin.clearRequests();
		trigger.give(saved);
		expect(await trigger.poll()).toEqual([]);
		expect(sandbox.admin.requests()).toEqual([]);
		const [second] = insert({});
		trigger.give(stored);
		expect(ids(await trigger.poll())).toEqual([second]);
	});

	test('what was kept and cannot be read starts afresh, with a warning', async () => {
		const trigger = await active();
		for (const cursor of ['{}', { version: 99 }, { ...(stored(trigger) as object), seen: '*' }]) {
			trigger.saved = JSON.stringify({ 'node:Trigger': { cursor } });
			trigger.restart();
			insert({ date: ago(1000) });
			expect(await trigger.poll()).toEqual([]);
			expect(trigger.warnings()).toHaveLength(1);
			trigger.logged.length = 0;
			sandbox.admin.advance(MINUTE);
			const [id] = insert({});
			expect(ids(await trigger.poll())).toEqual([id]);
			sandbox.admin.advance(MINUTE);
		}
	});

	const stored = (trigger: TriggerHost) =>
		(trigger.staticData['node:Trigger'] as IDataObject).cursor as IDataObject;

	test.each<[string, Partial<HostOptions>, boolean]>([
		['another credential', { credentialId: '2' }, true],
		['another filter for the service', { parameters: { filters: { actions: ['X'] } } }, true],
		['another local filter', { parameters: { filters: { ip: '203.0.113.7' } } }, false],
		['two actions', { parameters: { filters: { otherActions: 'CREATE_MURAL,X' } } }, false],
		['the output', { parameters: { output: 'raw', emit: 'each' } }, false],
		['other options', { parameters: { options: { lateHours: 10, pageSize: 7 } } }, false],
	])('%s', async (_name, change, afresh) => {
		const trigger = await active();
		insert({});
		expect(await trigger.poll()).toHaveLength(1);
		const floor = stored(trigger).floor;
		sandbox.admin.advance(MINUTE);
		const [id] = insert({ date: ago(1000) });
		trigger.restart(change);
		expect(ids(await trigger.poll())).toEqual(afresh ? [] : [id]);
		expect(stored(trigger).floor === floor).toBe(!afresh);
		expect(trigger.logged.map(({ level }) => level)).toEqual(afresh ? ['info'] : []);
	});

	test('another address starts afresh, a new key in the same credential does not', async () => {
		const trigger = await active();
		const other = await startSandbox({
			sizes: { users: 10, groups: 1, workspaces: 2, entries: 50 },
		});
		try {
			const { floor } = stored(trigger);
			const { key } = sandbox.admin.createKey();
			trigger.restart({ credential: { ...credential(), apiKey: key } });
			const [id] = insert({});
			expect(ids(await trigger.poll())).toEqual([id]);
			expect(stored(trigger).floor).toBe(floor);
			trigger.restart({ credential: { apiKey: other.key, baseUrl: other.url } });
			expect(await trigger.poll()).toEqual([]);
			expect(trigger.logged.map(({ level }) => level)).toEqual(['info']);
		} finally {
			await other.close();
		}
	});
});

describe('backlogs', () => {
	async function drain(trigger: TriggerHost): Promise<IDataObject[][]> {
		const polls: IDataObject[][] = [];
		for (let quiet = 0; quiet < 2; ) {
			const items = await trigger.poll();
			if (items.length > 0) polls.push(items);
			quiet = items.length === 0 ? quiet + 1 : 0;
			expect(polls.length).toBeLessThan(200);
		}
		return polls;
	}

	test('more than a poll may emit: oldest first over several polls, none skipped', async () => {
		const trigger = await active({ options: { maxEntries: 50 } });
		sandbox.admin.advance(5 * HOUR);
		const expected = insert(...spread(800, 10_000));
		const polls = await drain(trigger);
		expect(ids(polls.flat())).toEqual(expected);
		expect(Math.max(...polls.map((items) => items.length))).toBeLessThanOrEqual(50);
		expect(polls.length).toBeLessThan(60);
	});

	test('more in one second than a poll may emit: that second whole', async () => {
		const trigger = await active({ options: { maxEntries: 50 } });
		const date = Math.floor(ago(5000) / 1000) * 1000;
		insert(...Array.from({ length: 300 }, (_, n) => ({ date: date + n })));
		const last = insert(...spread(100, 10));
		const polls = await drain(trigger);
		expect(polls[0]).toHaveLength(300);
		expect(ids(polls.flat().slice(300))).toEqual(last);
	});

	test('no time: the polls come to an end all the same, and skip nothing', async () => {
		sandbox.admin.setLatency({ ms: 20 });
		const trigger = await active({ options: { pageSize: 10 } }, { budget: 250 });
		const expected = insert(...spread(150, 100));
		const found: unknown[] = [];
		for (let n = 0; n < 100 && found.length < expected.length; n++) {
			const before = Date.now();
			found.push(...ids(await trigger.poll()));
			expect(Date.now() - before).toBeLessThan(2000);
		}
		expect(found).toEqual(expected);
	}, 60_000);

	test('a poll takes a minute, however long the host allows', async () => {
		const trigger = await active({ options: { pageSize: 10 } }, { budget: 60 * MINUTE });
		const expected = insert(...spread(150, 100));
		const { now } = Date;
		jest
			.spyOn(Date, 'now')
			.mockImplementation(() => now() + sandbox.admin.counters().total * (MINUTE / 4));
		const first = await trigger.poll();
		jest.restoreAllMocks();
		expect(sandbox.admin.counters().total).toBeLessThanOrEqual(6);
		expect(first.length).toBeLessThan(150);
		expect(ids([...first, ...(await drain(trigger)).flat()])).toEqual(expected);
	});

	test('a restart in the middle of a backlog', async () => {
		const trigger = await active({ options: { maxEntries: 20 } });
		const expected = insert(...spread(100, 400));
		const found: unknown[] = [];
		for (let n = 0; n < 50 && found.length < expected.length; n++) {
			found.push(...ids(await trigger.poll()));
			trigger.restart();
		}
		expect(found).toEqual(expected);
	});
});

describe('a gap', () => {
	const away = async (parameters: INodeParameters = {}) => {
		const trigger = await active(parameters);
		insert({ date: ago(1000) });
		expect(await trigger.poll()).toHaveLength(1);
		trigger.restart();
		const from = ago(0);
		sandbox.admin.advance(5 * DAY);
		insert({ id: 'lost' });
		sandbox.admin.advance(40 * DAY);
		const left = insert(...spread(20, HOUR));
		return { trigger, from, left };
	};

	test('absence longer than the log: what is left is emitted and the gap is told', async () => {
		const { trigger, from, left } = await away();
		expect(ids(await trigger.poll())).toEqual(left);
		const [warning, ...more] = trigger.warnings();
		expect(more).toEqual([]);
		const [since, until] = [...warning.matchAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g)].map(([text]) =>
			Date.parse(text),
		);
		expect(Math.abs(since - from)).toBeLessThan(2 * MINUTE);
		expect(Math.abs(until - ago(30 * DAY))).toBeLessThan(2 * MINUTE);
		expect(await trigger.poll()).toEqual([]);
		expect(trigger.warnings()).toHaveLength(1);
	});

	test.each(['each', 'together'])('as an item of its own (emit: %s)', async (emit) => {
		const { trigger, left } = await away({ emit, options: { gapItem: true } });
		const [gap, ...items] = await trigger.poll();
		expect(gap).toEqual({ gap: { from: expect.any(String), to: expect.any(String) } });
		const entries = emit === 'each' ? items : (items[0].entries as IDataObject[]);
		expect(ids(entries)).toEqual(left);
	});

	test('no gap when the trigger was there all the time and nothing happened', async () => {
		const trigger = await active({ options: { gapItem: true } });
		for (let day = 0; day < 40; day++) {
			sandbox.admin.advance(DAY);
			expect(await trigger.poll()).toEqual([]);
		}
		const [id] = insert({});
		expect(ids(await trigger.poll())).toEqual([id]);
		expect(trigger.warnings()).toEqual([]);
	});
});
