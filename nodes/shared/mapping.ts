import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { chunk, difference, isEqual } from 'lodash';

import type { Client, ServiceRequest } from './client';
import type { Sentences } from './errors';
import { withProgress } from './errors';
import type { Origin } from './scim';
import type { ListRequest } from './scimList';

/** Which workspaces a group opens, and with which permissions. Spec: Group workspace mapping. */

export const PERMISSIONS = [
	'createRooms',
	'canDiscoverPublicRooms',
	'canPublishTemplates',
	'admin',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** Permissions by workspace id. */
export type Workspaces = Record<string, Permission[]>;

/** Spec: Group workspace mapping. Unknown fields pass through. */
export interface Mapping extends IDataObject {
	/** Group id. */
	id: string;
	/** Group name. */
	name: string;
	workspaces: Workspaces;
}

interface WorkspacePermissions {
	workspaceId: string;
	permissions: Permission[];
}

/** What brings a mapping from its present to its wanted state. */
export interface MappingPlan {
	add: WorkspacePermissions[];
	/** Mapped with other permissions. */
	change: Array<WorkspacePermissions & { before: Permission[] }>;
	remove: string[];
	/** Mapped as wanted. */
	keep: string[];
}

/** Workspaces in one PATCH. */
export const WORKSPACES_PER_REQUEST = 100;

const MAPPING_SENTENCES: Sentences = {
	403: [
		'The service does not allow group mapping for this API key',
		'Mapping endpoints stay off until Mural support enables them for the account: ask for it, or check the scopes of the key.',
	],
};

const CHANGE_SENTENCES: Sentences = {
	...MAPPING_SENTENCES,
	400: [
		'The service refused the workspaces or their permissions',
		"Check the workspace IDs: each has to be a workspace of the company. Then check 'Permissions'.",
	],
};

/** Every permission once, in the spec's order; `admin` brings the others along (spec: PATCH body, permissions). */
export function normalizePermissions(permissions: readonly string[]): Permission[] {
	const isAdmin = permissions.includes('admin');
	return PERMISSIONS.filter((permission) => isAdmin || permissions.includes(permission));
}

/** One mapping with the workspaces as a list, which n8n can split into items. */
export function simplifyMapping(resource: IDataObject): IDataObject {
	const { id, name, workspaces } = normalizeMapping(resource);
	const list = Object.entries(workspaces).map(([workspaceId, permissions]) => ({
		workspaceId,
		...flags(permissions),
	}));
	return { id, name, workspaceCount: list.length, workspaces: list };
}

/** A mapping in one shape: `workspaces` also when the service left out an empty object. */
export function normalizeMapping(resource: IDataObject): Mapping {
	return { ...resource, workspaces: resource.workspaces ?? {} } as Mapping;
}

const flags = (permissions: Permission[]) =>
	Object.fromEntries(PERMISSIONS.map((name) => [name, permissions.includes(name)]));

export function mappingList(itemIndex?: number): ListRequest {
	return { path: ['mapping', 'groups'], scim: false, sentences: MAPPING_SENTENCES, itemIndex };
}

/** GET /mapping/groups/{id}. */
export async function getMapping(client: Client, id: string, origin: Origin): Promise<Mapping> {
	const request = mappingRequest('GET', id, { ...origin, sentences: MAPPING_SENTENCES });
	const resource = await client.request<IDataObject | undefined>(request);
	const workspaces = resource?.workspaces ?? {};
	if (typeof resource?.id !== 'string' || typeof workspaces !== 'object') {
		throw client.unexpected(request, 'something that is no mapping');
	}
	return normalizeMapping(resource);
}

/**
 * The difference between what is mapped and what is wanted.
 * @param isExact whether workspaces that are not wanted are removed
 */
export function planMapping(
	current: Workspaces,
	wanted: Workspaces,
	isExact: boolean,
): MappingPlan {
	const plan: MappingPlan = { add: [], change: [], remove: [], keep: [] };
	for (const [workspaceId, list] of Object.entries(wanted)) {
		const permissions = normalizePermissions(list);
		if (!Object.hasOwn(current, workspaceId)) plan.add.push({ workspaceId, permissions });
		else if (isEqual(normalizePermissions(current[workspaceId]), permissions)) {
			plan.keep.push(workspaceId);
		} else plan.change.push({ workspaceId, permissions, before: current[workspaceId] });
	}
	if (isExact) plan.remove = difference(Object.keys(current), Object.keys(wanted));
	return plan;
}

/** Body of PATCH /mapping/groups/{id}. */
export interface MappingPatch extends IDataObject {
	action: 'add' | 'remove';
	workspaceIds: string[];
	permissions?: Record<string, boolean>;
}

/**
 * The requests of a plan. One request carries one set of permissions. Removals come last: if something fails before,
 * nobody has lost access yet.
 */
export function mappingPatches({ add, change, remove }: MappingPlan): MappingPatch[] {
	const bySet = new Map<string, MappingPatch>();
	for (const { workspaceId, permissions } of [...add, ...change]) {
		const set = permissions.join();
		const patch = bySet.get(set);
		if (patch) patch.workspaceIds.push(workspaceId);
		else {
			bySet.set(set, {
				action: 'add',
				workspaceIds: [workspaceId],
				permissions: flags(permissions),
			});
		}
	}
	const removal: MappingPatch = { action: 'remove', workspaceIds: remove };
	return [...bySet.values(), removal].flatMap((patch) =>
		chunk(patch.workspaceIds, WORKSPACES_PER_REQUEST).map((workspaceIds) => ({
			...patch,
			workspaceIds,
		})),
	);
}

/**
 * Carries a plan out and reads the mapping back, since the answer to a PATCH holds only the group's name.
 * @returns the mapping as it then is; without a read when the plan is empty
 * @throws the error of a request, telling what was done before it; NodeOperationError when the service accepted
 * everything but the mapping is not as planned
 */
export async function carryOut(
	client: Client,
	current: Mapping,
	plan: MappingPlan,
	origin: Origin,
): Promise<Mapping> {
	const patches = mappingPatches(plan);
	if (patches.length === 0) return current;
	const done: MappingPatch[] = [];
	try {
		for (const body of patches) {
			const sentences = CHANGE_SENTENCES;
			await client.request({
				...mappingRequest('PATCH', current.id, { ...origin, sentences }),
				body,
			});
			done.push(body);
		}
		const mapping = await getMapping(client, current.id, origin);
		refuseOther(client, mapping.workspaces, plan, origin);
		return mapping;
	} catch (error) {
		if (done.length === 0) throw asItIs(error);
		const note = `Before this, ${done.length} of ${patches.length} requests of the change were carried out; the details list them.`;
		throw withProgress(error, note, { applied: done });
	}
}

const asItIs = (error: unknown) => error;

function refuseOther(
	client: Client,
	workspaces: Workspaces,
	{ add, change, remove }: MappingPlan,
	{ itemIndex }: Origin,
): void {
	const wanted = Object.fromEntries(
		[...add, ...change].map(({ workspaceId, permissions }) => [workspaceId, permissions]),
	);
	const rest = planMapping(workspaces, wanted, false);
	const wrong = [
		...rest.add.map(({ workspaceId }) => workspaceId),
		...rest.change.map(({ workspaceId }) => workspaceId),
		...remove.filter((workspaceId) => Object.hasOwn(workspaces, workspaceId)),
	];
	if (wrong.length === 0) return;
	throw new NodeOperationError(
		client.node,
		`The service accepted the change, but the mapping is not as asked for: ${wrong.join(', ')}`,
		{
			description:
				'Get the mapping again: somebody may have changed it at the same time, or the service does not know the workspace.',
			itemIndex,
		},
	);
}

function mappingRequest(
	method: ServiceRequest['method'],
	id: string,
	{ parameter, itemIndex, sentences }: Origin,
): ServiceRequest {
	return {
		method,
		path: ['mapping', 'groups', id],
		subject: { kind: 'group', parameter, value: id },
		sentences,
		itemIndex,
	};
}
