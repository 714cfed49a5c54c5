import { createRequire } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { require as requireTs } from 'tsx/cjs/api';
import type { ExecutionStatus, N8nApi } from '../n8nApi.mts';
import { hostDir, projectDir } from '../paths.mts';
import { TRIGGER } from './workflow.mts';

/** What n8n had on disk at some moment, read while it is dead. */
export interface Snapshot {
	/** Ids in stored executions. */
	stored: Set<string>;
	/** Whether the stored cursor counts an entry as emitted. */
	remembers(id: string): boolean;
}

interface CursorCode {
	entryKey(entry: { id: string }): string;
	decodeState(value: unknown): { seen: { get(key: string): number | undefined } } | undefined;
}

/** The package holds this code too, but in one module that gives out the node types only. */
function cursorCode(): CursorCode {
	const load = (name: string): object =>
		requireTs(join(projectDir, 'nodes/MuralEnterpriseTrigger', name), import.meta.url);
	return { ...load('seen.ts'), ...load('state.ts') } as CursorCode;
}

/** The executions and the cursor of one workflow in n8n's SQLite file. */
export class Ledger {
	readonly #file: string;
	readonly #workflowId: string;
	readonly #cursor = cursorCode();
	/** By execution; what a trigger emitted does not change. */
	readonly #ids = new Map<number, string[]>();

	constructor(userFolder: string, workflowId: string) {
		this.#file = join(userFolder, '.n8n', 'database.sqlite');
		this.#workflowId = workflowId;
	}

	snapshot(): Snapshot {
		const database = new DatabaseSync(this.#file, { timeout: 10_000 });
		try {
			this.#readExecutions(database);
			const state = this.#cursor.decodeState(this.#readCursor(database));
			return {
				stored: new Set([...this.#ids.values()].flat()),
				remembers: (id) => state?.seen.get(this.#cursor.entryKey({ id })) !== undefined,
			};
		} finally {
			database.close();
		}
	}

	#readExecutions(database: DatabaseSync): void {
		const newest = Math.max(0, ...this.#ids.keys());
		const rows = database
			.prepare(
				`SELECT e.id, d.data FROM execution_entity e JOIN execution_data d ON d.executionId = e.id
				WHERE e.workflowId = ? AND e.id > ?`,
			)
			.all(this.#workflowId, newest) as Array<{ id: number; data: string }>;
		for (const { id, data } of rows) this.#ids.set(id, emittedIds(data));
	}

	#readCursor(database: DatabaseSync): unknown {
		const [row] = database
			.prepare('SELECT staticData FROM workflow_entity WHERE id = ?')
			.all(this.#workflowId) as Array<{ staticData: string | null }>;
		const all = JSON.parse(row.staticData ?? '{}') as Record<string, { cursor?: unknown }>;
		return all[`node:${TRIGGER}`]?.cursor;
	}
}

interface Item {
	json: { id?: unknown };
}

interface StoredRun {
	resultData?: { runData?: Record<string, Array<{ data?: { main?: Array<Item[] | null> } }>> };
	executionData?: {
		nodeExecutionStack?: Array<{ node: { name: string }; data: { main: Array<Item[] | null> } }>;
	} | null;
}

/**
 * The ids that the trigger emitted in an execution, from its data as n8n stores it. One that never got past the
 * trigger still has them as its start.
 */
function emittedIds(data: string): string[] {
	// Repeated values are flattened; n8n's own copy of the library reads them back.
	const { parse } = createRequire(join(hostDir, 'package.json'))('flatted') as {
		parse(text: string): StoredRun | undefined;
	};
	const { resultData, executionData } = parse(data) ?? {};
	const [waiting] = (executionData?.nodeExecutionStack ?? []).filter(
		({ node }) => node.name === TRIGGER,
	);
	const ran = resultData?.runData?.[TRIGGER]?.[0]?.data;
	const items = [...((waiting?.data ?? ran)?.main?.[0] ?? [])];
	return items.map(({ json }) => json.id).filter((id) => typeof id === 'string');
}

/** Every execution of the workflow, as n8n's own interface gives them, with the ids that the trigger emitted. */
export async function readExecutions(api: N8nApi, workflowId: string) {
	const found: Array<{ id: string; status: ExecutionStatus; ids: string[] }> = [];
	for (const { id, status } of await api.allExecutions(workflowId)) {
		const { data } = await api.request<{ data: string }>('GET', `/rest/executions/${id}`);
		found.push({ id, status, ids: emittedIds(data) });
	}
	return found;
}
