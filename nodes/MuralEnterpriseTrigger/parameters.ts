import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { AuditLogEntry } from '../shared/auditLog';
import { MAX_PAGE_SIZE } from '../shared/auditLog';
import { LOG_HOURS } from './properties';

/** How the trigger's parameters are read. */

const HOUR_MS = 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;

/** The parameters as the node uses them. Durations in milliseconds. */
export interface TriggerParameters {
	lookBack: number;
	isRaw: boolean;
	isTogether: boolean;
	/** Sent to the service, which takes one; several are told apart here. */
	action?: string;
	matches(entry: AuditLogEntry): boolean;
	maxEntries: number;
	hasGapItem: boolean;
	lateWindow: number;
	pageSize: number;
	reReadEvery: number;
	timeout: number;
}

function refuse(host: IPollFunctions, message: string, description: string): NodeOperationError {
	const error = new NodeOperationError(host.getNode(), message, { description });
	// Set here, because n8n 1.x knows no such option.
	error.failure = { cause: 'configuration-invalid' };
	return error;
}

/** @throws NodeOperationError that names the parameter and what to put there */
export function readParameters(host: IPollFunctions): TriggerParameters {
	const options = host.getNodeParameter('options', {}) as IDataObject;
	const filters = host.getNodeParameter('filters', {}) as IDataObject;
	const number = (value: unknown, label: string, min: number, max: number): number => {
		if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) {
			return value;
		}
		throw refuse(
			host,
			`'${label}' is not a whole number from ${min} to ${max}`,
			`Enter a whole number from ${min} to ${max} in '${label}'.`,
		);
	};
	const isFromHours = choice(host, 'startFrom', 'Start From', ['now', 'hours']) === 'hours';
	const { gapItem = false } = options;
	if (typeof gapItem !== 'boolean') {
		throw refuse(host, "'Gap Item' is neither true nor false", "Switch 'Gap Item' on or off.");
	}
	const actions = actionNames(host, filters);
	return {
		lookBack: isFromHours
			? number(host.getNodeParameter('hours', 48), 'Hours', 1, LOG_HOURS) * HOUR_MS
			: 0,
		isRaw: choice(host, 'output', 'Output', ['simplified', 'raw']) === 'raw',
		isTogether: choice(host, 'emit', 'Emit', ['each', 'together']) === 'together',
		...(actions.length === 1 ? { action: actions[0] } : {}),
		matches: entryTest(host, filters, actions),
		maxEntries: number(options.maxEntries ?? 10_000, 'Entries per Poll', 1, 100_000),
		hasGapItem: gapItem,
		lateWindow: number(options.lateHours ?? 48, 'Late Entries (Hours)', 0, 168) * HOUR_MS,
		pageSize: number(options.pageSize ?? MAX_PAGE_SIZE, 'Page Size', 1, MAX_PAGE_SIZE),
		reReadEvery:
			number(options.reReadMinutes ?? 60, 'Look for Late Entries Every (Minutes)', 1, 1440) *
			MINUTE_MS,
		timeout: number(options.timeout ?? 30, 'Timeout', 1, 3600) * 1000,
	};
}

/** @param known what the drop-down offers, its default first */
function choice(host: IPollFunctions, name: string, label: string, known: string[]): string {
	const value = host.getNodeParameter(name, known[0]) as string;
	if (known.includes(value)) return value;
	throw refuse(
		host,
		`'${label}' is not one of: ${known.join(', ')}`,
		`Choose one in '${label}', or use an expression that gives one of these.`,
	);
}

/**
 * The values of a filter; none when it was not added. One that was added and holds nothing would let everything
 * through, so it is refused.
 */
function values(host: IPollFunctions, filters: IDataObject, name: string, label: string): string[] {
	if (!Object.hasOwn(filters, name)) return [];
	const value = filters[name];
	const list = Array.isArray(value) ? value : String(value ?? '').split(',');
	const found = list.map((each) => String(each).trim()).filter((each) => each !== '');
	if (found.length > 0) return found;
	throw refuse(host, `'${label}' is empty`, `Fill in '${label}', or remove it from Filters.`);
}

function actionNames(host: IPollFunctions, filters: IDataObject): string[] {
	const all = [
		...values(host, filters, 'actions', 'Actions'),
		...values(host, filters, 'otherActions', 'Other Actions'),
	];
	const actions = all.map((name) => name.toUpperCase());
	const wrong = actions.find((name) => !/^[A-Z0-9_]+$/.test(name));
	if (wrong !== undefined) {
		throw refuse(
			host,
			`'${wrong}' is not an action name`,
			"Enter names such as SIGN_IN_FAILURE in 'Other Actions', separated by commas.",
		);
	}
	return [...new Set(actions)];
}

/** The filters that are applied here, after reading; upper and lower case are the same. */
function entryTest(
	host: IPollFunctions,
	filters: IDataObject,
	actions: string[],
): (entry: AuditLogEntry) => boolean {
	const oneOf = (list: string[]) => {
		const wanted = new Set(list.map((each) => each.toLowerCase()));
		return (value: unknown) =>
			wanted.size === 0 || (typeof value === 'string' && wanted.has(value.toLowerCase()));
	};
	const isAction = oneOf(actions);
	const isActor = oneOf(values(host, filters, 'actorEmail', 'Actor Email'));
	const isType = oneOf(values(host, filters, 'affectedTypes', 'Affected Types'));
	const isIp = oneOf(values(host, filters, 'ip', 'IP Address'));
	return ({ action, actor, affected, ip }) =>
		isAction(action) && isActor(actor?.email) && isType(affected?.type) && isIp(ip);
}
