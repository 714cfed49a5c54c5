import { CredentialTestContext, ExecuteContext, LoadOptionsContext } from 'n8n-core';
import type { IDataObject, IExecuteData, INode } from 'n8n-workflow';
import { createRunExecutionData, Workflow } from 'n8n-workflow';

import type { Credential } from './engine.mts';
import { additionalData, NODE_NAME, NODE_TYPE, nodeTypes } from './engine.mts';

/** n8n's own contexts, for code that is tested below a whole run: the client, list searches, the credential test. */

function workflowOf(timezone = 'UTC'): Workflow {
	const node: INode = {
		id: '1',
		name: NODE_NAME,
		type: NODE_TYPE,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		credentials: { muralEnterpriseApi: { id: '1', name: 'Sandbox' } },
	};
	return new Workflow({
		id: 'test',
		name: 'test',
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: nodeTypes(),
		settings: { timezone },
	});
}

/** What an operation runs in. @param signal the execution's cancel signal */
export function executeContext(credential: Credential, signal?: AbortSignal): ExecuteContext {
	const workflow = workflowOf();
	const node = workflow.getNode(NODE_NAME) as INode;
	const items = [{ json: {} as IDataObject }];
	const data: IExecuteData = { node, data: { main: [items] }, source: null };
	return new ExecuteContext(
		workflow,
		node,
		additionalData(credential),
		'manual',
		createRunExecutionData(),
		0,
		items,
		data.data,
		data,
		[],
		signal,
	);
}

/** What a list behind a locator runs in. */
export function loadOptionsContext(credential: Credential): LoadOptionsContext {
	const workflow = workflowOf();
	const node = workflow.getNode(NODE_NAME) as INode;
	return new LoadOptionsContext(workflow, node, additionalData(credential), '');
}

/** What the "Test" of a credential runs in. */
export function credentialTestContext(credential: Credential): CredentialTestContext {
	return new CredentialTestContext(additionalData(credential));
}
