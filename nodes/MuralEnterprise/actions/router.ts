import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import pLimit from 'p-limit';

import { Client } from '../../shared/client';
import { resources } from './index';
import type { InputContext, LockKey, Operation, OperationContext } from './operation';
import { badInput, collection, readConcurrency, wholeNumber } from './operation';
import { Turns } from './turns';

/** Seconds; an hour is more than any answer takes. */
const TIMEOUT_BOUNDS = { min: 1, max: 3600 };
const DEFAULT_TIMEOUT_S = 30;

/**
 * The only loop over input items. Runs items side by side, and gives exactly what one after the other would give:
 * the order, the pairing, the error of the first item that fails, and under Continue On Fail one error item each.
 * Items already under way when one fails or the execution is cancelled end by themselves; no further one starts.
 */
export async function route(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const inputs = this.getInputData();
	if (inputs.length === 0) return [[]];
	const limit = pLimit(poolSize(this));
	const turns = new Turns();
	const clients = new Map<number, Promise<Client>>();
	const signal = this.getExecutionCancelSignal?.();
	const outputs: INodeExecutionData[][] = new Array(inputs.length);
	let failedAt = Number.POSITIVE_INFINITY;
	let failure: unknown;
	// What comes after a failed item is not started, as in a loop.
	const isOver = (itemIndex: number) => itemIndex > failedAt || signal?.aborted === true;

	const runItem = async (itemIndex: number): Promise<void> => {
		if (isOver(itemIndex)) return;
		try {
			const input = { host: this, itemIndex };
			const operation = findOperation(input);
			readConcurrency(input);
			const seconds = readTimeout(input);
			if (!clients.has(seconds)) clients.set(seconds, Client.create(this, seconds * 1000));
			const context = (clients.get(seconds) as Promise<Client>).then((client) => ({
				...input,
				client,
				pairedItem: { item: itemIndex },
			}));
			outputs[itemIndex] = await turns.take(lockKeys(operation, context), async () =>
				isOver(itemIndex) ? [] : await operation.execute(await context),
			);
		} catch (error) {
			signal?.throwIfAborted();
			if (this.continueOnFail()) {
				outputs[itemIndex] = [errorItem(this, error, itemIndex)];
			} else if (itemIndex < failedAt) {
				failedAt = itemIndex;
				failure = error;
			}
		}
	};

	await Promise.all(inputs.map(async (_, itemIndex) => await limit(runItem, itemIndex)));
	signal?.throwIfAborted();
	if (failedAt !== Number.POSITIVE_INFINITY) throw nodeError(this, failure, failedAt);
	return [outputs.length === 1 ? outputs[0] : outputs.flat()];
}

async function lockKeys(
	operation: Operation,
	context: Promise<OperationContext>,
): Promise<LockKey[]> {
	return [(await operation.lockKey?.(await context)) ?? []].flat();
}

/** Items worked on at the same time, by the first item's options; a bad value is told by every item itself. */
function poolSize(host: IExecuteFunctions): number {
	try {
		return readConcurrency({ host, itemIndex: 0 });
	} catch {
		return 1;
	}
}

function readTimeout(input: InputContext): number {
	const { timeout = DEFAULT_TIMEOUT_S } = collection(input, 'options');
	return wholeNumber(input, timeout, 'Timeout', TIMEOUT_BOUNDS);
}

function findOperation({ host, itemIndex }: InputContext): Operation {
	const resourceName = host.getNodeParameter('resource', itemIndex, '') as string;
	const operationName = host.getNodeParameter('operation', itemIndex, '') as string;
	const operation = resources
		.find(({ key }) => key === resourceName)
		?.operations.find(({ option }) => option.value === operationName);
	if (!operation) {
		throw badInput(
			{ host, itemIndex },
			`The operation '${operationName}' does not exist for '${resourceName}'`,
			"Choose another one in 'Resource' and 'Operation'.",
		);
	}
	return operation;
}

function nodeError(host: IExecuteFunctions, error: unknown, itemIndex: number) {
	const isNodeError = error instanceof NodeApiError || error instanceof NodeOperationError;
	const result = isNodeError
		? error
		: new NodeOperationError(host.getNode(), error as Error, { itemIndex });
	result.context.itemIndex = itemIndex;
	return result;
}

/**
 * n8n 1.x, which came before an error's `failure`, sends an item to the error output only for its `error`, and then
 * cuts its JSON to the message. Later ones know it by its JSON.
 */
const isSortedByError = (node: INode) =>
	node.onError === 'continueErrorOutput' &&
	new NodeApiError(node, {}, { failure: { cause: 'node-defect' } }).failure === undefined;

/**
 * The output of a failed item under Continue On Fail: what a person needs to act, and what a workflow can test. These
 * are the two keys by which n8n knows an error item.
 */
function errorItem(host: IExecuteFunctions, error: unknown, item: number): INodeExecutionData {
	const failed = nodeError(host, error, item);
	const { message, description, context } = failed;
	const details: IDataObject = {
		...(description ? { description } : {}),
		...(context.data as object),
	};
	return {
		json: { error: message, details },
		...(isSortedByError(host.getNode()) ? { error: failed } : {}),
		pairedItem: { item },
	};
}
