import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { McpClient } from '../mcpClient.mts';
import type { Workflow, WorkflowNode } from '../n8nApi.mts';
import { suiteStack } from '../suite.mts';

/** No model is needed: n8n's MCP Server Trigger offers the node as tools, the official client calls them. */

const PATH = 'mural-enterprise';
const SERVER = 'MCP Server Trigger';

const { host, sandbox, credential } = await suiteStack('mcp');

const fromAi = (key: string, description: string, type = 'string') =>
	`={{ $fromAI('${key}', '${description}', '${type}') }}`;
const memberByEmail = {
	__rl: true,
	mode: 'email',
	value: fromAi('email', 'E-mail address of the member'),
};

function tool(name: string, parameters: Record<string, unknown>): WorkflowNode {
	return {
		id: name,
		name,
		type: 'n8n-nodes-mural-enterprise.muralEnterpriseTool',
		typeVersion: 1,
		position: [0, 0],
		parameters: { descriptionType: 'auto', ...parameters },
		credentials: { [credential.type]: { id: credential.id, name: credential.name } },
	};
}

const erase = { resource: 'user', operation: 'delete', userId: memberByEmail };
const tools = [
	tool('List members', {
		resource: 'user',
		operation: 'getAll',
		limit: fromAi('limit', 'How many members to return', 'number'),
		output: 'selected',
		fields: 'id, userName, active',
	}),
	tool('Read the log', {
		resource: 'auditLog',
		operation: 'getAll',
		limit: 20,
		filters: { otherActions: fromAi('action', 'Name of the action, such as SIGN_IN_FAILURE') },
	}),
	tool('Suspend a member', { resource: 'user', operation: 'suspend', userId: memberByEmail }),
	// What the editor makes of a click on “Let the model define this parameter”.
	tool('Get a member', {
		resource: 'user',
		operation: 'get',
		userId: {
			__rl: true,
			mode: 'list',
			value: "={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('User', ``, 'string') }}",
		},
	}),
	tool('Erase a member', erase),
	tool('Erase by expression', {
		...erase,
		allowErasing: fromAi('allow', 'Whether erasing is allowed', 'boolean'),
	}),
	tool('Erase with permission', { ...erase, allowErasing: true }),
];
const workflow: Workflow = {
	name: 'Tools over MCP',
	nodes: [
		{
			id: 'server',
			name: SERVER,
			type: '@n8n/n8n-nodes-langchain.mcpTrigger',
			typeVersion: 2,
			position: [0, 0],
			parameters: { path: PATH },
			webhookId: PATH,
		},
		...tools,
	],
	connections: Object.fromEntries(
		tools.map(({ name }) => [name, { ai_tool: [[{ node: SERVER, type: 'ai_tool', index: 0 }]] }]),
	),
	settings: { executionOrder: 'v1' },
};

const { id } = await host.api.createWorkflow(workflow);
await host.api.activate(id);
const client = await McpClient.connect(`${host.url}/mcp/${PATH}`);
after(async () => await client.close());

const listed = await client.tools();
const shown = (name: string) => {
	const found = listed.find((each) => each.name === name);
	assert.ok(found, `The client is not shown ${name}`);
	return found;
};
const userNow = async (email: string) =>
	(await sandbox.admin.dump()).users.find(({ userName }) => userName === email);
/** Somebody active that no other test here touches. */
const victims = (await sandbox.admin.dump()).users.filter(({ active }) => active);

test('every tool says what it does and what it takes', () => {
	assert.equal(listed.length, tools.length);
	const descriptions = {
		List_members: 'Get many users in Mural Enterprise',
		Read_the_log: 'Get many audit log entries in Mural Enterprise',
		Suspend_a_member: 'Suspend a user in Mural Enterprise',
		Erase_a_member: 'Delete a user for ever in Mural Enterprise',
	};
	for (const [name, description] of Object.entries(descriptions)) {
		assert.equal(shown(name).description, description);
	}
	const { properties, required } = shown('Suspend_a_member').inputSchema;
	assert.deepEqual(properties, {
		email: { type: 'string', description: 'E-mail address of the member' },
	});
	assert.deepEqual(required, ['email']);
	assert.equal(shown('List_members').inputSchema.properties?.limit.type, 'number');
});

test('lists members, as many as the model asks for', async () => {
	const { isError, text } = await client.call('List_members', { limit: 3 });
	assert.equal(isError, false, text);
	const expected = (await sandbox.admin.dump()).users
		.slice(0, 3)
		.map(({ id: userId, userName, active }) => ({ id: userId, userName, active }));
	assert.deepEqual(JSON.parse(text), expected);
});

test('reads the log by the action the model names', async () => {
	const { isError, text } = await client.call('Read_the_log', { action: 'SIGN_IN_FAILURE' });
	assert.equal(isError, false, text);
	const entries = JSON.parse(text) as Array<{ action: string; dateIso: string }>;
	assert.ok(entries.length > 0);
	for (const { action } of entries) assert.equal(action, 'SIGN_IN_FAILURE');
	const dates = entries.map(({ dateIso }) => dateIso);
	assert.deepEqual(dates, dates.toSorted().reverse());
});

test('takes an e-mail or an ID where the editor offers a list', async () => {
	const member = victims[2];
	for (const name of [member.userName, member.id]) {
		const { isError, text } = await client.call('Get_a_member', { User: name });
		assert.equal(isError, false, text);
		const [item] = JSON.parse(text) as Array<{ id: string }>;
		assert.equal(item.id, member.id);
	}
});

test('suspends the member the model names', async () => {
	const [{ userName }] = victims;
	const { isError, text } = await client.call('Suspend_a_member', { email: userName });
	assert.equal(isError, false, text);
	const [item] = JSON.parse(text) as Array<{ userName: string; active: boolean }>;
	assert.deepEqual([item.userName, item.active], [userName, false]);
	assert.equal((await userNow(userName))?.active, false);
});

test('tells the model what was wrong with what it sent', async () => {
	const unknown = await client.call('Suspend_a_member', { email: 'nobody@aurelia.example' });
	assert.equal(unknown.isError, true);
	assert.match(unknown.text, /No user was found for 'nobody@aurelia\.example'/);
	const name = await client.call('Suspend_a_member', { email: 'Ann Lee' });
	assert.equal(name.isError, true);
	assert.match(name.text, /'User' is not an e-mail address: 'Ann Lee'/);
	const missing = await client.call('Suspend_a_member', {});
	assert.equal(missing.isError, true);
	assert.match(missing.text, /email/);
});

test('erases nobody unless the author of the workflow has switched it on', async () => {
	const [, { userName }] = victims;
	await sandbox.admin.clearRequests();
	const attempts = [
		await client.call('Erase_a_member', { email: userName }),
		// Neither can a model switch it on, by an argument of its own or one that an expression would read.
		await client.call('Erase_a_member', { email: userName, allowErasing: true }),
		await client.call('Erase_by_expression', { email: userName, allow: true }),
	];
	for (const { isError, text } of attempts) {
		assert.equal(isError, true);
		assert.match(text, /This tool may not erase members/);
	}
	assert.deepEqual(await sandbox.admin.requests(), []);
	assert.ok(await userNow(userName));

	const allowed = await client.call('Erase_with_permission', { email: userName });
	assert.equal(allowed.isError, false, allowed.text);
	assert.match(allowed.text, /"deleted":true/);
	assert.equal(await userNow(userName), undefined);
});

test('the key stays with n8n', async () => {
	const requests = await sandbox.admin.requests();
	assert.ok(requests.length > 0);
	assert.ok(requests.every(({ keyMatched, keyLeaked }) => keyMatched && !keyLeaked));
	assert.ok(!JSON.stringify(listed).includes(sandbox.key));
});
