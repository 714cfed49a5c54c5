import type { INodeProperties } from 'n8n-workflow';

import {
	actionOptions,
	affectedTypeOptions,
	otherActionsFilter,
	pageSizeOption,
} from '../shared/auditDescriptions';
import { notice } from '../shared/descriptions';

/** The log's length (spec: Limits, Log retention). */
export const LOG_HOURS = 30 * 24;

/** The trigger's parameters as the editor shows them. */
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
				options: actionOptions,
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
				options: affectedTypeOptions,
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
			otherActionsFilter,
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
			pageSizeOption,
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
