import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostDir } from './paths.mts';

export interface Owner {
	email: string;
	password: string;
}

export interface WorkflowNode {
	id: string;
	name: string;
	type: string;
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id?: string | null; name: string }>;
	[field: string]: unknown;
}

export interface Workflow {
	id?: string;
	name: string;
	nodes: WorkflowNode[];
	connections: object;
	settings?: object;
	meta?: object;
	pinData?: object;
}

export interface SavedWorkflow extends Workflow {
	id: string;
	versionId: string;
	active: boolean;
}

export type ExecutionStatus =
	| 'canceled'
	| 'crashed'
	| 'error'
	| 'new'
	| 'running'
	| 'success'
	| 'unknown'
	| 'waiting';

export interface ExecutionSummary {
	id: string;
	workflowId: string;
	mode: string;
	status: ExecutionStatus;
	startedAt: string;
	stoppedAt: string | null;
}

interface NodeRun {
	startTime: number;
	executionTime: number;
	data?: { main?: Array<Array<{ json: Record<string, unknown> }> | null> };
	error?: { message: string; description?: string };
}

export interface Execution extends ExecutionSummary {
	resultData: {
		runData: Record<string, NodeRun[]>;
		lastNodeExecuted?: string;
		error?: { message: string; description?: string; node?: { name: string } };
	};
}

/** n8n's own REST interface (the one the editor uses), as the signed-in owner. Answers are unwrapped from `data`. */
export class N8nApi {
	readonly baseUrl: string;
	#cookie = '';

	constructor(baseUrl: string) {
		this.baseUrl = baseUrl;
	}

	async request<T>(method: string, path: string, body?: unknown): Promise<T> {
		const text = await this.text(method, path, body);
		const answer = JSON.parse(text) as { data: T } | T;
		return answer !== null && typeof answer === 'object' && 'data' in answer
			? answer.data
			: (answer as T);
	}

	/** The answer as it is, for what is no JSON. */
	async text(method: string, path: string, body?: unknown): Promise<string> {
		const response = await fetch(`${this.baseUrl}${path}`, {
			method,
			headers: {
				cookie: this.#cookie,
				'content-type': 'application/json',
				// A node that keeps n8n busy for seconds makes it close idle connections that a next request is on.
				connection: 'close',
			},
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		for (const cookie of response.headers.getSetCookie()) {
			if (cookie.startsWith('n8n-auth=')) this.#cookie = cookie.split(';')[0];
		}
		const text = await response.text();
		if (!response.ok) {
			throw new Error(`n8n answered ${response.status} to ${method} ${path}: ${text}`);
		}
		return text;
	}

	/** Signs in; creates the owner first when the instance has none yet. */
	async signIn({ email, password }: Owner): Promise<void> {
		const { userManagement } = await this.request<{
			userManagement: { showSetupOnFirstLoad: boolean };
		}>('GET', '/rest/settings');
		if (userManagement.showSetupOnFirstLoad) {
			const owner = { email, password, firstName: 'Sandbox', lastName: 'Owner' };
			await this.request('POST', '/rest/owner/setup', owner);
		} else {
			await this.request('POST', '/rest/login', { emailOrLdapLoginId: email, password });
		}
	}

	/** Every node type the host has loaded, one entry for each version group. */
	async nodeTypes() {
		type NodeType = { name: string; displayName: string; version: number | number[] };
		return await this.request<NodeType[]>('GET', '/types/nodes.json');
	}

	async communityPackages() {
		type Package = { packageName: string; installedVersion: string; failedLoading?: boolean };
		return await this.request<Package[]>('GET', '/rest/community-packages');
	}

	async credentials() {
		type Credential = { id: string; name: string; type: string };
		return await this.request<Credential[]>('GET', '/rest/credentials');
	}

	/** Creates a credential, or updates the one of that type and name; returns its id. */
	async saveCredential(type: string, name: string, data: Record<string, unknown>) {
		const existing = (await this.credentials()).find((c) => c.type === type && c.name === name);
		const body = { type, name, data };
		const { id } = existing
			? await this.request<{ id: string }>('PATCH', `/rest/credentials/${existing.id}`, body)
			: await this.request<{ id: string }>('POST', '/rest/credentials', body);
		return id;
	}

	/** Runs the credential's own test, as the editor does on saving. */
	async testCredential(id: string, type: string, name: string) {
		const credentials = await this.request<{ data: object }>(
			'GET',
			`/rest/credentials/${id}?includeData=true`,
		);
		return await this.request<{ status: 'Error' | 'OK'; message: string }>(
			'POST',
			'/rest/credentials/test',
			{ credentials: { id, type, name, data: credentials.data } },
		);
	}

	async workflow(id: string): Promise<SavedWorkflow | undefined> {
		const { exists } = await this.request<{ exists: boolean }>(
			'GET',
			`/rest/workflows/${id}/exists`,
		);
		return exists ? await this.request('GET', `/rest/workflows/${id}`) : undefined;
	}

	async createWorkflow(workflow: Workflow): Promise<SavedWorkflow> {
		return await this.request('POST', '/rest/workflows', workflow);
	}

	async updateWorkflow(id: string, workflow: Workflow): Promise<SavedWorkflow> {
		return await this.request('PATCH', `/rest/workflows/${id}`, workflow);
	}

	/** Publishes the current version, which registers its triggers. Throws when a trigger refuses. */
	async activate(id: string): Promise<SavedWorkflow> {
		const { versionId } = (await this.workflow(id))!;
		return await this.request('POST', `/rest/workflows/${id}/activate`, { versionId });
	}

	async deactivate(id: string): Promise<SavedWorkflow> {
		return await this.request('POST', `/rest/workflows/${id}/deactivate`, {});
	}

	/** Starts a manual run from the given trigger, as the editor's button does; returns the execution's id. */
	async run(workflowId: string, triggerName: string): Promise<string> {
		const { executionId } = await this.request<{ executionId: string }>(
			'POST',
			`/rest/workflows/${workflowId}/run`,
			{ triggerToStartFrom: { name: triggerName } },
		);
		return executionId;
	}

	/** The newest executions, of one workflow or of all. */
	async executions(workflowId?: string, limit = 100): Promise<ExecutionSummary[]> {
		return (await this.#executionPage(workflowId, limit)).results;
	}

	/** All executions of a workflow, newest first. */
	async allExecutions(workflowId: string): Promise<ExecutionSummary[]> {
		const found: ExecutionSummary[] = [];
		for (let cursor: string | undefined; ; ) {
			const { results, nextCursor } = await this.#executionPage(workflowId, 100, cursor);
			found.push(...results);
			if (!nextCursor) return found;
			cursor = nextCursor;
		}
	}

	/** Runs an execution that did not end well again from the node it got to, as its Retry button does, to the end. */
	async retryExecution(id: string): Promise<void> {
		await this.request('POST', `/rest/executions/${id}/retry`, { loadWorkflow: false });
	}

	async #executionPage(workflowId: string | undefined, limit: number, cursor?: string) {
		const filter = JSON.stringify(workflowId ? { workflowId } : {});
		const query = new URLSearchParams({ limit: String(limit), filter, ...(cursor && { cursor }) });
		type Page = { results: ExecutionSummary[]; nextCursor?: string | null };
		return await this.request<Page>('GET', `/rest/executions?${query}`);
	}

	async execution(id: string): Promise<Execution> {
		const { data, ...summary } = await this.request<ExecutionSummary & { data: string }>(
			'GET',
			`/rest/executions/${id}`,
		);
		// n8n stores run data with repeated values flattened; its own copy of the library reads it back.
		const { parse } = createRequire(join(hostDir, 'package.json'))('flatted') as {
			parse: (text: string) => Partial<Pick<Execution, 'resultData'>> | undefined;
		};
		// An execution that has only been queued has no data yet.
		return { ...summary, resultData: parse(data)?.resultData ?? { runData: {} } };
	}

	/** Waits until an execution has ended, well or not. */
	async waitForExecution(id: string, timeoutMs = 60_000): Promise<Execution> {
		const deadline = Date.now() + timeoutMs;
		for (;;) {
			const execution = await this.execution(id);
			if (!['new', 'running', 'waiting', 'unknown'].includes(execution.status)) return execution;
			if (Date.now() > deadline) {
				throw new Error(`Execution ${id} is still ${execution.status} after ${timeoutMs} ms.`);
			}
			await sleep(100);
		}
	}
}

/** The items the last run of a node put out on its first output. */
export function itemsOf(execution: Execution, nodeName: string): Array<Record<string, unknown>> {
	const run = execution.resultData.runData[nodeName]?.at(-1);
	return (run?.data?.main?.[0] ?? []).map(({ json }) => json);
}
