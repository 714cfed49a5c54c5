import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../sandbox/index.mts';
import { startSandbox } from '../sandbox/index.mts';
import type { Extra } from './runs.mts';
import { runsOf } from './runs.mts';

/** Audit Log: Get Many: actions, filters of our own, output, many items. */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ sizes: { users: 40, groups: 2, workspaces: 4, entries: 800 } });
});
afterAll(async () => await sandbox.close());
beforeEach(() => sandbox.admin.reset());

const audit = runsOf('auditLog', () => sandbox);
const run = async (parameters: INodeParameters, extra?: Extra) =>
	await audit.run('getAll', parameters, extra);
const failure = async (parameters: INodeParameters, extra?: Extra) =>
	await audit.failure('getAll', parameters, extra);

const queries = () => sandbox.admin.requests().map(({ query }) => query as Record<string, string>);
const ids = (entries: IDataObject[]) => entries.map(({ id }) => id);

/** What the log holds, newest first, without going through HTTP. */
function logged({ since = -Infinity, until = Infinity, actions = [] as string[] } = {}) {
	const rows = [...sandbox.service.log.all()].reverse();
	return rows
		.filter(({ date }) => date >= since && date <= until)
		.filter(({ action }) => actions.length === 0 || actions.includes(action));
}

describe('actions', () => {
	test('one is asked of the service', async () => {
		const entries = await run({ returnAll: true, filters: { actions: ['CREATE_MURAL'] } });
		const expected = logged({ since: Date.now() - 7 * DAY, actions: ['CREATE_MURAL'] });
		expect(ids(entries)).toEqual(expected.map(({ key }) => key));
		expect(queries()[0]['filter[action]']).toBe('CREATE_MURAL');
	});

	test('several are read side by side and merged, newest first, each once', async () => {
		const actions = ['CREATE_MURAL', 'SIGN_IN_FAILURE', 'RENAME_MURAL'];
		const filters = { actions: actions.slice(0, 2), otherActions: ' rename_mural ,CREATE_MURAL,' };
		const entries = await run({ returnAll: true, filters, options: { pageSize: 7 } });
		const expected = logged({ since: Date.now() - 7 * DAY, actions });
		expect(expected.length).toBeGreaterThan(20);
		const dates = entries.map(({ dateIso }) => dateIso as string);
		expect(dates).toEqual([...dates].sort().reverse());
		expect(ids(entries).sort()).toEqual(expected.map(({ key }) => key).sort());
		const asked = new Set(
			queries()
				.map((query) => query['filter[action]'])
				.filter(Boolean),
		);
		expect([...asked].sort()).toEqual([...actions].sort());
	});

	test('several, up to a limit', async () => {
		const actions = ['CREATE_MURAL', 'SIGN_IN_FAILURE'];
		const entries = await run({ limit: 10, filters: { actions } });
		const dates = logged({ actions })
			.slice(0, 10)
			.map(({ date }) => new Date(date).toISOString());
		expect(entries.map(({ dateIso }) => dateIso)).toEqual(dates);
		expect(queries().map(({ maxResults }) => maxResults)).toEqual(['10', '10']);
	});

	test('a name that nobody knows yet', async () => {
		const [id] = sandbox.admin.insertEntries([{ action: 'BRAND_NEW_THING' }]);
		expect(ids(await run({ filters: { otherActions: 'BRAND_NEW_THING' } }))).toEqual([id]);
	});

	test.each<[INodeParameters, string]>([
		[{ otherActions: 'DELETE ROOM' }, "'DELETE ROOM' is not an action name"],
		[{ otherActions: 'A;B' }, "'A;B' is not an action name"],
		[{ otherActions: ' , ' }, "'Other Actions' is empty"],
		[{ actions: [] }, "'Actions' is empty"],
		[{ actions: '={{ $json.missing }}' }, "'Actions' is empty"],
	])('%j is told before sending', async (filters, message) => {
		expect((await failure({ filters })).message).toBe(message);
		expect(queries()).toEqual([]);
	});
});

describe('filters of our own', () => {
	test('the actor, in any case, over as many pages as it takes', async () => {
		const [{ userName }] = [...sandbox.state.users.values()].slice(5);
		sandbox.admin.insertEntries(
			[1, 2, 3].map((hours) => ({
				date: Date.now() - 6 * DAY - hours * HOUR,
				actor: { email: userName.toUpperCase() },
			})),
		);
		const entries = await run({
			returnAll: true,
			filters: { actorEmail: ` ${userName.replace(/^./, (letter) => letter.toUpperCase())} ` },
			options: { pageSize: 50 },
		});
		const own = logged({ since: Date.now() - 7 * DAY }).filter(
			({ actor }) => actor.email?.toLowerCase() === userName,
		);
		expect(own.length).toBeGreaterThanOrEqual(3);
		expect(ids(entries)).toEqual(own.map(({ key }) => key));
	});

	test('the limit counts what is left', async () => {
		const filters = { affectedTypes: ['WORKSPACE', 'MURAL'] };
		const entries = await run({ limit: 3, filters, options: { pageSize: 20 } });
		expect(entries).toHaveLength(3);
		for (const { affectedType } of entries) expect(filters.affectedTypes).toContain(affectedType);
		expect(queries()[0].maxResults).toBe('20');
	});

	test('entries without an actor or a thing are no match, and no accident', async () => {
		const odd = [
			{ omit: ['actor', 'affected'] },
			{ overrides: { actor: null, affected: { type: 5 } } },
		];
		sandbox.admin.insertEntries(odd);
		const filters = { actorEmail: 'nobody@example.com', affectedTypes: ['MURAL'] };
		expect(await run({ returnAll: true, filters })).toEqual([]);
	});

	test.each<[INodeParameters, string]>([
		[{ actorEmail: 'ann' }, "'Actor Email' is not an e-mail address: 'ann'"],
		[{ actorEmail: '={{ $json.missing }}' }, "'Actor Email' is empty"],
		[{ affectedTypes: '={{ [] }}' }, "'Affected Types' is empty"],
	])('%j is told before sending', async (filters, message) => {
		expect((await failure({ filters })).message).toBe(message);
		expect(queries()).toEqual([]);
	});
});

describe('output', () => {
	test.each(['space', 'iso'] as const)(
		'simplified: ten flat fields, dates in %s style',
		async (style) => {
			sandbox.admin.configure({ audit: { dateStyle: style, extraFields: true } });
			const [entry] = await run({ limit: 1, output: 'simplified' });
			const [row] = logged();
			const iso = new Date(row.date).toISOString();
			expect(entry).toEqual({
				id: row.key,
				date: style === 'iso' ? iso : iso.replace('T', ' ').replace('Z', ''),
				dateIso: iso,
				action: row.action,
				actorEmail: row.actor.email,
				actorName: row.actor.name,
				actorType: row.actor.type,
				affectedType: row.affected.type,
				affectedId: row.affected.id,
				ip: row.ip,
			});
		},
	);

	test('raw: everything as it came, unknown fields and nulls too', async () => {
		const overrides = { snapshotDate: null, origin: { deep: [0, false, ''] }, ip: null };
		const [id] = sandbox.admin.insertEntries([{ action: 'A', overrides, omit: ['affected'] }]);
		const [entry] = await run({ limit: 1, output: 'raw' });
		const [row] = logged();
		const date = new Date(row.date).toISOString().replace('T', ' ').replace('Z', '');
		expect(entry).toEqual({ id, action: 'A', date, actor: row.actor, ...overrides });
	});

	test('selected fields', async () => {
		const [entry] = await run({
			limit: 1,
			output: 'selected',
			fields: 'date, actor.email, nothing',
		});
		const [{ actor }] = logged();
		expect(entry).toEqual({ date: expect.any(String), actor: { email: actor.email } });
	});

	test('entries with an unreadable date or no id are given all the same', async () => {
		sandbox.admin.insertEntries([{ overrides: { date: 'unknown' }, omit: ['id'] }]);
		const [entry] = await run({ limit: 1, output: 'simplified' });
		expect(entry).toMatchObject({ id: null, date: 'unknown', dateIso: null });
	});
});

describe('many items', () => {
	const perAction = { limit: 2, filters: { otherActions: '={{ $json.action }}' } };
	const items = [{ action: 'CREATE_MURAL' }, { action: 'not one' }, { action: 'RENAME_MURAL' }];

	test('each by its own values, paired with where it came from; one that fails is one item', async () => {
		const { items: output } = await audit.result('getAll', perAction, {
			items,
			onError: 'continueRegularOutput',
		});
		const shown = output?.map(({ json, pairedItem }) => [json.action ?? json.error, pairedItem]);
		expect(shown).toEqual([
			['CREATE_MURAL', { item: 0 }],
			['CREATE_MURAL', { item: 0 }],
			["'NOT ONE' is not an action name", { item: 1 }],
			['RENAME_MURAL', { item: 2 }],
			['RENAME_MURAL', { item: 2 }],
		]);
	});

	test('stops at the first failure and names the item', async () => {
		const error = await failure(perAction, { items });
		expect(error.message).toBe("'NOT ONE' is not an action name");
		expect(error.context?.itemIndex).toBe(1);
	});
});

test('answers that are not what the spec says are never an empty success', async () => {
	for (const body of [{}, { data: null }, { Resources: [] }, { data: ['x'] }, [], null]) {
		sandbox.admin.fault({ kind: 'body', body });
		expect((await failure({})).message).toMatch(/^The service answered with /);
	}
	sandbox.admin.fault({ kind: 'body', text: '' });
	expect((await failure({})).message).toMatch(/^The service answered with /);
	sandbox.admin.fault({ kind: 'html' });
	expect((await failure({})).message).toBe('The service answered with a web page instead of JSON');
});

test('a key without the scope', async () => {
	const { key } = sandbox.admin.createKey({ scopes: ['scim'] });
	const credential = { apiKey: key, baseUrl: sandbox.url };
	const error = await failure({}, { credential });
	expect(error.message).toBe('The API key lacks the scope for this operation');
	expect(error).toMatchObject({ httpCode: '403', failure: { cause: 'credential-invalid' } });
});
