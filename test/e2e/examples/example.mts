import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Execution, Workflow } from '../n8nApi.mts';
import { workflowDir } from '../paths.mts';
import type { SuiteStack } from '../suite.mts';
import { withCredential } from '../workflows.mts';

/** What a person types into an example's Set node before running it, by field. */
export type Edits = Record<string, Record<string, number | string>>;

interface Assignment {
	name: string;
	value: unknown;
}

interface OutputItem {
	json: Record<string, unknown>;
	binary?: Record<string, { id?: string; data: string; fileName?: string; mimeType: string }>;
}

type Items<T> = Array<T & Record<string, unknown>>;

/** One file of workflows/, to be imported and run in the suite's n8n. */
export class Example {
	readonly file: string;
	readonly stack: SuiteStack;

	constructor(file: string, stack: SuiteStack) {
		this.file = file;
		this.stack = stack;
	}

	/** Imports it with the sandbox's credential, with `edits` typed into its Set nodes and `change` made by hand. */
	async import(edits: Edits = {}, change: (workflow: Workflow) => void = () => {}) {
		const text = await readFile(join(workflowDir, this.file), 'utf8');
		const workflow = withCredential(JSON.parse(text) as Workflow, this.stack.credential);
		for (const [node, fields] of Object.entries(edits)) edit(workflow, node, fields);
		change(workflow);
		return await this.stack.host.api.createWorkflow(workflow);
	}

	/** Imports it and runs it from the trigger of this name to its good end. */
	async run(triggerName: string, edits: Edits = {}): Promise<Execution> {
		const { api } = this.stack.host;
		const { id } = await this.import(edits);
		const execution = await api.waitForExecution(await api.run(id, triggerName), 120_000);
		const { error, lastNodeExecuted } = execution.resultData;
		assert.equal(execution.status, 'success', `${lastNodeExecuted}: ${error?.message}`);
		return execution;
	}

	/** The text of the file a node put out in its field `data`. */
	async fileOf(execution: Execution, nodeName: string): Promise<{ name?: string; text: string }> {
		const [{ binary }] = rawItems(execution, nodeName, 0);
		assert.ok(binary, `${nodeName} put out no file`);
		const { id, data, fileName } = binary.data;
		if (id === undefined) return { name: fileName, text: Buffer.from(data, 'base64').toString() };
		const query = new URLSearchParams({ id, action: 'download' });
		const text = await this.stack.host.api.text('GET', `/rest/binary-data?${query}`);
		return { name: fileName, text };
	}
}

function edit(workflow: Workflow, nodeName: string, fields: Edits[string]): void {
	const node = workflow.nodes.find(({ name }) => name === nodeName);
	const { assignments } = node?.parameters.assignments as { assignments: Assignment[] };
	for (const [field, value] of Object.entries(fields)) {
		const assignment = assignments.find(({ name }) => name === field);
		assert.ok(assignment, `${nodeName} has no field ${field}`);
		assignment.value = value;
	}
}

function rawItems(execution: Execution, nodeName: string, output: number): OutputItem[] {
	const run = execution.resultData.runData[nodeName]?.at(-1);
	return (run?.data?.main?.[output] ?? []) as OutputItem[];
}

/** The items of the last run of a node; none when it did not run. */
export function outputOf<T = unknown>(execution: Execution, nodeName: string, output = 0) {
	return rawItems(execution, nodeName, output).map(({ json }) => json) as Items<T>;
}

/** The requests to change something that the service got since its list was cleared, as `METHOD /path`. */
export async function writesOf(admin: SuiteStack['sandbox']['admin']): Promise<string[]> {
	const requests = (await admin.requests()).filter(({ method }) => method !== 'GET');
	return requests.map(({ method, path }) => `${method} ${decodeURIComponent(path)}`);
}
