import type { INodeProperties } from 'n8n-workflow';

import { notice, optionsCollection } from '../../../shared/descriptions';
import type { Workspaces } from '../../../shared/mapping';
import { carryOut, getMapping, PERMISSIONS, planMapping } from '../../../shared/mapping';
import { GROUP, groupLockKey } from '../locators';
import type { InputContext, Operation } from '../operation';
import { badInput, choice, parameter, toggle, toItem } from '../operation';
import {
	groupParameter,
	permissionsProperty,
	readGroupId,
	readPermissions,
	readWorkspaces,
	samePermissions,
	WORKSPACES,
	workspaceProperties,
} from './mappingParameters';

const PER_WORKSPACE = 'Per Workspace';
const ALLOW_NONE = 'Allow Removing All Workspaces';

const [source, ...lists] = workspaceProperties;

const perWorkspaceProperty: INodeProperties = {
	displayName: PER_WORKSPACE,
	name: 'workspacePermissions',
	type: 'json',
	default: '',
	placeholder: 'e.g. { "design1234": ["createRooms"], "sales5678": [] }',
	description: `The wanted state: permissions by workspace ID, as the operation Get shows them under workspaces. Permissions: ${PERMISSIONS.join(', ')}.`,
	displayOptions: { show: { workspaceSource: ['object'] } },
};

/** Spec: Group workspace mapping, PATCH; only what differs from the wanted state is sent. */
export const setWorkspaces: Operation = {
	option: {
		name: 'Set Workspaces',
		value: 'setWorkspaces',
		action: 'Set the workspaces of a group',
		description:
			'Declare which workspaces a group opens, and with which permissions; only the difference is sent',
	},
	properties: [
		notice(
			'setWorkspacesNotice',
			'Workspaces of the group that are not given here are closed to its members. <b>Dry Run</b> shows what would change.',
		),
		groupParameter('The group whose workspaces to set'),
		{
			...source,
			description:
				'How to name the workspaces, which are then the only ones of the group: pick them one by one, give their IDs, or give each its own permissions',
			options: [...(source.options ?? []), { name: PER_WORKSPACE, value: 'object' }],
		} as INodeProperties,
		...lists,
		perWorkspaceProperty,
		{ ...permissionsProperty, displayOptions: { hide: { workspaceSource: ['object'] } } },
		{
			displayName: 'Dry Run',
			name: 'dryRun',
			type: 'boolean',
			default: false,
			description:
				'Whether to only read the mapping and return the plan, without changing anything',
		},
		{
			displayName: ALLOW_NONE,
			name: 'allowNone',
			type: 'boolean',
			default: false,
			description:
				'Whether an empty list may remove all workspaces. Off refuses it, since an expression may have found nothing.',
		},
		optionsCollection(),
	],
	lockKey: groupLockKey,
	async execute(context) {
		const { client, itemIndex } = context;
		const origin = { parameter: GROUP, itemIndex };
		const wanted = readWanted(context);
		const dryRun = toggle(context, parameter(context, 'dryRun') ?? false, 'Dry Run');
		const current = await getMapping(client, await readGroupId(context), origin);
		const plan = planMapping(current.workspaces, wanted, true);
		const mapping = dryRun ? current : await carryOut(client, current, plan, origin);
		return [toItem(context, { ...mapping, dryRun, plan: { ...plan } })];
	},
};

/** The workspaces that the group is to open, and no others. */
function readWanted(context: InputContext): Workspaces {
	const way = parameter(context, 'workspaceSource') ?? 'list';
	const ways = ['list', 'text', 'object'] as const;
	const isObject = choice(context, way, WORKSPACES.source.displayName, ways) === 'object';
	const several = isObject ? undefined : readWorkspaces(context);
	const wanted = several
		? samePermissions(several.entries, readPermissions(context))
		: readPerWorkspace(context);
	const mayBeNone = toggle(context, parameter(context, 'allowNone') ?? false, ALLOW_NONE);
	if (Object.keys(wanted).length === 0 && !mayBeNone) {
		const label = several?.label ?? PER_WORKSPACE;
		throw badInput(
			context,
			`'${label}' names no workspace, which would close all of them to the group`,
			`Enter the workspaces to keep in '${label}', or switch '${ALLOW_NONE}' on.`,
		);
	}
	return wanted;
}

/** `{ workspaceId: [permission, …], … }`, as an object or as JSON. */
function readPerWorkspace(context: InputContext): Workspaces {
	const given = parsed(parameter<unknown>(context, 'workspacePermissions'));
	if (typeof given !== 'object' || given === null || Array.isArray(given)) {
		throw badInput(
			context,
			`'${PER_WORKSPACE}' is not an object of permissions by workspace ID`,
			`Enter JSON such as { "design1234": ["createRooms"] } in '${PER_WORKSPACE}', or an expression that gives the workspaces of a mapping.`,
		);
	}
	for (const [workspaceId, permissions] of Object.entries(given)) {
		const isKnown = (name: unknown) => (PERMISSIONS as readonly unknown[]).includes(name);
		if (Array.isArray(permissions) && permissions.every(isKnown)) continue;
		throw badInput(
			context,
			`'${PER_WORKSPACE}' holds something else than permissions for the workspace '${workspaceId}'`,
			`Give each workspace in '${PER_WORKSPACE}' a list, empty or with some of: ${PERMISSIONS.join(', ')}.`,
		);
	}
	return given as Workspaces;
}

/** Undefined when the text is no JSON; nothing at all is no object either. */
function parsed(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	try {
		return JSON.parse(value);
	} catch {
		return undefined;
	}
}
