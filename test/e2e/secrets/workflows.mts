import type { Workflow, WorkflowNode } from '../n8nApi.mts';
import { everySeconds } from '../pollTimes.mts';
import type { CredentialRef } from '../workflows.mts';

/** Workflows that fail, and one that shows that a secret would be found. */

export const MANUAL = 'By hand';
export const STOPPING = 'Stops the run';
/** Seconds; a service that does not answer is waited for five times. */
const TIMEOUT = 1;

type Main = Array<Array<{ node: string; type: 'main'; index: number }>>;
const to = (...nodes: string[]): Main => nodes.map((node) => [{ node, type: 'main', index: 0 }]);

function node(name: string, type: string, rest: Partial<WorkflowNode> = {}): WorkflowNode {
	return { id: name, name, type, typeVersion: 1, position: [0, 0], parameters: {}, ...rest };
}

const starts = (path: string): WorkflowNode[] => [
	node(MANUAL, 'n8n-nodes-base.manualTrigger'),
	node('Webhook', 'n8n-nodes-base.webhook', {
		typeVersion: 2,
		webhookId: path,
		parameters: { path, responseMode: 'lastNode', options: {} },
	}),
];

const SAVE_ALL = {
	executionOrder: 'v1',
	saveManualExecutions: true,
	saveExecutionProgress: true,
	saveDataErrorExecution: 'all',
	saveDataSuccessExecution: 'all',
};

/** By hand or by its webhook: fails in a node that goes on, in one with an error output, and in one that stops. */
export function failingWorkflow(
	name: string,
	credential: CredentialRef,
	errorWorkflow: string,
): Workflow {
	const mural = (title: string, operation: string, onError: string) =>
		node(title, 'n8n-nodes-mural-enterprise.muralEnterprise', {
			onError,
			parameters: {
				resource: 'user',
				operation,
				userId: { __rl: true, mode: 'id', value: name },
				options: { timeout: TIMEOUT },
			},
			credentials: { [credential.type]: { id: credential.id, name: credential.name } },
		});
	const [on, apart] = ['Goes on', 'Puts errors apart'];
	return {
		name: `Fails: ${name}`,
		nodes: [
			...starts(name),
			mural(on, 'suspend', 'continueRegularOutput'),
			mural(apart, 'unsuspend', 'continueErrorOutput'),
			mural(STOPPING, 'get', 'stopWorkflow'),
		],
		connections: {
			[MANUAL]: { main: to(on) },
			Webhook: { main: to(on) },
			[on]: { main: to(apart) },
			[apart]: { main: to(STOPPING, STOPPING) },
		},
		settings: { ...SAVE_ALL, errorWorkflow },
	};
}

/** The same credential in n8n's own node. */
export function httpWorkflow(
	name: string,
	url: string,
	{ id, name: credential, type }: CredentialRef,
	errorWorkflowId: string,
): Workflow {
	return {
		name: `HTTP Request fails: ${name}`,
		nodes: [
			...starts(name),
			node(STOPPING, 'n8n-nodes-base.httpRequest', {
				typeVersion: 4.2,
				parameters: {
					url,
					authentication: 'predefinedCredentialType',
					nodeCredentialType: type,
					options: {},
				},
				credentials: { [type]: { id, name: credential } },
			}),
		],
		connections: { [MANUAL]: { main: to(STOPPING) }, Webhook: { main: to(STOPPING) } },
		settings: { ...SAVE_ALL, errorWorkflow: errorWorkflowId },
	};
}

/** Started by n8n with the error of another workflow. */
export function errorWorkflow(): Workflow {
	return {
		name: 'Gets errors',
		nodes: [node('Error', 'n8n-nodes-base.errorTrigger'), node('End', 'n8n-nodes-base.noOp')],
		connections: { Error: { main: to('End') } },
		settings: SAVE_ALL,
	};
}

export function pollingWorkflow(
	name: string,
	credential: CredentialRef,
	errorWorkflowId: string,
): Workflow {
	return {
		name,
		nodes: [
			node('New entries', 'n8n-nodes-mural-enterprise.muralEnterpriseTrigger', {
				parameters: { pollTimes: everySeconds(3), options: { timeout: TIMEOUT } },
				credentials: { [credential.type]: { id: credential.id, name: credential.name } },
			}),
			node('End', 'n8n-nodes-base.noOp'),
		],
		connections: { 'New entries': { main: to('End') } },
		settings: { ...SAVE_ALL, errorWorkflow: errorWorkflowId },
	};
}

/** Hands a text to everything that n8n stores: parameters, items, a file, an error. */
export function tellingWorkflow(text: string, errorWorkflowId: string): Workflow {
	const [set, file, stop] = ['Text', 'File', STOPPING];
	const tell = (name: string) =>
		node(name, 'n8n-nodes-base.set', {
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput: JSON.stringify({ text }), options: {} },
		});
	return {
		name: `Tells ${text}`,
		nodes: [
			...starts('telling'),
			tell(set),
			tell('Answer'),
			node(file, 'n8n-nodes-base.convertToFile', {
				typeVersion: 1.1,
				parameters: { operation: 'toText', sourceProperty: 'text', options: {} },
			}),
			node(stop, 'n8n-nodes-base.stopAndError', { parameters: { errorMessage: text } }),
		],
		connections: {
			[MANUAL]: { main: to(set) },
			Webhook: { main: to('Answer') },
			[set]: { main: to(file) },
			[file]: { main: to(stop) },
		},
		settings: { ...SAVE_ALL, errorWorkflow: errorWorkflowId },
	};
}
