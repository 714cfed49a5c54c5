import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { by, picked, sentMembers, text, useSandbox } from './groupSandbox.mts';

const service = useSandbox('group', {
	seed: 3,
	sizes: { users: 320, groups: 230, workspaces: 5, entries: 0 },
});
const { changes, groups, membersOf, refused, requests, run, runOne, someGroup, users } = service;

describe('Add Members', () => {
	test('says who was added and who was there already, each named once', async () => {
		const { group, inside, outside, groupId } = someGroup();
		const [ann, bob] = outside;
		const list = `${ann.userName.toUpperCase()}, ${bob.id}; ${inside[0].userName}\n${ann.id}`;
		const json = await runOne('addMembers', { groupId, ...text(list) });
		expect(json).toMatchObject({
			id: group.id,
			added: [{ id: ann.id, email: ann.userName }, { id: bob.id }],
			alreadyMembers: [{ id: inside[0].id, email: inside[0].userName }],
			notFound: [],
		});
		expect(membersOf(group.id)).toEqual([...inside.map(({ id }) => id), ann.id, bob.id]);
		expect(json.members).toEqual(membersOf(group.id).map((value) => ({ value })));
		expect(changes().map(sentMembers)).toEqual([2]);
	});

	test('members picked from the list', async () => {
		const { group, outside, groupId } = someGroup();
		await runOne('addMembers', {
			groupId,
			...picked(by('list', outside[0].id), by('email', outside[1].userName)),
		});
		expect(group.members.has(outside[0].id) && group.members.has(outside[1].id)).toBe(true);
	});

	test('arrays from expressions: texts, users, members of another group, rows', async () => {
		const { group, outside, groupId } = someGroup();
		const [a, b, c, d] = outside;
		const items = [
			{ list: [a.id] },
			{ list: [{ id: b.id, userName: b.userName }] },
			{ list: [{ value: c.id }] },
			{ list: [{ email: d.userName, name: 'D' }] },
		];
		const { items: out } = await run(
			'addMembers',
			{ groupId, ...text('={{ $json.list }}') },
			{ items },
		);
		expect(out?.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3].map((item) => ({ item })),
		);
		for (const { id } of [a, b, c, d]) expect(group.members.has(id)).toBe(true);
	});

	test('nothing is sent when all are members already', async () => {
		const { inside, groupId } = someGroup();
		const json = await runOne('addMembers', {
			groupId,
			...text(inside.map(({ id }) => id).join()),
		});
		expect(json).toMatchObject({ added: [] });
		expect(json.alreadyMembers).toHaveLength(inside.length);
		expect(changes()).toEqual([]);
	});

	test('250 members go in parts of 100', async () => {
		const [group] = groups().filter(({ members }) => members.size === 0);
		const ids = users()
			.slice(0, 250)
			.map(({ id }) => id);
		const { items } = await run(
			'addMembers',
			{ groupId: by('id', group.id), ...text('={{ $json.ids }}') },
			{ items: [{ ids }] },
		);
		expect(changes().map(sentMembers)).toEqual([100, 100, 50]);
		expect(membersOf(group.id)).toEqual(ids);
		expect(items?.[0].json.added).toHaveLength(250);
	});

	test('when a later part fails, the error tells who was added', async () => {
		const [group] = groups().filter(({ members }) => members.size === 0);
		const ids = users()
			.slice(0, 250)
			.map(({ id }) => id);
		service.sandbox.admin.fault({ kind: 'status', status: 503, method: 'PATCH', skip: 1 });
		const parameters = { groupId: by('id', group.id), ...text('={{ $json.ids }}') };
		const { items } = await run('addMembers', parameters, {
			items: [{ ids }],
			onError: 'continueRegularOutput',
		});
		expect(items?.[0].json.error).toBe('The service is failing right now');
		const { description, added } = items?.[0].json.details as IDataObject;
		expect(description).toContain('may have been carried out');
		expect(description).toContain('Before this, 100 of 250 members were added');
		expect((added as IDataObject[]).map(({ id }) => id)).toEqual(ids.slice(0, 100));
		expect(membersOf(group.id)).toEqual(ids.slice(0, 100));
		expect(changes()).toHaveLength(2);
	});

	test('e-mails are looked up once per run, not per item', async () => {
		const { outside } = someGroup();
		const [ann, bob] = outside;
		const some = groups().slice(0, 12);
		const { items } = await run(
			'addMembers',
			{ groupId: by('id', '={{ $json.id }}'), ...text(`${ann.userName}, ${bob.userName}`) },
			{ items: some.map(({ id }) => ({ id })) },
		);
		expect(items).toHaveLength(12);
		expect(some.every(({ members }) => members.has(ann.id) && members.has(bob.id))).toBe(true);
		expect(requests('GET', '/scim/Users')).toHaveLength(2);
	});

	test('many e-mails are looked up in the list of all users, a page a request', async () => {
		const { group, groupId } = someGroup();
		const some = users().slice(0, 150);
		const list = [...some.map(({ userName }) => userName), 'ghost@example.com'];
		const json = await runOne('addMembers', {
			groupId,
			...text(list.join()),
			options: { membersNotFound: 'skip' },
		});
		expect(json.notFound).toEqual(['ghost@example.com']);
		expect(some.every(({ id }) => group.members.has(id))).toBe(true);
		expect(requests('GET', '/scim/Users')).toHaveLength(4);
	});

	test('a look-up that fails ends the others', async () => {
		const { groupId } = someGroup();
		const list = users().slice(0, 60);
		service.sandbox.admin.fault({
			kind: 'body',
			status: 403,
			body: {},
			path: '^/scim/Users$',
			count: null,
		});
		await refused('addMembers', { groupId, ...text(list.map((user) => user.userName).join()) });
		expect(requests('GET', '/scim/Users').length).toBeLessThan(20);
	});

	test('an id that is nobody’s in a later part: the error also tells who was added', async () => {
		const [group] = groups().filter(({ members }) => members.size === 0);
		const ids = users()
			.slice(0, 150)
			.map(({ id }) => id);
		const { items } = await run(
			'addMembers',
			{ groupId: by('id', group.id), ...text('={{ $json.ids }}') },
			{ items: [{ ids: [...ids, 'ghost'] }], onError: 'continueRegularOutput' },
		);
		expect(items?.[0].json.error).toBe("No member has the e-mail or ID 'ghost'");
		const details = items?.[0].json.details as IDataObject;
		expect(details.description).toContain('Before this, 100 of 151 members were added');
		expect(details).toMatchObject({ notFound: ['ghost'] });
		expect(membersOf(group.id)).toEqual(ids.slice(0, 100));
	});

	test('a look-up that fails is not kept for the next item', async () => {
		const { outside, groupId } = someGroup();
		service.sandbox.admin.fault({ kind: 'body', status: 403, body: {}, path: '^/scim/Users$' });
		const { items } = await run(
			'addMembers',
			{ groupId, ...text(outside[0].userName), options: { concurrency: 1 } },
			{ items: [{}, {}], onError: 'continueRegularOutput' },
		);
		expect(items?.map(({ json }) => json.error)).toEqual([
			'The service refused the operation for this API key',
			undefined,
		]);
	});

	test('an e-mail that is nobody’s fails before anything is sent, or is skipped and listed', async () => {
		const { group, outside, groupId } = someGroup();
		const parameters = { groupId, ...text(`ghost@example.com, ${outside[0].id}`) };
		expect(await refused('addMembers', parameters)).toEqual({
			message: "No member has the e-mail or ID 'ghost@example.com'",
			description: expect.stringMatching(/Change 'IDs or Emails'.*'Members Not Found'/),
		});
		const json = await runOne('addMembers', {
			...parameters,
			options: { membersNotFound: 'skip' },
		});
		expect(json).toMatchObject({
			added: [{ id: outside[0].id }],
			notFound: ['ghost@example.com'],
		});
		expect(group.members.has(outside[0].id)).toBe(true);
	});

	test('an id that is nobody’s fails and names it, or is skipped and listed', async () => {
		const { group, outside, groupId } = someGroup();
		const before = group.members.size;
		const parameters = { groupId, ...text(`ghost, ${outside[0].id}, wraith`) };
		const { error } = await run('addMembers', parameters);
		expect(error?.message).toBe("No member has the e-mail or ID 'ghost', 'wraith'");
		expect(group.members.size).toBe(before);
		const json = await runOne('addMembers', {
			...parameters,
			options: { membersNotFound: 'skip' },
		});
		expect(json).toMatchObject({
			added: [{ id: outside[0].id }],
			notFound: ['ghost', 'wraith'],
		});
		expect(group.members.size).toBe(before + 1);
	});

	test('only ids that are nobody’s, skipped: the group as it is', async () => {
		const { group, groupId } = someGroup();
		const json = await runOne('addMembers', {
			groupId,
			...text('ghost'),
			options: { membersNotFound: 'skip' },
		});
		expect(json).toMatchObject({ id: group.id, added: [], notFound: ['ghost'] });
		expect(json.members).toHaveLength(group.members.size);
	});

	test('a service that takes the request but not the members', async () => {
		const { group, outside, groupId } = someGroup();
		const body = {
			id: group.id,
			displayName: group.displayName,
			members: membersOf(group.id).map((value) => ({ value })),
		};
		service.sandbox.admin.fault({ kind: 'body', body, method: 'PATCH' });
		const { error } = await run('addMembers', { groupId, ...text(outside[0].id) });
		expect(error?.message).toBe(
			`The service accepted the change but did not add '${outside[0].id}'`,
		);
	});

	test('an answer without the group: it is read', async () => {
		const { group, outside, groupId } = someGroup();
		service.sandbox.admin.fault({
			kind: 'body',
			text: '',
			status: 204,
			method: 'PATCH',
			applied: true,
		});
		const json = await runOne('addMembers', { groupId, ...text(outside[0].id) });
		expect(json).toMatchObject({ id: group.id, added: [{ id: outside[0].id }] });
		expect(json.members).toContainEqual({ value: outside[0].id });
	});

	test('a change that may have been carried out is not sent again', async () => {
		const { group, outside, groupId } = someGroup();
		service.sandbox.admin.fault({ kind: 'reset', method: 'PATCH', applied: true });
		const { error } = await run('addMembers', { groupId, ...text(outside[0].id) });
		expect(error?.description).toContain('may have been carried out');
		expect(changes()).toHaveLength(1);
		expect(group.members.has(outside[0].id)).toBe(true);
	});

	test('bad input', async () => {
		const { groupId } = someGroup();
		const cases: Array<[INodeParameters, string]> = [
			[text(''), "'IDs or Emails' names no member"],
			[picked(), "'Member List' names no member"],
			[picked(by('id', '={{ $json.gone }}')), "'Member' is empty"],
			[text('={{ [] }}'), "'IDs or Emails' names no member"],
			[text('={{ ["a", null] }}'), "Entry 2 of 'IDs or Emails' is empty"],
			[text('={{ [{ name: "Ann" }] }}'), "Entry 1 of 'IDs or Emails' is empty"],
			[text('={{ true }}'), "Entry 1 of 'IDs or Emails' is empty"],
			[text('@'), "'IDs or Emails' is not an e-mail address: '@'"],
			[
				{ ...text('a'), options: { membersNotFound: '={{ "maybe" }}' } },
				"'Members Not Found' is neither 'fail' nor 'skip'",
			],
			[{ ...text('a'), groupId: by('name', '={{ $json.gone }}') }, "'Group' is empty"],
		];
		for (const [parameters, message] of cases) {
			const error = await refused('addMembers', { groupId, ...parameters });
			expect(error.message).toBe(message);
			expect(String(error.description).length).toBeGreaterThan(20);
			expect(service.sandbox.admin.requests()).toEqual([]);
		}
	});
});
