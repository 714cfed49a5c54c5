import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { PERMISSIONS } from '../../nodes/shared/mapping';
import type { Group, Permission } from '../sandbox/types.mts';
import { by, useSandbox } from './groupSandbox.mts';

const service = useSandbox('mapping', {
	seed: 5,
	sizes: { users: 20, groups: 6, workspaces: 12, entries: 0 },
});
const { changes, groups, refused, requests, run, runOne } = service;

const mapped = ({ workspaces }: Group) => Object.fromEntries(workspaces);
const ids = (value: unknown) =>
	({ workspaceSource: 'text', workspaceIds: value }) as INodeParameters;
const perWorkspace = (value: unknown) =>
	({ workspaceSource: 'object', workspacePermissions: value }) as INodeParameters;
const bodies = () => changes().map(({ body }) => JSON.parse(body) as IDataObject);

/** A group that is mapped to three workspaces, with other permissions each, and more workspaces. */
function someMapping() {
	const [group, other] = groups();
	const [one, two, three, ...others] = [...service.sandbox.state.workspaces.keys()];
	const permissions: Permission[] = ['createRooms'];
	group.workspaces = new Map([
		[one, permissions],
		[two, []],
		[three, [...PERMISSIONS]],
	]);
	return { group, other, one, two, three, others, groupId: by('id', group.id) };
}

test('only the difference is sent, additions first, and the plan tells it', async () => {
	const { group, one, two, three, others, groupId } = someMapping();
	const [four] = others;
	const wanted = { [four]: [], [one]: ['createRooms'], [two]: ['admin'] };
	const json = await runOne('setWorkspaces', {
		groupId,
		...perWorkspace(JSON.stringify(wanted)),
	});
	expect(json).toEqual({
		id: group.id,
		name: group.displayName,
		workspaces: { [one]: ['createRooms'], [two]: [...PERMISSIONS], [four]: [] },
		dryRun: false,
		plan: {
			add: [{ workspaceId: four, permissions: [] }],
			change: [{ workspaceId: two, permissions: [...PERMISSIONS], before: [] }],
			remove: [three],
			keep: [one],
		},
	});
	expect(mapped(group)).toEqual(json.workspaces);
	expect(bodies()).toMatchObject([
		{ action: 'add', workspaceIds: [four], permissions: { admin: false } },
		{ action: 'add', workspaceIds: [two], permissions: { admin: true, createRooms: true } },
		{ action: 'remove', workspaceIds: [three] },
	]);
	// Run again, there is nothing to do.
	service.sandbox.admin.clearRequests();
	await runOne('setWorkspaces', { groupId, ...perWorkspace(wanted as INodeParameters) });
	expect(changes()).toEqual([]);
});

test('a dry run reads, plans and sends nothing', async () => {
	const { group, one, two, three, others, groupId } = someMapping();
	const before = mapped(group);
	const json = await runOne('setWorkspaces', {
		groupId,
		...ids(`${others[0]}, ${one}`),
		permissions: { createRooms: true },
		dryRun: true,
	});
	expect(json).toMatchObject({
		workspaces: before,
		dryRun: true,
		plan: {
			add: [{ workspaceId: others[0], permissions: ['createRooms'] }],
			change: [],
			remove: [two, three],
			keep: [one],
		},
	});
	expect(mapped(group)).toEqual(before);
	expect(changes()).toEqual([]);
	expect(requests('GET')).toHaveLength(1);
});

test('the workspaces of one group for another, by an expression', async () => {
	const { group, other } = someMapping();
	await run(
		'setWorkspaces',
		{ groupId: by('id', other.id), ...perWorkspace('={{ $json.workspaces }}') },
		{ items: [{ workspaces: mapped(group) }] },
	);
	expect(mapped(other)).toEqual(mapped(group));
});

test('no workspace at all needs the switch', async () => {
	const { group, groupId } = someMapping();
	for (const [parameters, label] of [
		[ids(''), 'IDs'],
		[perWorkspace({}), 'Per Workspace'],
		[{ workspaceSource: 'list' }, 'Workspace List'],
	] as Array<[INodeParameters, string]>) {
		const { message, description } = await refused('setWorkspaces', { groupId, ...parameters });
		expect(message).toBe(
			`'${label}' names no workspace, which would close all of them to the group`,
		);
		expect(description).toContain("switch 'Allow Removing All Workspaces' on");
	}
	await runOne('setWorkspaces', { groupId, ...ids(''), allowNone: true });
	expect(group.workspaces.size).toBe(0);
});

test('when a later request fails, the error tells what was done; nobody has lost access yet', async () => {
	const { group, one, two, three, others, groupId } = someMapping();
	service.sandbox.admin.fault({ kind: 'status', status: 503, method: 'PATCH', skip: 1 });
	const { items } = await run(
		'setWorkspaces',
		{ groupId, ...ids(others[0]) },
		{ onError: 'continueRegularOutput' },
	);
	expect(items?.[0].json.error).toBe('The service is failing right now');
	const { description, applied } = items?.[0].json.details as IDataObject;
	expect(description).toContain('Before this, 1 of 2 requests of the change were carried out');
	expect(applied).toMatchObject([{ action: 'add', workspaceIds: [others[0]] }]);
	expect([...group.workspaces.keys()]).toEqual([one, two, three, others[0]]);
	expect(changes()).toHaveLength(2);
});

test('when only the read at the end fails, the error tells that the change was made', async () => {
	const { others, groupId } = someMapping();
	service.sandbox.admin.fault({
		kind: 'body',
		status: 403,
		body: { error: 'SCOPES' },
		method: 'GET',
		path: '^/mapping/groups/',
		skip: 1,
	});
	const { error } = await run('setWorkspaces', { groupId, ...ids(others[0]) });
	expect(error?.description).toContain('Before this, 2 of 2 requests');
});

test('bad input', async () => {
	const { groupId } = someMapping();
	const cases: Array<[INodeParameters, string]> = [
		[perWorkspace('{'), "'Per Workspace' is not an object of permissions by workspace ID"],
		[perWorkspace('[]'), "'Per Workspace' is not an object of permissions by workspace ID"],
		[perWorkspace('={{ $json.gone }}'), "'Per Workspace' is not an object"],
		[perWorkspace('{"a": ["fly"]}'), "'Per Workspace' holds something else than permissions"],
		[perWorkspace('{"a": "admin"}'), "'Per Workspace' holds something else than permissions"],
		[{ ...ids('a'), dryRun: '={{ "well" }}' }, "'Dry Run' is neither true nor false"],
		[{ ...ids('a'), allowNone: '={{ 1 }}' }, "'Allow Removing All Workspaces' is neither"],
		[{ ...ids('a'), permissions: { admin: true, createRooms: false } }, "'Admin' is on and"],
	];
	for (const [parameters, message] of cases) {
		const error = await refused('setWorkspaces', { groupId, ...parameters });
		expect(error.message).toContain(message);
		expect(String(error.description).length).toBeGreaterThan(20);
		expect(service.sandbox.admin.requests()).toEqual([]);
	}
});
