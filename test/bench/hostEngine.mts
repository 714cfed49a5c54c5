import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Core from 'n8n-core';
import type * as WorkflowPackage from 'n8n-workflow';
import type {
	IDataObject,
	IExecuteData,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	INodeTypes,
	IVersionedNodeType,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { hostDir } from '../e2e/paths.mts';

/**
 * n8n's own engine in this process, from the pinned n8n in `.run/host`, which n8n's nodes share with it. The environment
 * (N8N_USER_FOLDER) says where it keeps files.
 */

export interface Step {
	name: string;
	/** Module and export of the node type. */
	module: string;
	className: string;
	/** What workflows call it. */
	type: string;
	/** Default 1. */
	version?: number;
	parameters: INodeParameters;
}

export interface Credential {
	apiKey: string;
	baseUrl: string;
}

type CredentialClass = new () => {
	properties: unknown[];
	authenticate: (...all: unknown[]) => Promise<unknown>;
};

const host = createRequire(join(hostDir, 'package.json'));

/** A module of n8n, or one given by its path, as n8n itself loads it. */
export const load = <T,>(module: string) => host(module) as T;

/** The engine and everything the steps need, loaded. */
export async function loadEngine(steps: Step[], packageFolder: string, credential: Credential) {
	const core = load<typeof Core>('n8n-core');
	const workflowPackage = load<typeof WorkflowPackage>('n8n-workflow');
	const { Container } = createRequire(host.resolve('n8n-core'))('@n8n/di') as {
		Container: { get<T>(type: unknown): T };
	};
	await Container.get<Core.BinaryDataService>(core.BinaryDataService).init();

	const types = new Map<string, INodeType>([['start', startNode()]]);
	for (const { type, module, className, version } of steps) {
		type NodeClasses = Record<string, new () => INodeType | IVersionedNodeType>;
		const node = new (load<NodeClasses>(module)[className])();
		types.set(type, 'nodeVersions' in node ? node.getNodeType(version) : node);
	}
	const byName = (type: string) => types.get(type) as INodeType;
	const nodeTypes: INodeTypes = {
		getByName: byName,
		getByNameAndVersion: byName,
		getKnownTypes: () => ({}),
	};
	const credentialModule = join(
		packageFolder,
		'dist/credentials/MuralEnterpriseApi.credentials.js',
	);
	type Credentials = Record<'MuralEnterpriseApi', CredentialClass>;
	const { MuralEnterpriseApi } = load<Credentials>(credentialModule);
	const data = additionalData(new MuralEnterpriseApi(), credential);
	return { core, workflowPackage, nodeTypes, data, steps };
}

export type Engine = Awaited<ReturnType<typeof loadEngine>>;

/** Runs the steps one after the other; `adapt` may change their parameters. The output items of the last one. */
export async function runSteps(
	{ core, workflowPackage, nodeTypes, data, steps }: Engine,
	adapt: (parameters: INodeParameters) => INodeParameters = (same) => same,
): Promise<INodeExecutionData[]> {
	const { Workflow, createRunExecutionData } = workflowPackage;
	const nodes = [
		node({ name: 'start', type: 'start', parameters: {} }),
		...steps.map((step) => node({ ...step, parameters: adapt(step.parameters) })),
	];
	const links = nodes
		.slice(0, -1)
		.map(({ name }, index) => [
			name,
			{ main: [[{ node: nodes[index + 1].name, type: 'main' as const, index: 0 }]] },
		]);
	const workflow = new Workflow({
		id: 'bench',
		name: 'bench',
		nodes,
		connections: Object.fromEntries(links),
		active: false,
		nodeTypes,
		settings: {},
	});
	data.hooks = new core.ExecutionLifecycleHooks('trigger', 'bench', { id: 'bench' } as never);
	const first: IExecuteData = {
		node: workflow.getNode('start') as INode,
		data: { main: [[{ json: {} }]] },
		source: null,
	};
	const state = createRunExecutionData({ executionData: { nodeExecutionStack: [first] } });
	const run = await new core.WorkflowExecute(data, 'trigger', state).processRunExecutionData(
		workflow,
	);
	const { error, runData } = run.data.resultData;
	if (error) throw new Error(`${error.message}\n${error.description ?? ''}`);
	const last = nodes.at(-1) as INode;
	return runData[last.name][0].data?.main[0] ?? [];
}

export function node({
	name,
	type,
	version = 1,
	parameters,
}: Pick<Step, 'name' | 'type' | 'version' | 'parameters'>): INode {
	return {
		id: name,
		name,
		type,
		typeVersion: version,
		position: [0, 0],
		parameters,
		credentials: { muralEnterpriseApi: { id: '1', name: 'Sandbox' } },
	};
}

function startNode(): INodeType {
	return {
		description: {
			displayName: 'Start',
			name: 'start',
			group: ['trigger'],
			version: 1,
			description: 'One empty item',
			defaults: { name: 'Start' },
			inputs: [],
			outputs: ['main'],
			properties: [],
		},
		execute: async () => [[{ json: {} as IDataObject }]],
	};
}

/** What n8n gives an execution, as far as these nodes use it. */
export function additionalData(
	type: InstanceType<CredentialClass>,
	credential: Credential,
): IWorkflowExecuteAdditionalData {
	const urls = [
		'restApiUrl',
		'instanceBaseUrl',
		'webhookBaseUrl',
		'webhookWaitingBaseUrl',
		'webhookTestBaseUrl',
		'formBaseUrl',
		'formWaitingBaseUrl',
		'formTestBaseUrl',
		'mcpBaseUrl',
		'mcpTestBaseUrl',
	];
	return {
		credentialsHelper: {
			getParentTypes: () => [],
			isCredentialUsableByNode: () => true,
			getDecrypted: async () => ({ ...credential }),
			getCredentials: async () => ({}),
			getCredentialsProperties: () => type.properties,
			preAuthentication: async () => undefined,
			runPreAuthentication: async () => undefined,
			authenticate: async (data: unknown, _name: string, options: unknown) =>
				await type.authenticate(data, options),
		},
		currentNodeExecutionIndex: 0,
		executionId: 'bench',
		...Object.fromEntries(urls.map((name) => [name, 'http://127.0.0.1/'])),
		variables: {},
		logAiEvent: () => undefined,
		getRuntimeCredential: async () => undefined,
	} as unknown as IWorkflowExecuteAdditionalData;
}
