import { ExecutionLifecycleHooks, PollContext, WorkflowExecute } from 'n8n-core';
import type {
	ICredentialType,
	IDataObject,
	IExecuteData,
	INode,
	INodeCredentials,
	INodeCredentialsDetails,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	INodeTypes,
	IRun,
	ITaskData,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { createRunExecutionData, Workflow } from 'n8n-workflow';

import { MuralEnterpriseApi } from '../../credentials/MuralEnterpriseApi.credentials.ts';
import { MuralEnterprise } from '../../nodes/MuralEnterprise/MuralEnterprise.node.ts';
import { keepBinaryDataInMemory } from './binaryData.mts';

/** Runs the nodes in n8n's own engine, in this process: real expressions, real pairing, real HTTP. */

export const NODE_TYPE = 'n8n-nodes-mural-enterprise.muralEnterprise';
export const TRIGGER_TYPE = 'n8n-nodes-mural-enterprise.muralEnterpriseTrigger';
export const NODE_NAME = 'Mural Enterprise';
const SOURCE_TYPE = 'test.source';

export interface Credential {
	apiKey: string;
	baseUrl: string;
}

export interface RunOptions {
	parameters: INodeParameters;
	credential: Credential;
	/** Input items; one empty item when absent. */
	items?: IDataObject[];
	/** The node's On Error setting. */
	onError?: INode['onError'];
	mode?: WorkflowExecuteMode;
	timezone?: string;
	/** Called with a function that cancels the execution. */
	onStart?(cancel: () => void): void;
}

export interface RunResult {
	/** Items of the node's first output; undefined when the execution failed. */
	items?: INodeExecutionData[];
	/** Items of the error output (On Error: continueErrorOutput). */
	errorItems?: INodeExecutionData[];
	error?: ITaskData['error'];
	run: IRun;
}

keepBinaryDataInMemory();

const registered = new Map<string, INodeType>([[NODE_TYPE, new MuralEnterprise()]]);

/** Makes a further node type known, e.g. the trigger. */
export function registerNode(type: string, node: INodeType): void {
	registered.set(type, node);
}

function sourceNode(items: IDataObject[]): INodeType {
	return {
		description: {
			displayName: 'Source',
			name: 'source',
			group: ['input'],
			version: 1,
			description: 'Emits the items of the test',
			defaults: { name: 'Source' },
			inputs: [],
			outputs: ['main'],
			properties: [],
		},
		execute: async () => [items.map((json, item) => ({ json, pairedItem: { item } }))],
	};
}

export function nodeTypes(items: IDataObject[] = [{}]): INodeTypes {
	const source = sourceNode(items);
	const byName = (type: string) => {
		const found = type === SOURCE_TYPE ? source : registered.get(type);
		if (!found) throw new Error(`Unknown node type ${type}`);
		return found;
	};
	return { getByName: byName, getByNameAndVersion: byName, getKnownTypes: () => ({}) };
}

export function additionalData(credential: Credential): IWorkflowExecuteAdditionalData {
	const type: ICredentialType = new MuralEnterpriseApi();
	const credentialsHelper = {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		getDecrypted: async () => ({ ...credential }),
		getCredentials: async () => ({}),
		getCredentialsProperties: () => type.properties,
		preAuthentication: async () => undefined,
		runPreAuthentication: async () => undefined,
		updateCredentials: async () => undefined,
		updateCredentialsOauthTokenData: async () => undefined,
		authenticate: async (data: never, _name: string, options: never) =>
			await (type.authenticate as (...all: unknown[]) => Promise<unknown>)(data, options),
	};
	return {
		credentialsHelper,
		currentNodeExecutionIndex: 0,
		executionId: 'test',
		restApiUrl: 'http://127.0.0.1/',
		instanceBaseUrl: 'http://127.0.0.1/',
		webhookBaseUrl: 'http://127.0.0.1/',
		webhookWaitingBaseUrl: 'http://127.0.0.1/',
		webhookTestBaseUrl: 'http://127.0.0.1/',
		formBaseUrl: 'http://127.0.0.1/',
		formWaitingBaseUrl: 'http://127.0.0.1/',
		formTestBaseUrl: 'http://127.0.0.1/',
		mcpBaseUrl: 'http://127.0.0.1/',
		mcpTestBaseUrl: 'http://127.0.0.1/',
		variables: {},
		logAiEvent: () => undefined,
		getRuntimeCredential: async () => undefined,
		getRunExecutionData: async () => undefined,
		executeWorkflow: async () => {
			throw new Error('no sub-workflows in tests');
		},
		startRunnerTask: async () => {
			throw new Error('no task runners in tests');
		},
	} as unknown as IWorkflowExecuteAdditionalData;
}

function node(
	name: string,
	type: string,
	parameters: INodeParameters,
	onError?: INode['onError'],
): INode {
	const credential: INodeCredentialsDetails = { id: '1', name: 'Sandbox' };
	const credentials: INodeCredentials =
		type === SOURCE_TYPE ? {} : { muralEnterpriseApi: credential };
	return {
		id: name,
		name,
		type,
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials,
		...(onError === undefined ? {} : { onError }),
	};
}

/** n8n 1.x leaves the details of an item in the error output to its `error`, and the message to its JSON. */
function withDetails(item: INodeExecutionData): INodeExecutionData {
	if (!item.error) return item;
	const { description, context } = item.error;
	const details = { description, ...(context.data as IDataObject) };
	return { ...item, json: { ...item.json, details } };
}

/** Runs Source → Mural Enterprise and returns what the node gave. */
export async function runNode(options: RunOptions): Promise<RunResult> {
	const { parameters, credential, items = [{}], mode = 'manual' } = options;
	const workflow = new Workflow({
		id: 'test',
		name: 'test',
		nodes: [
			node('Source', SOURCE_TYPE, {}),
			node(NODE_NAME, NODE_TYPE, parameters, options.onError),
		],
		connections: { Source: { main: [[{ node: NODE_NAME, type: 'main', index: 0 }]] } },
		active: false,
		nodeTypes: nodeTypes(items),
		settings: { timezone: options.timezone ?? 'UTC' },
	});
	const data = additionalData(credential);
	data.hooks = new ExecutionLifecycleHooks(mode, 'test', { id: 'test' } as never);
	const source: IExecuteData = {
		node: workflow.getNode('Source') as INode,
		data: { main: [[{ json: {} }]] },
		source: null,
	};
	const state = createRunExecutionData({ executionData: { nodeExecutionStack: [source] } });
	const execution = new WorkflowExecute(data, mode, state).processRunExecutionData(workflow);
	options.onStart?.(() => execution.cancel());
	const run = await execution;
	const result = run.data.resultData.runData[NODE_NAME]?.[0];
	return {
		run,
		items: result?.data?.main?.[0] ?? undefined,
		errorItems: result?.data?.main?.[1]?.map(withDetails),
		error: result?.error ?? run.data.resultData.error,
	};
}

/** As runNode, for runs that must succeed: the JSON of the items. */
export async function runForJson(options: RunOptions): Promise<IDataObject[]> {
	const { items, error } = await runNode(options);
	if (error) throw error;
	return (items ?? []).map(({ json }) => json);
}

/** A real PollContext for the trigger, on a workflow whose static data the caller keeps. */
export function pollContext(
	parameters: INodeParameters,
	credential: Credential,
	staticData: IDataObject,
	{ mode = 'trigger' as WorkflowExecuteMode, timezone = 'UTC' } = {},
): PollContext {
	const workflow = new Workflow({
		id: 'test',
		name: 'test',
		nodes: [node('Trigger', TRIGGER_TYPE, parameters)],
		connections: {},
		active: true,
		nodeTypes: nodeTypes(),
		staticData: staticData as never,
		settings: { timezone },
	});
	const trigger = workflow.getNode('Trigger') as INode;
	return new PollContext(workflow, trigger, additionalData(credential), mode, 'init');
}
