import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
	IPairedItemData,
	NodeParameterValue,
} from 'n8n-workflow';
import { NodeOperationError, updateDisplayOptions } from 'n8n-workflow';

import type { Client } from '../../shared/client';

/** One input item and where its parameters are read. */
export interface InputContext {
	host: IExecuteFunctions;
	itemIndex: number;
}

/** What one operation gets for one input item. */
export interface OperationContext extends InputContext {
	client: Client;
	/** One object for all output items of this input item, however many there are. */
	pairedItem: IPairedItemData;
}

/** An output item that points back to the input item it comes from. */
export function toItem({ pairedItem }: OperationContext, json: IDataObject): INodeExecutionData {
	return { json, pairedItem };
}

/** What an item changes. `by` tells apart the ways to name the same thing. */
export interface LockKey {
	by: 'email' | 'id' | 'name';
	value: string;
	/** Items that share a key may run side by side; one that holds it alone waits for them, and they for it. */
	isShared?: boolean;
}

/** One operation: what the editor shows and what it does. */
export interface Operation {
	/** The entry in the Operation list. */
	option: INodePropertyOptions & { value: string; action: string };
	/** Its parameters, without `displayOptions` for resource and operation. */
	properties: INodeProperties[];
	/** The output items of one input item, made by `toItem`. Order and error handling are the router's. */
	execute(context: OperationContext): Promise<INodeExecutionData[]>;
	/** Items of the same key never run at the same time and keep their order. Absent: any order is fine. */
	lockKey?(context: OperationContext): LockKey | LockKey[] | Promise<LockKey[]>;
}

export interface Resource {
	/** Display name. */
	label: string;
	key: string;
	operations: Operation[];
	/** Value of the operation that a new node starts with. */
	defaultOperation: string;
}

const OPERATION: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	default: '',
};

/** The Operation list of a resource and the parameters of all its operations. */
export function resourceProperties(resource: Resource): INodeProperties[] {
	const show = { resource: [resource.key] };
	return [
		{
			...OPERATION,
			displayOptions: { show },
			options: resource.operations.map(({ option }) => option),
			default: resource.defaultOperation,
		},
		...resource.operations.flatMap(({ option, properties }) =>
			updateDisplayOptions({ show: { ...show, operation: [option.value] } }, properties),
		),
	];
}

/** An error that names the parameter and what to put there, before anything is sent. */
export function badInput(
	{ host, itemIndex }: InputContext,
	message: string,
	description: string,
): NodeOperationError {
	const error = new NodeOperationError(host.getNode(), message, { description, itemIndex });
	// n8n replaces texts in which it recognises a code such as EPERM, which a value in the message may hold.
	error.message = message;
	return error;
}

/** A parameter as it is; undefined when it was not set. */
export function parameter<T = NodeParameterValue>(
	{ host, itemIndex }: InputContext,
	name: string,
): T | undefined {
	const value = host.getNodeParameter(name, itemIndex, undefined);
	return (value ?? undefined) as T | undefined;
}

/** A collection (Options, Filters …), or an empty one. */
export function collection(context: InputContext, name: string): IDataObject {
	return parameter<IDataObject>(context, name) ?? {};
}

/** A text that has to be there, trimmed. */
export function requiredText(context: InputContext, name: string, label: string): string {
	return textOf(context, parameter(context, name), label);
}

/** A text of a collection: absent stays absent, blank is refused since it can only be a mistake. */
export function optionalText(
	context: InputContext,
	fields: IDataObject,
	name: string,
	label: string,
): string | undefined {
	const value = fields[name];
	return value === undefined || value === null ? undefined : textOf(context, value, label);
}

/**
 * A text of a filter collection: absent stays absent. One whose expression found nothing is refused like a blank one,
 * since without the filter everything would come.
 */
export function filterText(
	context: InputContext,
	filters: IDataObject,
	name: string,
	label: string,
): string | undefined {
	return Object.hasOwn(filters, name) ? textOf(context, filters[name] ?? '', label) : undefined;
}

function textOf(context: InputContext, value: unknown, label: string): string {
	if (typeof value !== 'string' && typeof value !== 'number') {
		throw badInput(
			context,
			value === undefined ? `'${label}' is missing` : `'${label}' is not a text`,
			`Enter a text in '${label}', or an expression that gives one.`,
		);
	}
	const text = String(value).trim();
	if (text === '') {
		throw badInput(
			context,
			`'${label}' is empty`,
			`Enter a value in '${label}'. An expression there may have found nothing in this item.`,
		);
	}
	return text;
}

/** A text that may be emptied on purpose, so that '' is a value; absent stays absent. */
export function plainText(
	context: InputContext,
	value: unknown,
	label: string,
): string | undefined {
	if (value === undefined || value === null) return undefined;
	if (typeof value === 'string' || typeof value === 'number') return String(value);
	throw badInput(context, `'${label}' is not a text`, `Enter a text in '${label}'.`);
}

/** An e-mail address; only its rough form is checked, the service decides the rest. */
export function checkEmail(context: InputContext, value: string, label: string): string {
	if (!/^[^\s@]+@[^\s@]+$/.test(value)) {
		throw badInput(
			context,
			`'${label}' is not an e-mail address: '${value}'`,
			`Enter an address such as ann@example.com in '${label}'.`,
		);
	}
	return value;
}

/** A whole number within bounds. */
export function wholeNumber(
	context: InputContext,
	value: unknown,
	label: string,
	{ min, max = Number.MAX_SAFE_INTEGER }: { min: number; max?: number },
): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number !== 'number' || !Number.isInteger(number) || number < min || number > max) {
		const range = max === Number.MAX_SAFE_INTEGER ? `of ${min} or more` : `from ${min} to ${max}`;
		throw badInput(
			context,
			`'${label}' is not a whole number ${range}`,
			`Enter a whole number ${range} in '${label}'.`,
		);
	}
	return number;
}

/** `true`/`false`, also as text, which expressions and spreadsheets give. */
export function toggle(context: InputContext, value: unknown, label: string): boolean {
	if (typeof value === 'boolean') return value;
	const text = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (text === 'true') return true;
	if (text === 'false') return false;
	throw badInput(
		context,
		`'${label}' is neither true nor false`,
		`Switch '${label}' on or off, or use an expression that gives true or false.`,
	);
}

const DEFAULT_CONCURRENCY = 10;

/** How much to do at the same time: input items, and pages of a list. */
export function readConcurrency(context: InputContext): number {
	const { concurrency = DEFAULT_CONCURRENCY } = collection(context, 'options');
	return wholeNumber(context, concurrency, 'Concurrency', { min: 1, max: 50 });
}

/** The entries at most that Return All and Limit ask for. */
export function outputLimit(context: InputContext): number {
	if (toggle(context, parameter(context, 'returnAll') ?? false, 'Return All')) {
		return Number.POSITIVE_INFINITY;
	}
	return wholeNumber(context, parameter(context, 'limit'), 'Limit', { min: 1 });
}

/** A list, or a text with commas, as trimmed names; none when it was not set. */
export function nameList(context: InputContext, value: unknown, label: string): string[] {
	const list = typeof value === 'string' ? value.split(',') : (value ?? []);
	const isName = (entry: unknown) => typeof entry === 'string' || typeof entry === 'number';
	if (!Array.isArray(list) || !list.every(isName)) {
		throw badInput(
			context,
			`'${label}' is not a list of names`,
			`Enter names in '${label}', separated by commas, or use an expression that gives a list of them.`,
		);
	}
	return list.map((entry) => String(entry).trim()).filter((entry) => entry !== '');
}

/** One of the values that a drop-down offers. */
export function choice<T extends string>(
	context: InputContext,
	value: unknown,
	label: string,
	values: readonly T[],
): T {
	const found = values.find((one) => one === value);
	if (found !== undefined) return found;
	throw badInput(
		context,
		`'${label}' is not one of: ${values.join(', ')}`,
		`Choose one in '${label}', or use an expression that gives one of these.`,
	);
}
