import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { N8nApi, Workflow } from './n8nApi.mts';
import { workflowDir } from './paths.mts';

export interface CredentialRef {
	id: string;
	name: string;
	type: string;
}

export interface ImportedWorkflow {
	id: string;
	name: string;
	file: string;
}

/** An example workflow of this project. */
export async function readWorkflow(file: string): Promise<Workflow> {
	return JSON.parse(await readFile(join(workflowDir, file), 'utf8')) as Workflow;
}

/** A copy in which every node that takes this type of credential has this one. */
export function withCredential(workflow: Workflow, { id, name, type }: CredentialRef): Workflow {
	const nodes = workflow.nodes.map((node) =>
		node.credentials?.[type]
			? { ...node, credentials: { ...node.credentials, [type]: { id, name } } }
			: node,
	);
	return { ...workflow, nodes };
}

/**
 * Imports every example workflow. What was imported before (the record says) is updated when its file has changed and
 * is otherwise left as the user has made it.
 */
export async function importWorkflows(
	api: N8nApi,
	credential: CredentialRef,
	recordFile: string,
): Promise<ImportedWorkflow[]> {
	type Record = { [file: string]: { id: string; hash: string } };
	const text = await readFile(recordFile, 'utf8').catch(() => '{}');
	const record = JSON.parse(text) as Record;
	const imported: ImportedWorkflow[] = [];
	const files = (await readdir(workflowDir)).filter((file) => file.endsWith('.json')).sort();
	for (const file of files) {
		const workflow = withCredential(await readWorkflow(file), credential);
		const hash = createHash('sha256').update(JSON.stringify(workflow)).digest('hex');
		const known = record[file];
		const existing = known && (await api.workflow(known.id));
		if (existing && known.hash !== hash) await api.updateWorkflow(existing.id, workflow);
		const { id, name } = existing ?? (await api.createWorkflow(workflow));
		record[file] = { id, hash };
		imported.push({ id, name, file });
		await writeFile(recordFile, JSON.stringify(record, null, '\t'));
	}
	return imported;
}
