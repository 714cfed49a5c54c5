import { scimPatch } from 'scim-patch';
import { invalid } from './errors.mts';
import { USER_SCHEMA, patchOperations } from './scim.mts';
import type { State, User } from './types.mts';

/** Attributes a client can write. */
export interface UserBody {
	userName: string;
	externalId?: string | null;
	active?: boolean | null;
	name?: { givenName?: string | null; familyName?: string | null } | null;
	userType?: string | null;
	profileUrl?: string | null;
}

const nullableText = { type: ['string', 'null'] };
const userProperties = {
	schemas: { type: 'array', items: { type: 'string' }, contains: { const: USER_SCHEMA } },
	userName: { type: 'string', pattern: '^[^\\s@]+@[^\\s@]+$' },
	externalId: nullableText,
	active: { type: ['boolean', 'null'] },
	userType: nullableText,
	profileUrl: nullableText,
	emails: {
		type: ['array', 'null'],
		items: {
			type: 'object',
			properties: { primary: { type: 'boolean' }, value: { type: 'string' } },
		},
	},
};
export const createSchema = {
	type: 'object',
	required: ['schemas', 'userName', 'name'],
	properties: {
		...userProperties,
		name: {
			type: 'object',
			required: ['givenName', 'familyName'],
			properties: {
				givenName: { type: 'string', minLength: 1 },
				familyName: { type: 'string', minLength: 1 },
			},
		},
	},
};
export const replaceSchema = {
	type: 'object',
	required: ['schemas', 'userName'],
	properties: {
		...userProperties,
		name: {
			type: ['object', 'null'],
			properties: { givenName: nullableText, familyName: nullableText },
		},
	},
};
const PATCHES = [
	'replace active',
	'replace userName',
	'replace name.givenName',
	'replace name.familyName',
];

/** By id or, as the suspend walk-through has it, by e-mail; both must match exactly. */
export function findUser(state: State, idOrEmail: string): User | undefined {
	const byId = state.users.get(idOrEmail);
	if (byId || !idOrEmail.includes('@')) return byId;
	return findByEmail(state, idOrEmail);
}

export function findByEmail(state: State, email: string): User | undefined {
	for (const user of state.users.values()) if (user.userName === email) return user;
	return undefined;
}

/** The user as the service shows it (spec: SCIM user). @param emailsKey `email` in suspend answers. */
export function showUser(user: User, emailsKey: 'email' | 'emails' = 'emails') {
	const iso = (ms: number) => new Date(ms).toISOString();
	return {
		schemas: [USER_SCHEMA],
		id: user.id,
		...(user.externalId !== undefined && { externalId: user.externalId }),
		userName: user.userName,
		name: { givenName: user.givenName, familyName: user.familyName },
		active: user.active,
		[emailsKey]: [{ primary: true, value: user.userName }],
		...(user.userType !== undefined && { userType: user.userType }),
		...(user.profileUrl !== undefined && { profileUrl: user.profileUrl }),
		meta: {
			created: iso(user.created),
			lastModified: iso(user.lastModified),
			resourceType: 'User',
		},
	};
}

const NOT_DECOMPOSED: Record<string, string> = { ø: 'o', Ø: 'O', ł: 'l', Ł: 'L', ß: 'ss', æ: 'ae' };

export const deaccent = (text: string) =>
	text
		.normalize('NFD')
		.replace(/\p{M}/gu, '')
		.replace(/[øØłŁßæ]/g, (letter) => NOT_DECOMPOSED[letter]);

/** true/false, or their text in any case (spec: PatchOp). */
function parseActive(value: unknown): boolean {
	const text = typeof value === 'string' ? value.toLowerCase() : value;
	if (text === true || text === 'true') return true;
	if (text === false || text === 'false') return false;
	throw invalid('active must be true or false');
}

export type Writable = Omit<User, 'id' | 'created' | 'lastModified' | 'locked'>;

export function writable(body: UserBody): Writable {
	return {
		userName: body.userName.toLowerCase(),
		givenName: body.name?.givenName ?? '',
		familyName: body.name?.familyName ?? '',
		active: body.active ?? true,
		externalId: body.externalId ?? undefined,
		userType: body.userType ?? undefined,
		profileUrl: body.profileUrl ?? undefined,
	};
}

/** Overwrites everything but externalId, which cannot be modified once set (spec: SCIM user, PUT). */
export function replaced(user: User, body: UserBody): Writable {
	const values = writable(body);
	if (user.externalId === undefined) return values;
	if (values.externalId !== undefined && values.externalId !== user.externalId) {
		throw invalid('externalId cannot be modified once set', 'mutability');
	}
	return { ...values, externalId: user.externalId };
}

export function patched(user: User, body: unknown): { values: Writable; suspends: boolean } {
	const operations = patchOperations(body, PATCHES).map((operation) => {
		if (operation.path === 'active') return { ...operation, value: parseActive(operation.value) };
		if (typeof operation.value !== 'string') throw invalid(`${operation.path} must be a string`);
		if (operation.path === 'userName' && !/^[^\s@]+@[^\s@]+$/.test(operation.value)) {
			throw invalid('userName must be an e-mail address');
		}
		return operation;
	});
	const { locked: _, created, lastModified, ...rest } = user;
	const { givenName, familyName } = user;
	const resource = {
		...rest,
		schemas: [USER_SCHEMA],
		name: { givenName, familyName },
		meta: { created: new Date(created), lastModified: new Date(lastModified) },
	};
	const result = scimPatch(resource, operations);
	const suspends = operations.some(({ path, value }) => path === 'active' && value === false);
	return { values: writable(result), suspends };
}
