import type { IDataObject } from 'n8n-workflow';

import { by, text, useSandbox } from './groupSandbox.mts';

const service = useSandbox('group', {
	seed: 3,
	sizes: { users: 320, groups: 230, workspaces: 5, entries: 0 },
});
const { changes, groups, membersOf, refused, requests, run, runOne, someGroup, users } = service;

describe('Remove Members', () => {
	test('says who was removed and who was no member', async () => {
		const { group, inside, outside, groupId } = someGroup();
		const list = [inside[0].userName, inside[1].id, outside[0].id, outside[1].userName];
		const json = await runOne('removeMembers', { groupId, ...text(list.join()) });
		expect(json).toMatchObject({
			id: group.id,
			removed: [{ id: inside[0].id, email: inside[0].userName }, { id: inside[1].id }],
			notMembers: [{ id: outside[0].id }, { id: outside[1].id, email: outside[1].userName }],
			notFound: [],
		});
		expect(membersOf(group.id)).toEqual(inside.slice(2).map(({ id }) => id));
	});

	test.each(['nothing', 'everyone'] as const)(
		'an empty list is never sent (a service for which it means %s)',
		async (removeEmptyList) => {
			service.sandbox.admin.configure({ scim: { removeEmptyList } });
			const { group, outside, groupId } = someGroup();
			const before = membersOf(group.id);
			expect((await refused('removeMembers', { groupId, ...text('') })).message).toBe(
				"'IDs or Emails' names no member",
			);
			const json = await runOne('removeMembers', { groupId, ...text(outside[0].id) });
			expect(json).toMatchObject({ removed: [], notMembers: [{ id: outside[0].id }] });
			await runOne('removeMembers', {
				groupId,
				...text('ghost, ghost@example.com'),
				options: { membersNotFound: 'skip' },
			});
			expect(changes()).toEqual([]);
			expect(membersOf(group.id)).toEqual(before);
		},
	);

	test('more than a hundred go in parts; when one fails, the error tells who was removed', async () => {
		const group = groups()[0];
		const ids = users()
			.slice(0, 250)
			.map(({ id }) => id);
		group.members = new Set(ids);
		service.sandbox.admin.fault({ kind: 'body', status: 403, body: {}, method: 'PATCH', skip: 2 });
		const parameters = { groupId: by('id', group.id), ...text('={{ $json.ids }}') };
		const { items } = await run('removeMembers', parameters, {
			items: [{ ids }],
			onError: 'continueRegularOutput',
		});
		const { description, removed } = items?.[0].json.details as IDataObject;
		expect(description).toContain('Before this, 200 of 250 members were removed');
		expect(removed).toHaveLength(200);
		expect(membersOf(group.id)).toEqual(ids.slice(200));
		expect(changes()).toHaveLength(3);
	});

	test('an id that is nobody’s fails before anything is sent, or is skipped and listed', async () => {
		const { inside, outside, groupId } = someGroup();
		const parameters = { groupId, ...text(`${inside[0].id}, ghost, ${outside[0].id}`) };
		expect((await refused('removeMembers', parameters)).message).toBe(
			"No member has the e-mail or ID 'ghost'",
		);
		const json = await runOne('removeMembers', {
			...parameters,
			options: { membersNotFound: 'skip' },
		});
		expect(json).toMatchObject({
			removed: [{ id: inside[0].id }],
			notMembers: [{ id: outside[0].id }],
			notFound: ['ghost'],
		});
	});

	test('one leaver from many groups: their existence is asked once', async () => {
		const [{ id }] = users();
		const some = groups().slice(0, 20);
		const { items } = await run(
			'removeMembers',
			{ groupId: by('id', '={{ $json.id }}'), ...text(id) },
			{ items: some.map((group) => ({ id: group.id })) },
		);
		expect(items).toHaveLength(20);
		expect(some.every(({ members }) => !members.has(id))).toBe(true);
		expect(requests('GET', `/scim/Users/${id}`).length).toBeLessThanOrEqual(1);
	});

	test('a service that takes the request but keeps the members', async () => {
		const { group, inside, groupId } = someGroup();
		service.sandbox.admin.fault({ kind: 'body', text: '', status: 204, method: 'PATCH' });
		const { error } = await run('removeMembers', { groupId, ...text(inside[0].id) });
		expect(error?.message).toContain(`did not remove '${inside[0].id}'`);
		expect(group.members.has(inside[0].id)).toBe(true);
	});
});
