import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call, groupBody, patchOp, startSmall, userBody } from './api.mts';

let folder: string;
let stateFile: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
	stateFile = join(folder, 'state.ndjson');
});

afterEach(() => {
	rmSync(folder, { recursive: true });
});

test('the state outlives a restart', async () => {
	const first = await startSmall({ stateFile });
	const { body: user } = await call(first, 'POST', '/scim/Users', {
		body: userBody('a@b.example'),
	});
	const members = [{ value: user.id as string }];
	const { body: group } = await call(first, 'POST', '/scim/Groups', {
		body: groupBody('G', { members }),
	});
	const [workspaceId] = first.state.workspaces.keys();
	await call(first, 'PATCH', `/mapping/groups/${group.id as string}`, {
		body: { action: 'add', workspaceIds: [workspaceId], permissions: { createRooms: true } },
	});
	await call(first, 'PATCH', `/scim/Users/${user.id as string}`, {
		body: patchOp({ op: 'replace', path: 'active', value: false }),
	});
	const [from, to] = [...first.state.users.values()];
	await call(first, 'POST', '/workspaces/contents/transfer', {
		body: { transferFromUser: from.userName, transferToUser: to.userName },
	});
	const key = first.admin.createKey({ scopes: ['audit'] });
	first.admin.insertEntries([
		{ id: 'odd', omit: ['date'], overrides: { extra: 1 } },
		{ id: 'late', appearsAt: first.admin.now() + 3_600_000 },
	]);
	first.admin.advance(60_000);
	const before = first.admin.dump({ log: 1000 });
	const access = first.admin.access(user.id as string);
	await first.close();
	expect(readdirSync(folder)).toEqual(['state.ndjson']);

	const second = await startSmall({ stateFile, seed: 99 });
	const after = second.admin.dump({ log: 1000 });
	const { version: _v, now: _n, ...kept } = before;
	expect(after).toMatchObject(kept);
	expect(second.admin.now()).toBeGreaterThanOrEqual(Date.parse(before.now));
	expect(second.admin.access(user.id as string)).toEqual(access);
	const headers = { authorization: `apikey ${key.key}` };
	expect((await call(second, 'GET', '/audit-log', { headers })).status).toBe(200);
	second.admin.advance(3_600_000);
	expect(second.admin.entryIds()).toContain('late');
	await second.close();
});

test('it is saved while it runs, and a reset starts over', async () => {
	const sandbox = await startSmall({ stateFile });
	await call(sandbox, 'POST', '/scim/Users', { body: userBody('a@b.example') });
	await new Promise((resolve) => setTimeout(resolve, 1300));
	expect(readFileSync(stateFile, 'utf8')).toContain('a@b.example');
	sandbox.admin.reset();
	await sandbox.close();
	expect(readFileSync(stateFile, 'utf8')).not.toContain('a@b.example');
});

test('entries past their retention are left behind', async () => {
	const sandbox = await startSmall({ stateFile });
	sandbox.admin.advance(31 * 86_400_000);
	sandbox.admin.insertEntries([{ id: 'young' }]);
	await sandbox.close();
	const again = await startSmall({ stateFile });
	expect(again.admin.entryIds()).toEqual(['young']);
	await again.close();
});

test('a file of something else is refused and left alone', async () => {
	writeFileSync(stateFile, '{"version":99}\n');
	await expect(startSmall({ stateFile })).rejects.toThrow('no state of this sandbox');
	expect(readFileSync(stateFile, 'utf8')).toBe('{"version":99}\n');
});
