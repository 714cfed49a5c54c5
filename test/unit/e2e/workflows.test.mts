import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { N8nApi, SavedWorkflow, Workflow } from '../../e2e/n8nApi.mts';
import { workflowDir } from '../../e2e/paths.mts';
import { importWorkflows, readWorkflow, withCredential } from '../../e2e/workflows.mts';

const TYPE = 'muralEnterpriseApi';
const credential = { id: 'c1', name: 'Mural sandbox', type: TYPE };
const files = readdirSync(workflowDir).filter((file) => file.endsWith('.json'));

/** n8n's workflows in memory, and what was asked for. */
function memoryApi() {
	const stored = new Map<string, SavedWorkflow>();
	const calls: string[] = [];
	const api = {
		workflow: async (id: string) => stored.get(id),
		createWorkflow: async (workflow: Workflow) => {
			const id = `w${stored.size + 1}`;
			calls.push(`create ${id}`);
			stored.set(id, { ...workflow, id } as SavedWorkflow);
			return stored.get(id);
		},
		updateWorkflow: async (id: string, workflow: Workflow) => {
			calls.push(`update ${id}`);
			stored.set(id, { ...workflow, id } as SavedWorkflow);
		},
	};
	return { api: api as unknown as N8nApi, stored, calls };
}

let folder: string;
let record: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'workflows-test-'));
	record = join(folder, 'imported.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a second import changes nothing', async () => {
	const { api, calls } = memoryApi();
	const first = await importWorkflows(api, credential, record);
	expect(first.map(({ file }) => file)).toEqual(files.sort());
	expect(calls).toHaveLength(files.length);
	expect(await importWorkflows(api, credential, record)).toEqual(first);
	expect(calls).toHaveLength(files.length);
});

test('a new credential updates, a deleted workflow comes back', async () => {
	const { api, stored, calls } = memoryApi();
	const [{ id }] = await importWorkflows(api, credential, record);
	calls.length = 0;
	await importWorkflows(api, { ...credential, id: 'c2' }, record);
	expect(calls).toContain(`update ${id}`);
	expect(stored.size).toBe(files.length);
	stored.delete(id);
	calls.length = 0;
	await importWorkflows(api, { ...credential, id: 'c2' }, record);
	expect(calls.filter((call) => call.startsWith('create'))).toHaveLength(1);
});

test('a record that is no JSON is an error, not a second copy', async () => {
	writeFileSync(record, '{');
	await expect(importWorkflows(memoryApi().api, credential, record)).rejects.toThrow(SyntaxError);
});

test.each(files)('%s: every node of ours gets the credential, no id is shipped', async (file) => {
	const workflow = await readWorkflow(file);
	const ours = ({ type }: { type: string }) => type.startsWith('n8n-nodes-mural-enterprise.');
	expect(workflow.nodes.some(ours)).toBe(true);
	for (const node of workflow.nodes.filter(ours)) {
		expect(node.credentials?.[TYPE]).toEqual({ id: null, name: 'Mural Enterprise account' });
	}
	for (const node of withCredential(workflow, credential).nodes.filter(ours)) {
		expect(node.credentials?.[TYPE]).toEqual({ id: 'c1', name: 'Mural sandbox' });
	}
});
