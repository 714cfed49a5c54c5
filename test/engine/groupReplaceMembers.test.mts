import { by, sentMembers, text, useSandbox } from './groupSandbox.mts';

const service = useSandbox('group', {
	seed: 3,
	sizes: { users: 320, groups: 230, workspaces: 5, entries: 0 },
});
const { changes, membersOf, refused, run, runOne, someGroup, users } = service;

describe('Replace Members', () => {
	test('says who came, stayed and went', async () => {
		const { group, inside, outside, groupId } = someGroup();
		const [stays, ...goes] = inside;
		const list = `${outside[0].userName}, ${stays.id}`;
		const json = await runOne('replaceMembers', { groupId, ...text(list) });
		expect(json).toMatchObject({
			id: group.id,
			added: [{ id: outside[0].id, email: outside[0].userName }],
			alreadyMembers: [{ id: stays.id }],
			removed: goes.map(({ id }) => ({ id })),
			notFound: [],
		});
		expect(new Set(membersOf(group.id))).toEqual(new Set([outside[0].id, stays.id]));
	});

	test('250 members in one request, since in parts the group would be neither', async () => {
		const { group } = someGroup();
		const ids = users()
			.slice(0, 250)
			.map(({ id }) => id);
		await run(
			'replaceMembers',
			{ groupId: by('id', group.id), ...text('={{ $json.ids }}') },
			{ items: [{ ids }] },
		);
		expect(changes().map(sentMembers)).toEqual([250]);
		expect(new Set(membersOf(group.id))).toEqual(new Set(ids));
	});

	test('an empty list needs the switch', async () => {
		const { group, groupId } = someGroup();
		const { message, description } = await refused('replaceMembers', { groupId, ...text('') });
		expect(message).toBe("'IDs or Emails' names no member, which would empty the group");
		expect(description).toContain("switch 'Allow Emptying the Group' on");
		const json = await runOne('replaceMembers', { groupId, ...text(''), allowEmptying: true });
		expect(json).toMatchObject({ added: [], members: [] });
		expect(group.members.size).toBe(0);
	});

	test.each([['ghost@example.com'], ['ghost']])(
		'a list of which nobody is left (%s) needs the switch as well',
		async (list) => {
			const { group, groupId } = someGroup();
			const before = membersOf(group.id);
			const { error } = await run('replaceMembers', {
				groupId,
				...text(list),
				options: { membersNotFound: 'skip' },
			});
			expect(error?.message).toContain('which would empty the group');
			expect(membersOf(group.id)).toEqual(before);
		},
	);

	test('nothing is sent when the members are the wanted ones', async () => {
		const { inside, groupId } = someGroup();
		const list = inside.map(({ id }) => id).reverse();
		const json = await runOne('replaceMembers', { groupId, ...text(list.join()) });
		expect(json).toMatchObject({ added: [], removed: [] });
		expect(changes()).toEqual([]);
	});

	test('an unknown id: fails with the group as it was, or is skipped', async () => {
		const { group, inside, groupId } = someGroup();
		const before = membersOf(group.id);
		const parameters = { groupId, ...text(`${inside[0].id}, ghost`) };
		const { error } = await run('replaceMembers', parameters);
		expect(error?.message).toBe("No member has the e-mail or ID 'ghost'");
		expect(membersOf(group.id)).toEqual(before);
		const options = { membersNotFound: 'skip' };
		const json = await runOne('replaceMembers', { ...parameters, options });
		expect(json).toMatchObject({ notFound: ['ghost'], members: [{ value: inside[0].id }] });
	});

	test('a list that is too long for the service', async () => {
		const { outside, groupId } = someGroup();
		service.sandbox.admin.fault({ kind: 'body', status: 413, body: {}, method: 'PATCH' });
		const { error } = await run('replaceMembers', { groupId, ...text(outside[0].id) });
		expect(error?.message).toBe('The service does not take so many members in one request');
		expect(error?.description).toContain("'Add Members'");
	});

	test('a service that takes the request but leaves other members', async () => {
		const { outside, groupId } = someGroup();
		service.sandbox.admin.fault({ kind: 'body', text: '', status: 204, method: 'PATCH' });
		const { error } = await run('replaceMembers', { groupId, ...text(outside[0].id) });
		expect(error?.message).toContain('The service accepted the change but did not add');
	});

	test('bad switch', async () => {
		const { groupId } = someGroup();
		const parameters = { groupId, ...text('a'), allowEmptying: '={{ "perhaps" }}' };
		expect((await refused('replaceMembers', parameters)).message).toContain(
			"'Allow Emptying the Group' is neither true nor false",
		);
	});
});

test('items that change one group never overlap and keep their order', async () => {
	const { group, groupId } = someGroup();
	const ids = users()
		.slice(0, 8)
		.map(({ id }) => id);
	service.sandbox.admin.setLatency({ ms: 0, jitterMs: 20 });
	await run(
		'replaceMembers',
		{ groupId, ...text('={{ $json.id }}'), options: { concurrency: 8 } },
		{ items: ids.map((id) => ({ id })) },
	);
	expect(membersOf(group.id)).toEqual([ids.at(-1)]);
	const last = changes().map(({ body }) => body);
	expect(last.map((body) => ids.findIndex((id) => body.includes(id)))).toEqual([
		0, 1, 2, 3, 4, 5, 6, 7,
	]);
});
