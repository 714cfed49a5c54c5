import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { Client, ServiceRequest } from './client';
import type { Sentences } from './errors';
import { once } from './once';
import type { Origin, PatchOperation } from './scim';
import { PATCH_OP_SCHEMA, schemasLast } from './scim';
import type { ListRequest } from './scimList';
import { readListPages } from './scimList';
import { requestScim } from './serviceProviderConfig';

/** SCIM groups: paths, payloads, types. Spec: SCIM group, SCIM groups, States and transitions. */

export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';

/** Spec: SCIM group. Unknown fields pass through. */
export interface ScimGroup extends IDataObject {
	id: string;
	displayName: string;
	externalId?: string;
	/** `value` is a user id. */
	members: Array<{ value: string }>;
}

export interface NewGroup {
	displayName: string;
	externalId?: string;
}

/** A group as a person names one: the service's id, or its exact display name. */
export type GroupRef = { id: string } | { name: string };

const DUPLICATE_GROUP: Sentences = {
	409: [
		'A group with this name or external ID exists already',
		"Change 'Display Name' (or 'External ID'): no two groups share one.",
	],
};

const TOO_MANY_MEMBERS: Sentences = {
	413: [
		'The service does not take so many members in one request',
		"Shorten the list, and add the rest with the operation 'Add Members', which sends them in parts.",
	],
};

/** A group resource in one shape: `members` also when the service left out an empty list. */
export function normalizeGroup(resource: IDataObject): ScimGroup {
	return schemasLast({ ...resource, members: resource.members ?? [] }) as ScimGroup;
}

/** One group as a flat object. */
export function simplifyGroup(resource: IDataObject): IDataObject {
	const { id, displayName, externalId, members, meta } = normalizeGroup(resource);
	const { created, lastModified } = (meta ?? {}) as IDataObject;
	return {
		id,
		displayName,
		externalId: externalId ?? null,
		memberCount: members.length,
		memberIds: members.map(({ value }) => value),
		created: created ?? null,
		lastModified: lastModified ?? null,
	};
}

export function groupList(itemIndex?: number): ListRequest {
	return { path: ['scim', 'Groups'], scim: true, itemIndex };
}

/**
 * The id of a group. A name is looked up in the whole list, since the service cannot search it.
 * @param list where groups are listed: the SCIM groups, or the mappings
 * @param isFresh reads the list anew, for operations that change names
 * @throws NodeOperationError when no group, or more than one, has exactly this name
 */
export async function resolveGroupId(
	client: Client,
	ref: GroupRef,
	list: ListRequest,
	{ parameter, itemIndex }: Origin,
	isFresh = false,
): Promise<string> {
	if ('id' in ref) return ref.id;
	const read = async () => await readNames(client, list);
	const names = isFresh ? await read() : await once(client, `names ${list.path.join('/')}`, read);
	const found = names.filter(({ name }) => name === ref.name);
	if (found.length === 1) return found[0].id;
	if (found.length > 1) {
		throw new NodeOperationError(
			client.node,
			`${found.length} groups have the name '${ref.name}'`,
			{
				description: `Name the group in '${parameter}' by ID: ${found.map(({ id }) => id).join(' or ')}.`,
				itemIndex,
			},
		);
	}
	const similar = names.find(({ name }) => name.toLowerCase() === ref.name.toLowerCase());
	throw new NodeOperationError(client.node, `No group has the name '${ref.name}'`, {
		description: similar
			? `There is '${similar.name}': enter the name in '${parameter}' exactly as it is.`
			: `Change '${parameter}', or pick the group from the list.`,
		itemIndex,
	});
}

/** Display names in the SCIM list, names in the mapping list. */
async function readNames(
	client: Client,
	list: ListRequest,
): Promise<Array<{ id: string; name: string }>> {
	const names: Array<{ id: string; name: string }> = [];
	for await (const page of readListPages(client, list, { sideBySide: 5 })) {
		for (const { id, displayName, name } of page) {
			names.push({ id: String(id), name: String(displayName ?? name) });
		}
	}
	return names;
}

/** GET /scim/Groups/{id}. */
export async function getGroup(client: Client, id: string, origin: Origin): Promise<ScimGroup> {
	const request = groupRequest('GET', id, origin);
	const group = groupIn(await requestScim<IDataObject | undefined>(client, request));
	if (!group) throw client.unexpected(request, 'something that is no group');
	return group;
}

/** POST /scim/Groups. `members` is sent also when it is empty, since the spec requires it. */
export async function createGroup(
	client: Client,
	{ displayName, externalId }: NewGroup,
	userIds: string[],
	{ itemIndex }: Origin,
): Promise<ScimGroup> {
	const request: ServiceRequest = {
		method: 'POST',
		path: ['scim', 'Groups'],
		scim: true,
		body: {
			schemas: [GROUP_SCHEMA],
			displayName,
			...(externalId === undefined ? {} : { externalId }),
			members: userIds.map((value) => ({ value })),
		},
		sentences: { ...DUPLICATE_GROUP, ...TOO_MANY_MEMBERS },
		itemIndex,
	};
	const group = groupIn(await requestScim<IDataObject | undefined>(client, request));
	if (!group) throw client.unexpected(request, 'something that is no group');
	return group;
}

/** PATCH /scim/Groups/{id}: replace displayName. */
export async function renameGroup(
	client: Client,
	id: string,
	displayName: string,
	origin: Origin,
): Promise<ScimGroup> {
	const operation: PatchOperation = { op: 'replace', path: 'displayName', value: displayName };
	const sentences = DUPLICATE_GROUP;
	const answer = await patchGroup(client, id, operation, { ...origin, sentences });
	if (answer) return answer;
	const group = await getGroup(client, id, origin);
	if (group.displayName === displayName) return group;
	throw new NodeOperationError(
		client.node,
		`The service accepted the new name, but the group is called '${group.displayName}'`,
		{
			description:
				'Get the group again: somebody may have renamed it at the same time. If not, the identity provider may manage this group.',
			itemIndex: origin.itemIndex,
		},
	);
}

/**
 * PATCH /scim/Groups/{id}: adds, removes or replaces members.
 * @returns the group as the answer shows it; undefined when it shows none (the spec leaves the answer open)
 */
export async function patchMembers(
	client: Client,
	id: string,
	op: PatchOperation['op'],
	userIds: string[],
	origin: Origin,
): Promise<ScimGroup | undefined> {
	const operation: PatchOperation = {
		op,
		path: 'members',
		value: userIds.map((value) => ({ value })),
	};
	return await patchGroup(client, id, operation, { ...origin, sentences: TOO_MANY_MEMBERS });
}

/** DELETE /scim/Groups/{id}: deactivates the group. */
export async function deleteGroup(client: Client, id: string, origin: Origin): Promise<void> {
	await requestScim(client, groupRequest('DELETE', id, origin));
}

async function patchGroup(
	client: Client,
	id: string,
	operation: PatchOperation,
	origin: Origin,
): Promise<ScimGroup | undefined> {
	const body = { schemas: [PATCH_OP_SCHEMA], Operations: [operation] };
	const request = { ...groupRequest('PATCH', id, origin), body };
	return groupIn(await requestScim<IDataObject | undefined>(client, request), true);
}

/** The group that an answer shows, if it does. An answer to a PATCH counts only with its members. */
function groupIn(answer: unknown, needsMembers = false): ScimGroup | undefined {
	const resource = answer as IDataObject | undefined | null;
	if (typeof resource?.id !== 'string') return undefined;
	const members = resource.members ?? undefined;
	if (members === undefined ? needsMembers : !Array.isArray(members)) return undefined;
	return normalizeGroup(resource);
}

function groupRequest(
	method: ServiceRequest['method'],
	id: string,
	{ parameter, itemIndex, sentences }: Origin,
): ServiceRequest {
	return {
		method,
		path: ['scim', 'Groups', id],
		scim: true,
		subject: { kind: 'group', parameter, value: id },
		sentences,
		itemIndex,
	};
}
