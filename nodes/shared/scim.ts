import type { IDataObject } from 'n8n-workflow';

import type { Client, ServiceRequest } from './client';
import type { Sentence, Sentences } from './errors';
import type { ListRequest } from './scimList';
import { readListPage } from './scimList';
import { requestScim } from './serviceProviderConfig';

/** SCIM users: paths, payloads, types. Spec: SCIM user, SCIM users, States and transitions. */

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const PATCH_OP_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** Spec: SCIM user. Unknown fields pass through. */
export interface ScimUser extends IDataObject {
	id: string;
	userName: string;
	externalId?: string;
	name?: { givenName?: string; familyName?: string };
	/** False means suspended. */
	active?: boolean;
	emails?: Array<{ primary?: boolean; value: string }>;
}

/** A member as a person names one: the service's id, or an e-mail. */
export type UserRef = { id: string } | { email: string };

/** The attributes that can be written. Absent means "leave alone", or "overwrite with nothing" in a PUT. */
export interface UserAttributes {
	userName?: string;
	givenName?: string;
	familyName?: string;
	active?: boolean;
	externalId?: string;
}

export interface PatchOperation extends IDataObject {
	op: 'add' | 'remove' | 'replace';
	path: string;
	value?: string | boolean | IDataObject[];
}

/** Where the request comes from: for the item index and the parameter that an error names. */
export interface Origin {
	parameter: string;
	itemIndex?: number;
	sentences?: Sentences;
}

const LAST_ADMIN: Sentence = [
	'The member cannot be suspended: they are the last admin of a workspace',
	'Make somebody else an admin of that workspace first, then suspend the member.',
];
const TAKEN: Sentence = [
	'A member with this e-mail or external ID exists already',
	"Change 'Email' or 'External ID', or use the operation 'Create or Update'.",
];
const TAKEN_EMAIL: Sentence = [
	'Another member has this e-mail already',
	"Change 'Email', or remove it to keep the one the member has.",
];
const TAKEN_BY_ANOTHER: Sentence = [
	'Another member has this e-mail or external ID already',
	"Change 'Email' or 'External ID'.",
];
const TAKEN_OR_LAST_ADMIN: Sentence = [
	'Another member has this e-mail or external ID already, or the member is the last admin of a workspace and cannot be suspended',
	"Change 'Email' or 'External ID', or make somebody else an admin of that workspace first.",
];

/** What a conflict (409) means depends on what was changed; `uniqueness` is SCIM's own word for a value taken. */
function conflict(changed: UserAttributes, taken: Sentence): Sentences {
	const mayBeTaken = changed.userName !== undefined || changed.externalId !== undefined;
	const mayBeLastAdmin = changed.active === false;
	if (mayBeTaken && mayBeLastAdmin) return { uniqueness: taken, 409: TAKEN_OR_LAST_ADMIN };
	if (mayBeTaken) return { 409: taken };
	return mayBeLastAdmin ? { 409: LAST_ADMIN } : {};
}

/** E-mails are kept in lower case by the service; its filter finds nothing else. */
export function normalizeEmail(email: string): string {
	return email.trim().toLowerCase();
}

/** `attribute eq "value"` with quotes and backslashes escaped (RFC 7644, 3.4.2.2: JSON string rules). */
export function eqFilter(attribute: 'externalId' | 'userName', value: string): string {
	return `${attribute} eq ${JSON.stringify(value)}`;
}

/** The same resource with its URNs at the end: a table shows the fields in this order, and nobody looks for those. */
export function schemasLast(resource: IDataObject): IDataObject {
	const { schemas, ...fields } = resource;
	return schemas === undefined ? resource : { ...fields, schemas };
}

/** A user resource in one shape: `emails` also when the service wrote `email`, `active` as a boolean. */
export function normalizeUser(resource: IDataObject): ScimUser {
	const { email, ...user } = schemasLast(resource);
	if (Array.isArray(email)) user.emails ??= email;
	else if (email !== undefined) user.email = email;
	const active = typeof user.active === 'string' ? user.active.toLowerCase() : '';
	if (active === 'true' || active === 'false') user.active = active === 'true';
	return user as ScimUser;
}

/** One member as a flat object of eight fields. */
export function simplifyUser(resource: IDataObject): IDataObject {
	const user = normalizeUser(resource);
	const meta = (user.meta ?? {}) as IDataObject;
	return {
		id: user.id,
		email: user.userName,
		givenName: user.name?.givenName ?? null,
		familyName: user.name?.familyName ?? null,
		active: user.active ?? null,
		externalId: user.externalId ?? null,
		created: meta.created ?? null,
		lastModified: meta.lastModified ?? null,
	};
}

export function userList(filter?: string, itemIndex?: number): ListRequest {
	return { path: ['scim', 'Users'], scim: true, query: { filter }, itemIndex };
}

/** The member with this attribute value, or undefined. One request. */
export async function findUser(
	client: Client,
	attribute: 'externalId' | 'userName',
	value: string,
	itemIndex?: number,
): Promise<ScimUser | undefined> {
	const wanted = attribute === 'userName' ? normalizeEmail(value) : value;
	const page = await readListPage(client, userList(eqFilter(attribute, wanted), itemIndex), 1);
	const users = page.Resources.map(normalizeUser);
	return users.find((user) => hasValue(user, attribute, wanted));
}

/** A service that ignored a filter would hand out strangers, so what it gives is looked at again. */
export function hasValue(
	user: ScimUser,
	attribute: 'externalId' | 'userName',
	wanted: string,
): boolean {
	const value = user[attribute];
	if (typeof value !== 'string') return false;
	return attribute === 'userName' ? normalizeEmail(value) === wanted : value === wanted;
}

/** One member. By e-mail this is one filtered read, by id one direct read. */
export async function getUser(client: Client, ref: UserRef, origin: Origin): Promise<ScimUser> {
	if ('id' in ref) return await requestUser(client, userRequest('GET', ref.id, origin));
	const user = await findUser(client, 'userName', ref.email, origin.itemIndex);
	if (!user)
		throw client.notFound(
			{ kind: 'user', parameter: origin.parameter, value: ref.email },
			origin.itemIndex,
		);
	return user;
}

/** The id of a member; one request for an e-mail, none for an id. */
export async function resolveUserId(client: Client, ref: UserRef, origin: Origin): Promise<string> {
	return 'id' in ref ? ref.id : (await getUser(client, ref, origin)).id;
}

/** POST /scim/Users. */
export async function createUser(
	client: Client,
	attributes: UserAttributes,
	origin: Origin,
): Promise<ScimUser> {
	return await requestUser(client, {
		method: 'POST',
		path: ['scim', 'Users'],
		scim: true,
		body: userResource(attributes),
		sentences: conflict(attributes, TAKEN),
		itemIndex: origin.itemIndex,
	});
}

/** PUT /scim/Users/{id}: every value is overwritten, also by an absent one. */
export async function replaceUser(
	client: Client,
	id: string,
	body: IDataObject,
	origin: Origin,
): Promise<ScimUser> {
	const sentences = conflict(body as UserAttributes, TAKEN_BY_ANOTHER);
	return await requestUser(client, { ...userRequest('PUT', id, { ...origin, sentences }), body });
}

/** PATCH /scim/Users/{id} with only the attributes that are present. */
export async function updateUser(
	client: Client,
	id: string,
	{ userName, givenName, familyName, active }: UserAttributes,
	origin: Origin,
): Promise<ScimUser> {
	const values = { userName, 'name.givenName': givenName, 'name.familyName': familyName, active };
	const operations = Object.entries(values)
		.filter(([, value]) => value !== undefined)
		.map(([path, value]): PatchOperation => ({ op: 'replace', path, value }));
	const sentences = conflict({ userName, active }, TAKEN_EMAIL);
	return await patchUser(client, id, operations, { ...origin, sentences });
}

/**
 * Suspends (`active` false) or unsuspends a member. An e-mail goes into the path as it is, as the service's own
 * suspend walk-through does; so this is one request.
 * @throws NodeApiError when the service answers well but reports the other state
 */
export async function setActive(
	client: Client,
	ref: UserRef,
	active: boolean,
	origin: Origin,
): Promise<ScimUser> {
	const segment = 'id' in ref ? ref.id : normalizeEmail(ref.email);
	const operations: PatchOperation[] = [{ op: 'replace', path: 'active', value: active }];
	const user = await patchUser(client, segment, operations, {
		...origin,
		sentences: conflict({ active }, TAKEN),
	});
	if (user.active !== undefined && user.active !== active) {
		throw client.unexpected(
			userRequest('PATCH', segment, origin),
			`the member still ${user.active ? 'active' : 'suspended'}`,
		);
	}
	return user;
}

/** DELETE /scim/Users/{id}: erases all identity data, for ever. */
export async function deleteUser(client: Client, id: string, origin: Origin): Promise<void> {
	await client.request(userRequest('DELETE', id, origin));
}

/** A full user resource as POST and PUT take it. */
export function userResource(attributes: UserAttributes): IDataObject {
	const { userName, givenName, familyName, active, externalId } = attributes;
	return {
		schemas: [USER_SCHEMA],
		userName,
		name: { givenName, familyName },
		...(active === undefined ? {} : { active }),
		...(externalId === undefined ? {} : { externalId }),
	};
}

async function patchUser(
	client: Client,
	segment: string,
	operations: PatchOperation[],
	origin: Origin,
): Promise<ScimUser> {
	const body = { schemas: [PATCH_OP_SCHEMA], Operations: operations };
	return await requestUser(client, { ...userRequest('PATCH', segment, origin), body });
}

/** Sends a request that the spec answers with one user resource. */
async function requestUser(client: Client, request: ServiceRequest): Promise<ScimUser> {
	const resource = await requestScim<IDataObject | undefined>(client, request);
	if (typeof resource?.id !== 'string')
		throw client.unexpected(request, 'something that is no user');
	return normalizeUser(resource);
}

function userRequest(
	method: ServiceRequest['method'],
	segment: string,
	{ parameter, itemIndex, sentences }: Origin,
): ServiceRequest {
	return {
		method,
		path: ['scim', 'Users', segment],
		scim: true,
		subject: { kind: 'user', parameter, value: segment },
		sentences,
		itemIndex,
	};
}
