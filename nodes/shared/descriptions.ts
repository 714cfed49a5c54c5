import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

/** Parameters that several operations share. */

export const returnAllOrLimit: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	},
];

const CONCURRENCY: INodeProperties = {
	displayName: 'Concurrency',
	name: 'concurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 50 },
	default: 10,
	description:
		'How many input items to work on at the same time, and how many pages of a list to read. Output order and pairing stay the same; items about the same user or group still run one after the other.',
};

const TIMEOUT: INodeProperties = {
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 30,
	description: 'Seconds to wait for one answer of the service before giving up on it',
};

/** The Options collection every operation has, with the operation's own options in front. */
export function optionsCollection(own: INodeProperties[] = []): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [...own, CONCURRENCY, TIMEOUT] as Array<
			INodeProperties | INodePropertyOptions | INodePropertyCollection
		>,
	};
}

type ListMethod = 'searchGroups' | 'searchMappedGroups' | 'searchUsers' | 'searchWorkspaces';

/** One way to type what a locator names. */
interface TypedMode {
	displayName: string;
	name: 'email' | 'id' | 'name';
	placeholder: string;
}

interface Locator {
	name: string;
	displayName: string;
	description: string;
	/** What the list shows before something is picked. */
	placeholder: string;
	searchListMethod: ListMethod;
}

function locator(
	{ placeholder, searchListMethod, ...parameter }: Locator,
	...typed: TypedMode[]
): INodeProperties {
	return {
		...parameter,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder,
				typeOptions: { searchListMethod, searchable: true, searchFilterRequired: false },
			},
			...typed.map((mode) => ({ ...mode, type: 'string' as const })),
		],
	};
}

/** A member: from the list, by id, by e-mail. */
export function userLocator(
	name: string,
	displayName: string,
	description: string,
): INodeProperties {
	return locator(
		{
			name,
			displayName,
			description,
			placeholder: 'Select a member…',
			searchListMethod: 'searchUsers',
		},
		{ displayName: 'By Email', name: 'email', placeholder: 'e.g. ann@example.com' },
		{ displayName: 'By ID', name: 'id', placeholder: 'e.g. 5f1d7c2a9b3e4d0012345678' },
	);
}

/** A group: from the list, by id, by its exact name. */
export function groupLocator(
	description: string,
	searchListMethod: 'searchGroups' | 'searchMappedGroups',
): INodeProperties {
	return locator(
		{
			name: 'groupId',
			displayName: 'Group',
			description,
			placeholder: 'Select a group…',
			searchListMethod,
		},
		{ displayName: 'By ID', name: 'id', placeholder: 'e.g. 5f1d7c2a9b3e4d0087654321' },
		{ displayName: 'By Name', name: 'name', placeholder: 'e.g. Design EMEA' },
	);
}

/** A workspace: from those that some group is mapped to, or by id. */
export function workspaceLocator(name: string, description: string): INodeProperties {
	return locator(
		{
			name,
			displayName: 'Workspace',
			description,
			placeholder: 'Select a workspace…',
			searchListMethod: 'searchWorkspaces',
		},
		{ displayName: 'By ID', name: 'id', placeholder: 'e.g. design1234' },
	);
}

/** Several things of one kind: picked one by one, or as texts that an expression can give. */
export interface SeveralParameter {
	/** Name of the parameter that chooses between the two, and its label. */
	source: { name: string; displayName: string; description: string };
	/** The list to pick into; `name` inside it holds the rows, each with `locator`. */
	picked: {
		name: string;
		displayName: string;
		placeholder: string;
		description: string;
		locator: INodeProperties;
	};
	/** The text. */
	typed: { name: string; displayName: string; placeholder: string; description: string };
}

export const PICKED_ROWS = 'entries';

export function severalProperties({ source, picked, typed }: SeveralParameter): INodeProperties[] {
	const { locator: row, ...list } = picked;
	return [
		{
			...source,
			type: 'options',
			noDataExpression: true,
			options: [
				{ name: 'From List', value: 'list' },
				{ name: typed.displayName, value: 'text' },
			],
			default: 'list',
		},
		{
			...list,
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			default: {},
			options: [{ displayName: row.displayName, name: PICKED_ROWS, values: [row] }],
			displayOptions: { show: { [source.name]: ['list'] } },
		},
		{
			...typed,
			type: 'string',
			default: '',
			displayOptions: { show: { [source.name]: ['text'] } },
		},
	];
}

/** A text that stays on screen above an operation that cannot be undone. */
export function notice(name: string, displayName: string): INodeProperties {
	return { displayName, name, type: 'notice', default: '' };
}
