import { connectControls, startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { call, patchOp, startSmall, userBody } from './api.mts';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSmall({ now: '2026-03-31T12:00:00Z', frozen: true });
});

beforeEach(() => {
	sandbox.admin.reset();
});

afterAll(async () => {
	await sandbox.close();
});

describe('the request log', () => {
	test('holds what was sent, without the key', async () => {
		await call(sandbox, 'POST', '/scim/Users', {
			body: userBody('a@b.example'),
			headers: { 'x-mark': '1', accept: 'application/scim+json' },
		});
		await call(sandbox, 'GET', '/scim/Users', { query: { filter: 'userName eq "a@b.example"' } });
		await call(sandbox, 'GET', '/audit-log', { headers: { authorization: 'apikey wrong-key' } });
		const [created, listed, refused] = sandbox.admin.requests();
		expect(created).toMatchObject({
			n: 1,
			method: 'POST',
			path: '/scim/Users',
			query: {},
			headers: { 'x-mark': '1', 'content-type': 'application/json' },
			body: JSON.stringify(userBody('a@b.example')),
			keyMatched: true,
			keyLeaked: false,
			status: 201,
		});
		expect(created.ms).toBeGreaterThan(0);
		expect(listed).toMatchObject({ query: { filter: 'userName eq "a@b.example"' }, status: 200 });
		expect(refused).toMatchObject({ keyMatched: false, status: 401 });
		const text = JSON.stringify(sandbox.admin.requests());
		expect(text).not.toContain(sandbox.key);
		expect(text).not.toContain('wrong-key');
	});

	test('tells when a key stands where none belongs', async () => {
		await call(sandbox, 'GET', '/audit-log', { query: { apikey: sandbox.key } });
		await call(sandbox, 'GET', '/audit-log', { headers: { 'x-key': sandbox.key } });
		await call(sandbox, 'POST', '/scim/Users', { body: { key: sandbox.key } });
		expect(sandbox.admin.requests().map(({ keyLeaked }) => keyLeaked)).toEqual([true, true, true]);
	});

	test('counts by route and status', async () => {
		for (const id of ['x', 'y']) await call(sandbox, 'GET', `/scim/Users/${id}`);
		await call(sandbox, 'GET', '/audit-log');
		await call(sandbox, 'GET', '/nowhere');
		expect(sandbox.admin.counters()).toEqual({
			total: 4,
			open: 0,
			perRoute: {
				'GET /scim/Users/:id': 2,
				'GET /audit-log': 1,
				'GET (no such endpoint)': 1,
			},
			perStatus: { 404: 3, 200: 1 },
			transferPerSecond: { max: 0, maxAccepted: 0 },
		});
		sandbox.admin.clearRequests();
		expect(sandbox.admin.counters().total).toBe(0);
		expect(sandbox.admin.requests()).toEqual([]);
	});
});

describe('the clock', () => {
	test('freezes, jumps, advances and runs faster', async () => {
		const { admin } = sandbox;
		const start = admin.now();
		expect(admin.advance(1500)).toBe(start + 1500);
		expect(admin.setClock({ now: '2026-01-01T00:00:00Z' })).toBe(Date.UTC(2026, 0, 1));
		admin.setClock({ rate: 1000 });
		await new Promise((resolve) => setTimeout(resolve, 20));
		expect(admin.now() - Date.UTC(2026, 0, 1)).toBeGreaterThan(15_000);
		expect(() => admin.setClock({ rate: -1 })).toThrow(RangeError);
		expect(() => admin.setClock({ now: 'soon' })).toThrow(RangeError);
	});
});

test('a switch that does not exist is refused', () => {
	expect(() => sandbox.admin.configure({ audit: { endOfPage: 1 } as never })).toThrow('endOfPage');
	expect(() => sandbox.admin.configure({ nothing: {} } as never)).toThrow('nothing');
});

test('reset brings back the start', async () => {
	const { admin } = sandbox;
	const before = admin.dump({ log: 1000 });
	admin.configure({ mapping: { enabled: false }, audit: { endOfPaging: 'noToken' } });
	admin.fault({ kind: 'hang' });
	admin.setLatency({ ms: 10_000 });
	admin.advance(1e9);
	admin.insertEntries([{}, { appearsAt: admin.now() + 1000 }]);
	admin.live({ perMinute: 1000 });
	sandbox.state.users.clear();
	sandbox.state.keys.clear();
	admin.reset();
	const { version: _, ...after } = admin.dump({ log: 1000 });
	expect(before).toMatchObject(after);
	expect((await call(sandbox, 'GET', '/mapping/groups')).status).toBe(200);
	expect((await call(sandbox, 'GET', '/audit-log')).body.nextToken).toBeDefined();
});

test('the controls of another process work the same way', async () => {
	const remote = connectControls(sandbox.adminUrl);
	expect(await remote.now()).toBe(sandbox.admin.now());
	expect(await remote.advance(1000)).toBe(sandbox.admin.now());
	await remote.fault({ kind: 'status', status: 503, path: /^\/audit-log$/ });
	expect((await call(sandbox, 'GET', '/audit-log')).status).toBe(503);
	const [id] = await remote.insertEntries([{ action: 'UPDATE_COMPANY_SSO' }]);
	expect(await remote.entryIds({ action: 'UPDATE_COMPANY_SSO' })).toContain(id);
	expect(await remote.bulkInsert({ count: 100 })).toBe(100);
	const { key } = await remote.createKey({ scopes: ['scim'] });
	expect(await remote.revokeKey(key)).toBe(true);
	await remote.configure({ transfer: { durationMs: 1 } });
	expect(sandbox.service.behaviour.transfer.durationMs).toBe(1);
	expect((await remote.counters()).total).toBe(1);
	expect((await remote.requests())[0]).toMatchObject({ fault: 'status', status: 503 });
	expect((await remote.dump({ log: 3 })).log.entries).toHaveLength(3);
	await expect(remote.access('nobody')).rejects.toThrow('No user nobody');
	await remote.reset();
	expect((await remote.counters()).total).toBe(0);
	const answer = await fetch(`${sandbox.adminUrl}/constructor`, { method: 'POST' });
	expect(answer.status).toBe(404);
});

test('nothing but JSON reaches a control', async () => {
	const answer = await fetch(`${sandbox.adminUrl}/reset`, {
		method: 'POST',
		headers: { 'content-type': 'text/plain' },
		body: '{}',
	});
	expect(answer.status).toBe(415);
});

describe('the page', () => {
	test('loads nothing from elsewhere and writes no markup', async () => {
		const read = async (file: string, type: string) => {
			const answer = await fetch(`${sandbox.adminUrl}/${file}`);
			expect([answer.status, answer.headers.get('content-type')]).toEqual([
				200,
				`${type}; charset=utf-8`,
			]);
			return await answer.text();
		};
		const html = await read('', 'text/html');
		expect(html).toContain("default-src 'none'");
		expect([...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address)).toEqual([
			'data:,',
			'page.css',
			'page.mjs',
		]);
		const script = await read('page.mjs', 'text/javascript');
		const style = await read('page.css', 'text/css');
		expect(html + script + style).not.toMatch(/https?:\/\//);
		expect(script).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write/);
	});

	test('its data changes with the sandbox, and is sent once', async () => {
		const view = async (known = '') =>
			(await (await fetch(`${sandbox.adminUrl}/view?known=${known}`)).json()) as {
				version: string;
				users?: Array<{ active: boolean }>;
				access: Record<string, number>;
			};
		const first = await view();
		expect(first.users).toHaveLength(12);
		expect((await view(first.version)).users).toBeUndefined();
		const user = [...sandbox.state.users.values()].find(({ active }) => active)!;
		sandbox.state.workspaces.forEach(({ members }) => {
			for (const id of sandbox.state.users.keys()) members.set(id, 'admin');
		});
		expect(first.access[user.id]).toBeGreaterThan(0);
		const body = patchOp({ op: 'replace', path: 'active', value: false });
		await call(sandbox, 'PATCH', `/scim/Users/${user.id}`, { body });
		const second = await view(first.version);
		expect(second.users).toHaveLength(12);
		expect(second.access[user.id]).toBe(0);
		expect(JSON.stringify(second)).not.toContain(sandbox.key);
	});
});

describe('the seed', () => {
	test('is a company with every kind of case, the same for the same seed', async () => {
		const options = { now: '2026-03-31T12:00:00Z', frozen: true };
		const [one, two, three] = await Promise.all([
			startSandbox({ ...options, seed: 7 }),
			startSandbox({ ...options, seed: 7 }),
			startSandbox({ ...options, seed: 8 }),
		]);
		const [a, b, c] = [one, two, three].map(({ admin }) => admin.dump({ log: 10_000 }));
		await Promise.all([one, two, three].map((each) => each.close()));
		expect(a).toEqual(b);
		expect(a.users.map(({ id }) => id)).not.toEqual(c.users.map(({ id }) => id));

		expect([a.users.length, a.groups.length, a.workspaces.length]).toEqual([350, 130, 25]);
		expect(new Set(a.users.map(({ userName }) => userName)).size).toBe(350);
		expect(new Set(a.groups.map(({ displayName }) => displayName)).size).toBe(130);
		for (const { userName } of a.users)
			expect(userName).toMatch(/^[a-z]+\.[a-z]+\d+@aurelia\.example$/);
		const suspended = a.users.filter(({ active }) => !active).length;
		expect(suspended).toBeGreaterThan(10);
		expect(suspended).toBeLessThan(60);
		const accented = a.users.filter(({ name }) => /[^\x20-\x7e]/.test(name.givenName));
		expect(accented.length).toBeGreaterThan(10);
		expect(a.groups.some(({ members }) => members.length === 0)).toBe(true);
		expect(a.groups.some(({ externalId }) => externalId === undefined)).toBe(true);
		for (const { members } of a.workspaces) expect(Object.values(members)).toContain('admin');

		expect(a.log.total).toBe(6000);
		const dates = a.log.entries.map(({ date }) => Date.parse(`${String(date).replace(' ', 'T')}Z`));
		const now = Date.parse(options.now);
		expect(Math.max(...dates)).toBeLessThanOrEqual(now);
		expect(Math.min(...dates)).toBeGreaterThan(now - 30 * 86_400_000);
		const actions = new Set(a.log.entries.map(({ action }) => action));
		for (const action of ['SIGN_IN_FAILURE', 'CREATE_MURAL', 'UPDATE_COMPANY_SSO']) {
			expect(actions).toContain(action);
		}
	});

	test('can be an empty company', async () => {
		const sizes = { users: 0, groups: 0, workspaces: 0, entries: 0 };
		const empty = await startSandbox({ sizes });
		expect((await call(empty, 'GET', '/scim/Users')).body.totalResults).toBe(0);
		expect((await call(empty, 'GET', '/audit-log')).body.data).toEqual([]);
		empty.admin.insertEntries([{ id: 'e' }]);
		expect((await call(empty, 'GET', '/audit-log')).body.data).toHaveLength(1);
		await empty.close();
	});
});
