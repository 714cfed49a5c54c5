import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { difference, uniq, uniqBy } from 'lodash';
import pLimit from 'p-limit';

import type { Client } from './client';
import { once } from './once';
import type { Origin, UserRef } from './scim';
import { findUser, getUser, normalizeEmail, userList } from './scim';
import { readListPages } from './scimList';

/** From the members that a person names to ids, and what becomes of names that are nobody's. */

/** Requests of a look-up at the same time. */
const LOOKUPS_AT_ONCE = 5;

/** More members than this are looked up in the list of all, a page a request, instead of one by one. */
const MOST_ONE_BY_ONE = 100;

export interface Member {
	id: string;
	/** Only of a member who was named by it. */
	email?: string;
}

export interface MemberOrigin extends Origin {
	/** Whether e-mails and ids that no member has fail the item, or are left out and listed. */
	notFound: 'fail' | 'skip';
}

export interface NamedMembers {
	members: Member[];
	/** E-mails and ids that no member has. */
	notFound: string[];
}

const nameOf = ({ id, email }: Member) => email ?? id;

/** The first names of a list, for a sentence. */
export function named(members: Member[]): string {
	const shown = members.slice(0, 5).map((member) => `'${nameOf(member)}'`);
	const more = members.length > 5 ? ` and ${members.length - 5} more` : '';
	return shown.join(', ') + more;
}

/**
 * The ids of members, each once. Ids are taken as they are; each e-mail is looked up once per run.
 * @throws NodeOperationError when an e-mail is nobody's and that is to fail
 */
export async function resolveMembers(
	client: Client,
	refs: UserRef[],
	origin: MemberOrigin,
): Promise<NamedMembers> {
	const emails = uniq(refs.flatMap((ref) => ('email' in ref ? [ref.email] : [])));
	const ids = await lookUp(client, emails, idByEmail, ({ idOf }, email) => idOf.get(email));
	const nobodys = emails.filter((email) => ids.get(email) === undefined);
	const members = refs.flatMap((ref): Member[] => {
		if ('id' in ref) return [ref];
		const id = ids.get(ref.email);
		return id === undefined ? [] : [{ id, email: ref.email }];
	});
	return {
		members: uniqBy(members, ({ id }) => id),
		notFound: skipOrFail(
			client,
			nobodys.map((email) => ({ id: '', email })),
			origin,
		),
	};
}

/** Those of the members named by id whom the service does not know; each id is looked up once per run. */
export async function unknownMembers(
	client: Client,
	members: Member[],
	origin: Origin,
): Promise<Member[]> {
	const ids = members.flatMap(({ id, email }) => (email === undefined ? [id] : []));
	const exists = async (_: Client, id: string) => await userExists(client, id, origin);
	const known = await lookUp(client, ids, exists, ({ ids: all }, id) => all.has(id));
	return members.filter(({ id }) => known.get(id) === false);
}

/** Looks names up, a few one by one and many in the list of all. A failure ends it. */
async function lookUp<T>(
	client: Client,
	names: string[],
	oneByOne: (client: Client, name: string) => Promise<T>,
	inAll: (all: AllUsers, name: string) => T,
): Promise<Map<string, T>> {
	if (names.length > MOST_ONE_BY_ONE) {
		const all = await once(client, 'all users', async () => await readAllUsers(client));
		return new Map(names.map((name) => [name, inAll(all, name)]));
	}
	const limit = pLimit(LOOKUPS_AT_ONCE);
	try {
		const found = await Promise.all(names.map(async (name) => await limit(oneByOne, client, name)));
		return new Map(names.map((name, i) => [name, found[i]]));
	} finally {
		limit.clearQueue();
	}
}

interface AllUsers {
	ids: Set<string>;
	/** Id by e-mail. */
	idOf: Map<string, string>;
}

async function readAllUsers(client: Client): Promise<AllUsers> {
	const all: AllUsers = { ids: new Set(), idOf: new Map() };
	for await (const page of readListPages(client, userList(), { sideBySide: LOOKUPS_AT_ONCE })) {
		for (const { id, userName } of page) {
			all.ids.add(String(id));
			all.idOf.set(normalizeEmail(String(userName)), String(id));
		}
	}
	return all;
}

async function idByEmail(client: Client, email: string): Promise<string | undefined> {
	return await once(
		client,
		`user ${email}`,
		async () => (await findUser(client, 'userName', email))?.id,
	);
}

async function userExists(client: Client, id: string, origin: Origin): Promise<boolean> {
	return await once(client, `user id ${id}`, async () => {
		try {
			await getUser(client, { id }, origin);
			return true;
		} catch (error) {
			// Some services call an id of another form than theirs invalid.
			if (hasStatus(error, '404', '400')) return false;
			throw asItIs(error);
		}
	});
}

const hasStatus = (error: unknown, ...statuses: string[]) =>
	error instanceof NodeApiError && statuses.includes(error.httpCode ?? '');

const asItIs = (error: unknown) => error;

/**
 * The names of members who do not exist, to be listed in the output.
 * @throws NodeOperationError naming them when they are to fail
 */
export function skipOrFail(client: Client, nobodys: Member[], origin: MemberOrigin): string[] {
	const names = nobodys.map(nameOf);
	if (names.length === 0 || origin.notFound === 'skip') return names;
	const error = new NodeOperationError(
		client.node,
		`No member has the e-mail or ID ${named(nobodys)}`,
		{
			description: `Change '${origin.parameter}', or set 'Members Not Found' under Options to 'Skip and List'.`,
			itemIndex: origin.itemIndex,
		},
	);
	error.context.data = { notFound: names };
	throw error;
}

/**
 * Sends members with `send`. When the service refuses them, finds out who of them does not exist, and either sends
 * the others or names them in the error: a refused request has changed nothing, so sending again is safe.
 */
export async function sendExisting<T>(
	client: Client,
	members: Member[],
	origin: MemberOrigin,
	send: (members: Member[]) => Promise<T>,
): Promise<{ answer: T; sent: Member[]; notFound: string[] }> {
	try {
		return { answer: await send(members), sent: members, notFound: [] };
	} catch (error) {
		const isRefusal = hasStatus(error, '400', '404', '422');
		const unknown = isRefusal ? await unknownMembers(client, members, origin) : [];
		if (unknown.length === 0) throw asItIs(error);
		const notFound = skipOrFail(client, unknown, origin);
		const sent = difference(members, unknown);
		return { answer: await send(sent), sent, notFound };
	}
}
