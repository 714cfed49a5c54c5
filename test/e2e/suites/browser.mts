import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startChromium } from '../browser/chromium.mts';
import { Editor } from '../browser/editor.mts';
import type { Workflow, WorkflowNode } from '../n8nApi.mts';
import { projectDir, workflowDir } from '../paths.mts';
import { freePorts } from '../ports.mts';
import { suiteStack } from '../suite.mts';

const { host, sandbox, credential, secrets } = await suiteStack('browser');
const browser = await startChromium();
after(async () => await browser.close());
const editor = await Editor.signIn(browser, host.url, secrets.owner);
const { page } = editor;

const { users } = await sandbox.admin.dump();
const NODE = 'n8n-nodes-mural-enterprise.muralEnterprise';
const TRIGGER_ACTION = 'On new Mural Enterprise event';

/** One thing a person does; what the screen shows at the end stays as a picture, also when it goes wrong. */
function step(name: string, picture: string, run: () => Promise<void>): void {
	test(name, { timeout: 90_000 }, async () => {
		try {
			await run();
		} catch (error) {
			await editor.screenshot(`${picture}-failed`);
			throw error;
		}
		await editor.screenshot(picture);
	});
}

/** A saved workflow: a manual start and after it these nodes, one after the other. */
async function saved(name: string, ...nodes: Array<Partial<WorkflowNode>>): Promise<string> {
	const start = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', credentials: undefined };
	const all = [start, ...nodes].map((node, index) => ({
		id: String(index),
		type: NODE,
		typeVersion: 1,
		position: [index * 240, 0],
		parameters: {},
		credentials: { [credential.type]: { id: credential.id, name: credential.name } },
		...node,
	})) as WorkflowNode[];
	const connections = Object.fromEntries(
		all
			.slice(0, -1)
			.map(({ name: from }, index) => [
				from,
				{ main: [[{ node: all[index + 1].name, type: 'main', index: 0 }]] },
			]),
	);
	const workflow: Workflow = { name, nodes: all, connections, settings: {} };
	return (await host.api.createWorkflow(workflow)).id;
}

step('the nodes panel finds the package by what people look for', 'search', async () => {
	await editor.newWorkflow();
	await editor.addManualTrigger();
	for (const term of ['SCIM', 'offboarding', 'suspend', 'audit', 'Mural']) {
		// What the last word has found must be gone first.
		await (await editor.search('no such node')).getByTestId('node-creator-no-results').waitFor();
		const panel = await editor.search(term);
		await panel.getByTestId('node-creator-item-name').getByText('Mural Enterprise').waitFor();
	}
});

step('the panel offers every operation, and the chosen one opens', 'added', async () => {
	const panel = page.getByTestId('node-creator');
	await panel.getByTestId('node-creator-item-name').getByText('Mural Enterprise').click();
	await panel.getByText('Suspend a user', { exact: true }).waitFor();
	await editor.screenshot('actions');
	await panel.getByText('Get a user', { exact: true }).click();
	await editor.ndv.waitFor();
	assert.equal(await editor.ndv.getByTestId('node-title-container').innerText(), 'Get a user');
	await editor.closeNode();
	// A member has to be named first, which the canvas tells.
	await page.getByTestId('node-issues').waitFor();
});

step(
	'a new credential tells what is wrong with it, and is saved when right',
	'credential',
	async () => {
		await page.getByTestId('canvas-node').last().dblclick();
		await editor.ndv.getByTestId('node-credentials-select').click();
		await page.getByTestId('node-credentials-select-item-new').click();
		const dialog = page.getByTestId('editCredential-modal');
		const field = (name: string) => dialog.getByTestId(`parameter-input-${name}`).locator('input');
		const save = dialog.getByTestId('credential-save-button');
		const complaint = async () => {
			await save.click();
			await dialog.getByText('Couldn’t connect with these settings').waitFor();
			const more = dialog.getByText('More details');
			if (await more.isVisible()) await more.click();
		};

		assert.equal(await field('baseUrl').inputValue(), 'https://api.mural.co/enterprise/v1');
		await field('apiKey').fill('not-the-key');
		await field('baseUrl').fill(sandbox.url);
		await complaint();
		await dialog.getByText('The service did not accept the API key').waitFor();
		await editor.screenshot('credential-wrong-key');

		const [nobody] = await freePorts(1);
		await field('baseUrl').fill(`http://127.0.0.1:${nobody}/enterprise/v1`);
		await complaint();
		await dialog
			.getByText(`127.0.0.1:${nobody} could not be reached: the connection was refused`)
			.waitFor();
		await editor.screenshot('credential-wrong-address');

		await field('baseUrl').fill(sandbox.url);
		await field('apiKey').fill(sandbox.key);
		await save.click();
		await dialog.waitFor({ state: 'hidden' });
		await editor.ndv.getByTestId('credential-edit-button').click();
		await dialog.getByText('Connection tested successfully').waitFor();
	},
);

step('a user beyond page one of the list is picked, and read', 'output', async () => {
	const workflow = await saved('Pick', {
		name: 'Get a user',
		parameters: { resource: 'user', operation: 'get' },
	});
	await editor.openNode(workflow, '1');
	const wanted = users[users.length - 5];
	const items = await editor.openList('userId');
	const entry = items.filter({ hasText: wanted.userName });
	assert.equal(await entry.count(), 0, 'The member is on the first page already');
	for (let pages = 0; (await entry.count()) === 0; pages++) {
		assert.ok(pages < 20, 'The list came to no end');
		const before = await items.count();
		await items.last().scrollIntoViewIfNeeded();
		await items.nth(before).waitFor({ state: 'attached' });
	}
	await entry.scrollIntoViewIfNeeded();
	await editor.screenshot('picker-scrolled');
	await entry.click();
	await editor.execute();
	await editor.output.getByText(wanted.userName).first().waitFor();
});

step('a user is found in the list by a part of the name', 'picker', async () => {
	const workflow = await saved('Search', {
		name: 'Suspend a user',
		parameters: { resource: 'user', operation: 'suspend' },
	});
	await editor.openNode(workflow, '1');
	const wanted = users.findLast(({ active }) => active)!;
	const items = await editor.openList('userId');
	await page.getByTestId('rlc-search').fill(wanted.name.familyName.toUpperCase());
	const entry = items.filter({ hasText: wanted.userName });
	await entry.waitFor();
	for (const text of await items.allInnerTexts()) {
		assert.ok(text.includes(wanted.name.familyName), text);
	}
	await editor.screenshot('picker-search');
	await entry.click();
	await editor.execute();
	await editor.output.getByText(wanted.userName).first().waitFor();
	const now = (await sandbox.admin.dump()).users.find(({ id }) => id === wanted.id);
	assert.equal(now?.active, false);

	// Whoever is suspended is told apart before somebody is picked.
	await editor.openList('userId');
	await page.getByTestId('rlc-search').fill(wanted.userName);
	await items.filter({ hasText: `${wanted.name.familyName} (suspended)` }).waitFor();
});

step('all members come as items', 'editor', async () => {
	const workflow = await saved('All', {
		name: 'Get many users',
		parameters: { resource: 'user', operation: 'getAll', returnAll: true, output: 'simplified' },
	});
	await editor.openNode(workflow, '1');
	await editor.execute();
	await editor.output.getByText(`${users.length} items`).waitFor();
	await editor.output.getByText(users[0].userName).waitFor();
});

step('an error says what happened and what to change', 'error', async () => {
	const workflow = await saved('Error', {
		name: 'Suspend a user',
		parameters: { resource: 'user', operation: 'suspend' },
	});
	await editor.openNode(workflow, '1');
	await editor.enterInLocator('userId', 'email', 'nobody@aurelia.example');
	await editor.execute();
	const error = editor.output.getByTestId('node-error-message');
	await error.getByText("No user was found for 'nobody@aurelia.example'").waitFor();
	const advice = "Change 'User'. E-mails have to be those of members";
	await editor.output.getByTestId('node-error-description').getByText(advice).waitFor();
});

step('a notice stands above what cannot be undone', 'notice', async () => {
	await editor.choose('operation', 'Delete');
	const notice = editor.parameters.getByText('Deleting erases all identity data of the member');
	await notice.waitFor();
	const [above, below] = await Promise.all(
		[notice, editor.locator('userId')].map(async (part) => (await part.boundingBox())!.y),
	);
	assert.ok(above < below);
	assert.equal(
		await editor.ndv.getByTestId('node-title-container').innerText(),
		'Delete a user for ever',
	);
});

step('the next node can use the fields before the first run', 'preview', async () => {
	const workflow = await saved(
		'Preview',
		{ name: 'Get many users', parameters: { resource: 'user', operation: 'getAll' } },
		{ name: 'Edit Fields', type: 'n8n-nodes-base.set', typeVersion: 3.4, credentials: undefined },
	);
	await editor.openNode(workflow, '2');
	await editor.input.getByText('Usually outputs the following fields').waitFor();
	const file = 'nodes/MuralEnterprise/__schema__/v1.0.0/user/getAll.json';
	const schema = JSON.parse(await readFile(join(projectDir, file), 'utf8')) as {
		properties: object;
	};
	for (const field of Object.keys(schema.properties)) {
		await editor.input.getByText(field, { exact: true }).first().waitFor();
	}
});

step('the trigger is added and shows samples of the log', 'trigger', async () => {
	await editor.newWorkflow();
	await editor.addOurs('audit', TRIGGER_ACTION);
	await editor.ndv.getByTestId('trigger-execute-button').click();
	await editor.output.getByText('10 items').waitFor();
	const [newest] = (await sandbox.admin.dump({ log: 1 })).log.entries;
	await editor.output.getByText(String(newest.id)).waitFor({ state: 'attached' });
});

step('both themes have their icon', 'dark', async () => {
	const workflow = await saved('Themes', {
		name: 'Get many users',
		parameters: { resource: 'user', operation: 'getAll' },
	});
	await editor.openWorkflow(workflow);
	const icon = page.getByTestId('canvas-node').last().locator('img');
	const shown = async () => {
		await icon.waitFor();
		return await icon.evaluate((image: { naturalWidth: number; src: string }) => {
			return { width: image.naturalWidth, file: image.src.split('/').at(-1) };
		});
	};
	const light = await shown();
	assert.ok(light.width > 0);
	assert.equal(light.file, 'muralEnterprise.svg');
	await editor.theme('dark');
	await page.reload();
	const dark = await shown();
	assert.ok(dark.width > 0);
	assert.equal(dark.file, 'muralEnterprise.dark.svg');
});

for (const file of (await readdir(workflowDir)).filter((name) => name.endsWith('.json')).sort()) {
	const name = file.replace(/\.json$/, '');
	step(`the example ${name} is imported without complaints`, `example-${name}`, async () => {
		await editor.theme('light');
		await editor.newWorkflow();
		await page.getByTestId('workflow-import-input').setInputFiles(join(workflowDir, file));
		const { nodes } = JSON.parse(await readFile(join(workflowDir, file), 'utf8')) as Workflow;
		const expected = nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');
		for (const node of expected) {
			await page.getByTestId('canvas-node').getByText(node.name, { exact: true }).first().waitFor();
		}
		assert.equal(await page.getByTestId('canvas-node').count(), expected.length);
		assert.equal(await page.getByTestId('node-issues').count(), 0);
	});
}
