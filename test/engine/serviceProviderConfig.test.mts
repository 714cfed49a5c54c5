import type { INodeParameters } from 'n8n-workflow';

import { runNode } from './engine.mts';
import { by, text, useSandbox } from './groupSandbox.mts';

const service = useSandbox('serviceProviderConfig', {
	seed: 2,
	sizes: { users: 40, groups: 3, workspaces: 2, entries: 0 },
});
const { credential, requests, run, runOne, someGroup, users } = service;

const CONFIG = '/scim/ServiceProviderConfigs';

const runOther = async (resource: string, operation: string, parameters: INodeParameters) =>
	await runNode({
		parameters: { resource, operation, ...parameters },
		credential: credential(),
	});

test('Get: everything, and simplified', async () => {
	expect(await runOne('get', {})).toMatchObject({
		schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
		patch: { supported: true },
		filter: { supported: true, maxResults: 100 },
		authenticationSchemes: [{ type: 'apikey' }],
	});
	service.sandbox.admin.configure({ scim: { patchSupported: false } });
	expect(await runOne('get', { output: 'simplified' })).toEqual({
		patch: false,
		bulk: false,
		filter: true,
		changePassword: false,
		sort: false,
		etag: false,
		filterMaxResults: 100,
	});
});

test('Get: one item for every input item; a body that is no configuration is told', async () => {
	service.sandbox.admin.fault({ kind: 'body', body: [1], path: CONFIG, skip: 1 });
	const { items } = await run(
		'get',
		{ options: { concurrency: 1 } },
		{ items: [{}, {}, {}], onError: 'continueRegularOutput' },
	);
	expect(items?.map(({ json }) => json.error)).toEqual([
		undefined,
		expect.stringContaining('something that is no configuration'),
		undefined,
	]);
	expect(items?.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
});

test('where filters are unsupported, look-ups by e-mail or external ID say so', async () => {
	service.sandbox.admin.configure({ scim: { filterSupported: false } });
	const [{ userName }] = users();
	const { groupId } = someGroup();
	for (const [resource, operation, parameters] of [
		['user', 'get', { userId: by('email', userName) }],
		['user', 'getAll', { filters: { externalId: 'x' } }],
		['group', 'addMembers', { groupId, ...text(userName) }],
	] as Array<[string, string, INodeParameters]>) {
		const { error } = await runOther(resource, operation, parameters);
		expect(error?.message).toContain(
			'does not support looking members up by e-mail or external ID (filter)',
		);
		expect(error?.description).toContain('Name members by ID');
		expect(JSON.stringify(error)).not.toContain(service.sandbox.key);
	}
});

test('where PATCH is unsupported, operations that need it say so', async () => {
	service.sandbox.admin.configure({ scim: { patchSupported: false } });
	const { groupId, inside } = someGroup();
	const [{ id }] = users();
	for (const [resource, operation, parameters] of [
		['user', 'suspend', { userId: by('id', id) }],
		['group', 'update', { groupId, displayName: 'Renamed' }],
		['group', 'removeMembers', { groupId, ...text(inside[0].id) }],
	] as Array<[string, string, INodeParameters]>) {
		const { error } = await runOther(resource, operation, parameters);
		expect(error?.message).toContain('does not support changing parts of a resource (PATCH)');
		expect(error?.description).toContain("'Replace'");
		expect(error?.description).not.toContain('may have been carried out');
	}
});

test('a request that succeeds, or fails for another reason, is told as it is', async () => {
	const { groupId, outside } = someGroup();
	await runOther('group', 'addMembers', { groupId, ...text(outside[0].userName) });
	expect(requests('GET', CONFIG)).toEqual([]);
	const [{ id }] = users();
	const parameters = { userId: by('id', id), updateFields: { email: 'a@b' } };
	service.sandbox.admin.fault({
		kind: 'body',
		status: 400,
		body: {},
		method: 'PATCH',
		count: null,
	});
	const plain = await runOther('user', 'update', parameters);
	expect(plain.error?.message).toBe('The service refused the request as invalid');
	service.sandbox.admin.fault({ kind: 'status', status: 404, path: CONFIG, count: null });
	const without = await runOther('user', 'update', parameters);
	expect(without.error?.message).toBe('The service refused the request as invalid');
});
