import type { IDataObject, INodeProperties, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { AFFECTED_TYPES, KNOWN_ACTIONS } from '../shared/auditActions';
import type { AuditLogEntry } from '../shared/auditLog';
import { MAX_PAGE_SIZE } from '../shared/auditLog';
import { notice } from '../shared/descriptions';

/** The trigger's parameters: what the editor shows, and how they are read. */

const HOUR_MS = 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;
const LOG_HOURS = 30 * 24;

export const triggerProperties: INodeProperties[] = [
	notice(
		'pollNotice',
		'The account has 1,500 audit log requests a day, and a poll every minute uses nearly all of them. Entries appear hours after their date, so every 5 minutes is often enough.',
	),
	{
		displayName: 'Start From',
		name: 'startFrom',
		type: 'options',
		options: [
			{
				name: 'Now',
				value: 'now',
				description: 'Entries dated after the workflow was activated',
			},
			{
				name: 'Last Hours',
				value: 'hours',
				description: 'Entries of the last hours too, in the first poll',
			},
		],
		default: 'now',
		description:
			'Where to begin when the workflow is activated for the first time, or after the credential or the action filter was changed',
	},
	{
		displayName: 'Hours',
		name: 'hours',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: LOG_HOURS },
		default: 48,
		description: 'How many hours to look back. The log keeps 720 (30 days).',
		displayOptions: { show: { startFrom: ['hours'] } },
	},
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			{
				name: 'Simplified',
				value: 'simplified',
				description: 'Ten flat fields an entry, with the date in ISO form too',
			},
			{ name: 'Raw', value: 'raw', description: 'Everything, as the service gives it' },
		],
		default: 'simplified',
		description: 'How much of each entry to return',
	},
	{
		displayName: 'Emit',
		name: 'emit',
		type: 'options',
		options: [
			{ name: 'One Item per Entry', value: 'each', description: 'Oldest first' },
			{
				name: 'One Item per Poll',
				value: 'together',
				description: "All new entries of a poll in one item, as a list in its field 'entries'",
			},
		],
		default: 'each',
		description: 'How new entries are divided into items',
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options: [
			{
				displayName: 'Actions',
				name: 'actions',
				type: 'multiOptions',
				options: KNOWN_ACTIONS.map((action) => ({ name: action, value: action })),
				default: [],
				description: 'Only entries of these actions. Further names go into Other Actions.',
			},
			{
				displayName: 'Actor Email',
				name: 'actorEmail',
				type: 'string',
				default: '',
				placeholder: 'e.g. ann@example.com',
				description: 'Only entries caused by this person; several e-mails are separated by commas',
			},
			{
				displayName: 'Affected Types',
				name: 'affectedTypes',
				type: 'multiOptions',
				options: AFFECTED_TYPES.map((type) => ({ name: type, value: type })),
				default: [],
				description: 'Only entries that touched one of these kinds of things',
			},
			{
				displayName: 'IP Address',
				name: 'ip',
				type: 'string',
				default: '',
				placeholder: 'e.g. 203.0.113.7',
				description: 'Only entries from this address; several are separated by commas',
			},
			{
				displayName: 'Other Actions',
				name: 'otherActions',
				type: 'string',
				default: '',
				placeholder: 'e.g. DELETE_ROOM, SHARE_MURAL',
				description: 'Further action names, separated by commas. Over 120 exist.',
			},
		],
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Entries per Poll',
				name: 'maxEntries',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 100000 },
				default: 10000,
				description:
					'Most entries that one poll emits. More are emitted by the next polls, oldest first; none is skipped.',
			},
			{
				displayName: 'Gap Item',
				name: 'gapItem',
				type: 'boolean',
				default: false,
				description:
					"Whether to emit an item with the field 'gap' when entries left the log before they could be read. A warning is logged in any case.",
			},
			{
				displayName: 'Late Entries (Hours)',
				name: 'lateHours',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: 168 },
				default: 48,
				description:
					'How long after its date an entry may appear and still be found. The service takes up to 48 hours. 0 looks for none.',
			},
			{
				displayName: 'Look for Late Entries Every (Minutes)',
				name: 'reReadMinutes',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 1440 },
				default: 60,
				description: 'How often the hours of Late Entries are read again',
			},
			{
				displayName: 'Page Size',
				name: 'pageSize',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: MAX_PAGE_SIZE },
				default: MAX_PAGE_SIZE,
				description: 'Entries per request. The log takes 1,500 requests a day.',
			},
			{
				displayName: 'Timeout',
				name: 'timeout',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 3600 },
				default: 30,
				description: 'Seconds to wait for one answer of the service before giving up on it',
			},
		],
	},
];

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
	const isFromHours = host.getNodeParameter('startFrom', 'now') === 'hours';
	const actions = actionNames(host, filters);
	return {
		lookBack: isFromHours
			? number(host.getNodeParameter('hours', 48), 'Hours', 1, LOG_HOURS) * HOUR_MS
			: 0,
		isRaw: host.getNodeParameter('output', 'simplified') === 'raw',
		isTogether: host.getNodeParameter('emit', 'each') === 'together',
		...(actions.length === 1 ? { action: actions[0] } : {}),
		matches: entryTest(host, filters, actions),
		maxEntries: number(options.maxEntries ?? 10_000, 'Entries per Poll', 1, 100_000),
		hasGapItem: options.gapItem === true,
		lateWindow: number(options.lateHours ?? 48, 'Late Entries (Hours)', 0, 168) * HOUR_MS,
		pageSize: number(options.pageSize ?? MAX_PAGE_SIZE, 'Page Size', 1, MAX_PAGE_SIZE),
		reReadEvery:
			number(options.reReadMinutes ?? 60, 'Look for Late Entries Every (Minutes)', 1, 1440) *
			MINUTE_MS,
		timeout: number(options.timeout ?? 30, 'Timeout', 1, 3600) * 1000,
	};
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
