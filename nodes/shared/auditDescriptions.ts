import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { AFFECTED_TYPES, KNOWN_ACTIONS } from './auditActions';
import { MAX_PAGE_SIZE } from './auditLog';

/** What the node and the trigger show alike of the audit log. */

const named = (values: readonly string[]): INodePropertyOptions[] =>
	values.map((value) => ({ name: value, value }));

export const actionOptions = named(KNOWN_ACTIONS);
export const affectedTypeOptions = named(AFFECTED_TYPES);

export const otherActionsFilter: INodeProperties = {
	displayName: 'Other Actions',
	name: 'otherActions',
	type: 'string',
	default: '',
	placeholder: 'e.g. DELETE_ROOM, SHARE_MURAL',
	description: 'Further action names, separated by commas. Over 120 exist.',
};

export const pageSizeOption: INodeProperties = {
	displayName: 'Page Size',
	name: 'pageSize',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MAX_PAGE_SIZE },
	default: MAX_PAGE_SIZE,
	description: 'Entries per request. The log takes 1,500 requests a day.',
};
