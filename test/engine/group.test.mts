import { by, picked, text, useSandbox } from './groupSandbox.mts';

const service = useSandbox('group', {
	seed: 3,
	sizes: { users: 320, groups: 230, workspaces: 5, entries: 0 },
});
const { changes, groups, membersOf, refused, requests, run, runOne, someGroup, users } = service;

describe('Create', () => {
	test('without members', async () => {
		const json = await runOne('create', { displayName: 'Fresh' });
		expect(json).toMatchObject({ displayName: 'Fresh', members: [], notFound: [] });
		expect(service.sandbox.state.groups.get(String(json.id))?.externalId).toBeUndefined();
	});

	test('with members picked and an external ID', async () => {
		const [ann, bob] = users();
		const json = await runOne('create', {
			displayName: 'Fresh',
			...picked(by('id', ann.id), by('email', bob.userName.toUpperCase())),
			additionalFields: { externalId: 'x-1' },
		});
		expect(json).toMatchObject({ displayName: 'Fresh', externalId: 'x-1' });
		expect(membersOf(String(json.id))).toEqual([ann.id, bob.id]);
	});

	test('with 250 members in one request', async () => {
		const ids = users()
			.slice(0, 250)
			.map(({ id }) => id);
		const { items } = await run(
			'create',
			{ displayName: 'Fresh', ...text('={{ $json.ids }}') },
			{ items: [{ ids }] },
		);
		expect(membersOf(String(items?.[0].json.id))).toEqual(ids);
		expect(changes()).toHaveLength(1);
	});

	test('an unknown id fails and names it; skipped, the group comes without it', async () => {
		const [ann] = users();
		const parameters = { displayName: 'Fresh', ...text(`${ann.id}, ghost`) };
		const { error } = await run('create', parameters);
		expect(error?.message).toBe("No member has the e-mail or ID 'ghost'");
		expect(error?.description).toContain("'IDs or Emails'");
		expect(groups().some(({ displayName }) => displayName === 'Fresh')).toBe(false);
		const json = await runOne('create', { ...parameters, options: { membersNotFound: 'skip' } });
		expect(json).toMatchObject({ members: [{ value: ann.id }], notFound: ['ghost'] });
	});

	test('a name that exists', async () => {
		const [{ displayName }] = groups();
		const { error } = await run('create', { displayName });
		expect(error?.message).toBe('A group with this name or external ID exists already');
		expect(error?.description).toContain("'Display Name'");
	});

	test('two items with one name: the first wins', async () => {
		const { items } = await run(
			'create',
			{ displayName: '={{ $json.name }}', additionalFields: { externalId: '={{ $json.id }}' } },
			{
				items: [
					{ name: 'Twin', id: 'a' },
					{ name: 'Twin', id: 'b' },
				],
				onError: 'continueRegularOutput',
			},
		);
		expect(items?.map(({ json }) => json.externalId ?? json.error)).toEqual([
			'a',
			'A group with this name or external ID exists already',
		]);
	});

	test('bad input', async () => {
		expect((await refused('create', { displayName: ' ' })).message).toBe("'Display Name' is empty");
		const externalId = { displayName: 'Fresh', additionalFields: { externalId: '' } };
		expect((await refused('create', externalId)).message).toBe("'External ID' is empty");
		const member = { displayName: 'Fresh', ...picked(by('email', 'not an address')) };
		expect((await refused('create', member)).message).toContain(
			"'Member' is not an e-mail address",
		);
	});
});

describe('Update', () => {
	test('renames, by id and by name', async () => {
		const { group, groupId } = someGroup();
		const json = await runOne('update', { groupId, displayName: 'Renamed' });
		expect(json).toMatchObject({ id: group.id, displayName: 'Renamed' });
		expect(group.displayName).toBe('Renamed');
		await runOne('update', { groupId: by('name', 'Renamed'), displayName: 'Again' });
		expect(group.displayName).toBe('Again');
		expect(membersOf(group.id)).toHaveLength(group.members.size);
	});

	test('items that hand a name on from one to the next keep their order', async () => {
		const { group } = someGroup();
		const names = [group.displayName, 'A', 'B', 'C'];
		const { items } = await run(
			'update',
			{ groupId: by('name', '={{ $json.from }}'), displayName: '={{ $json.to }}' },
			{ items: names.slice(1).map((to, i) => ({ from: names[i], to })) },
		);
		expect(items?.map(({ json }) => json.displayName)).toEqual(['A', 'B', 'C']);
		expect(group.displayName).toBe('C');
	});

	test('to a name that exists, and to none', async () => {
		const { groupId } = someGroup();
		const taken = groups().at(-1)?.displayName ?? '';
		const { error } = await run('update', { groupId, displayName: taken });
		expect(error?.message).toBe('A group with this name or external ID exists already');
		service.sandbox.admin.clearRequests();
		const { message } = await refused('update', { groupId, displayName: '={{ $json.gone }}' });
		expect(message).toBe("'Display Name' is missing");
	});

	test('where the service supports no PATCH, the error says so', async () => {
		service.sandbox.admin.configure({ scim: { patchSupported: false } });
		const { groupId } = someGroup();
		const { items } = await run(
			'update',
			{ groupId, displayName: 'Renamed' },
			{ items: [{}, {}], onError: 'continueRegularOutput' },
		);
		for (const { json } of items ?? []) {
			expect(json.error).toContain('does not support changing parts of a resource (PATCH)');
		}
		expect(requests('GET', '/scim/ServiceProviderConfigs')).toHaveLength(1);
	});
});

describe('Delete', () => {
	test('deactivates, and says so', async () => {
		const { group, groupId } = someGroup();
		expect(await runOne('delete', { groupId })).toEqual({ deleted: true, id: group.id });
		expect(group.active).toBe(false);
	});

	test('a name twice: the second item finds no group', async () => {
		const { group } = someGroup();
		const { items } = await run(
			'delete',
			{ groupId: by('name', group.displayName) },
			{ items: [{}, {}], onError: 'continueRegularOutput' },
		);
		expect(items?.[0].json).toEqual({ deleted: true, id: group.id });
		expect(items?.[1].json.error).toContain('No group was found');
	});
});
