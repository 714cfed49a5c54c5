import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { DateTime } from 'luxon';

import {
	actionOptions,
	affectedTypeOptions,
	otherActionsFilter,
} from '../../../shared/auditDescriptions';
import type { AuditLogEntry, AuditLogQuery } from '../../../shared/auditLog';
import { RETENTION_MS } from '../../../shared/auditLog';
import type { DateBound } from '../../../shared/dates';
import { parseMoment } from '../../../shared/dates';
import type { OperationContext } from '../operation';
import { badInput, checkEmail, collection, filterText, nameList } from '../operation';

/** Parameters that audit log operations share, and how they are read. */

export const auditFilters: INodeProperties = {
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
			options: actionOptions,
			default: [],
			description:
				'Only entries of these actions. Names that are not listed go into Other Actions. Each action costs requests of its own.',
		},
		{
			displayName: 'Actor Email',
			name: 'actorEmail',
			type: 'string',
			default: '',
			placeholder: 'e.g. ann@example.com',
			description:
				'Only entries caused by the person with this e-mail (filtered by n8n, after reading)',
		},
		{
			displayName: 'Affected Types',
			name: 'affectedTypes',
			type: 'multiOptions',
			options: affectedTypeOptions,
			default: [],
			description:
				'Only entries that touched one of these kinds of things (filtered by n8n, after reading)',
		},
		otherActionsFilter,
		{
			displayName: 'Since',
			name: 'since',
			type: 'dateTime',
			default: '',
			description:
				'Oldest moment to include, at most 30 days back. Without Since and Until the service gives the past 7 days. A date alone means its start; a value without a zone is in the time zone of the workflow.',
		},
		{
			displayName: 'Until',
			name: 'until',
			type: 'dateTime',
			default: '',
			description:
				'Newest moment to include. A date alone means the end of that day. Without Since, the log is read from its start.',
		},
	],
};

const LOG_DAYS = RETENTION_MS / (24 * 60 * 60 * 1000);

/** "30 days ago" was a moment earlier when the expression was evaluated, and clocks differ. */
const RETENTION_LEEWAY_MS = 5 * 60 * 1000;

/**
 * Since and Until in epoch milliseconds. Until alone reads from the start of the log.
 * @throws NodeOperationError when a bound is no date, they are in the wrong order, or the log is shorter
 */
export function readRange(context: OperationContext, nowMs = Date.now()): AuditLogQuery {
	const filters = collection(context, 'filters');
	const since = readBound(context, filters, 'since', 'Since', 'start');
	const until = readBound(context, filters, 'until', 'Until', 'end');
	const oldest = nowMs - RETENTION_MS;
	const text = (millis: number) =>
		DateTime.fromMillis(millis, { zone: context.host.getTimezone() }).toFormat(
			'yyyy-MM-dd HH:mm:ss ZZ',
		);
	if (since !== undefined && until !== undefined && until < since) {
		throw badInput(
			context,
			`'Until' (${text(until)}) is before 'Since' (${text(since)})`,
			"Put the earlier moment into 'Since' and the later one into 'Until'.",
		);
	}
	for (const [label, bound] of [
		['Since', since],
		['Until', until],
	] as const) {
		if (bound !== undefined && bound < oldest - RETENTION_LEEWAY_MS) {
			throw badInput(
				context,
				`'${label}' (${text(bound)}) is before the start of the audit log`,
				`The log keeps ${LOG_DAYS} days: choose a moment after ${text(oldest)} in '${label}'.`,
			);
		}
	}
	// The service covers at most 30 days per response; its clock may be a little ahead of ours.
	const start = oldest + RETENTION_LEEWAY_MS;
	if (since === undefined)
		return until === undefined ? {} : { since: Math.min(start, until), until };
	return { since: Math.max(since, Math.min(start, until ?? start)), until };
}

function readBound(
	context: OperationContext,
	filters: IDataObject,
	name: string,
	label: string,
	bound: DateBound,
): number | undefined {
	if (!Object.hasOwn(filters, name)) return undefined;
	const value = filters[name] ?? '';
	if (value === '') {
		throw badInput(
			context,
			`'${label}' is empty`,
			`Pick a date in '${label}', or remove it. An expression there may have found nothing in this item.`,
		);
	}
	const millis = parseMoment(value, context.host.getTimezone(), bound);
	if (millis === undefined) {
		throw badInput(
			context,
			`'${label}' is not a date: '${String(value)}'`,
			`Pick a date in '${label}', or enter one such as 2026-01-31 or 2026-01-31T08:00:00Z.`,
		);
	}
	return millis;
}

/** The action names to ask for; empty means all. */
export function readActions(context: OperationContext): string[] {
	const filters = collection(context, 'filters');
	const names = [
		...readNames(context, filters, 'actions', 'Actions'),
		...readNames(context, filters, 'otherActions', 'Other Actions'),
	];
	const wrong = names.find((name) => !/^[A-Z0-9_]+$/.test(name));
	if (wrong !== undefined) {
		throw badInput(
			context,
			`'${wrong}' is not an action name`,
			"Enter names such as SIGN_IN_FAILURE in 'Other Actions', separated by commas.",
		);
	}
	return [...new Set(names)];
}

/** Names in upper case; none when the filter is absent. One that holds none would let everything through. */
function readNames(
	context: OperationContext,
	filters: IDataObject,
	name: string,
	label: string,
): string[] {
	if (!Object.hasOwn(filters, name)) return [];
	const names = nameList(context, filters[name], label).map((each) => each.toUpperCase());
	if (names.length > 0) return names;
	throw badInput(
		context,
		`'${label}' is empty`,
		`Choose at least one in '${label}', or remove it. An expression there may have found nothing in this item.`,
	);
}

const lowerCase = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : '');

/** The filters the service does not have; undefined when none is set. */
export function entryTest(
	context: OperationContext,
): ((entry: AuditLogEntry) => boolean) | undefined {
	const filters: IDataObject = collection(context, 'filters');
	const typed = filterText(context, filters, 'actorEmail', 'Actor Email');
	const email = typed && lowerCase(checkEmail(context, typed, 'Actor Email'));
	const names = readNames(context, filters, 'affectedTypes', 'Affected Types');
	const types = new Set(names.map(lowerCase));
	if (email === undefined && types.size === 0) return undefined;
	return ({ actor, affected }) =>
		(email === undefined || lowerCase(actor?.email) === email) &&
		(types.size === 0 || types.has(lowerCase(affected?.type)));
}
