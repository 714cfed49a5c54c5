import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { Client } from '../../shared/client';
import { groupList } from '../../shared/groups';
import { mappingList, normalizeMapping } from '../../shared/mapping';
import { findUser, normalizeUser, userList } from '../../shared/scim';
import { isLastPage, readListPage, readListPages } from '../../shared/scimList';
import type { ListRequest } from '../../shared/scimList';

/** Lists behind the locators: search and every page. */

/** A list that a search has thinned out goes on reading until it can show at least this many. */
const ENOUGH_RESULTS = 20;

interface Choice {
	name: string;
	value: string;
}

/**
 * Entries from `paginationToken` (a 1-based start index) on. The service cannot search by a part of a name, so
 * pages are read and thinned out here until there is enough to show.
 */
async function searchList(
	client: Client,
	list: ListRequest,
	toChoice: (resource: IDataObject) => Choice,
	filter: string | undefined,
	paginationToken: unknown,
): Promise<INodeListSearchResult> {
	const wanted = folded(filter ?? '');
	const results: Choice[] = [];
	const seen = new Set<string>();
	let startIndex = Number(paginationToken ?? 1);
	for (;;) {
		const page = await readListPage(client, list, startIndex);
		startIndex += page.Resources.length;
		const choices = page.Resources.map(toChoice).filter(({ value }) => !seen.has(value));
		for (const { value } of choices) seen.add(value);
		results.push(...choices.filter(({ name }) => folded(name).includes(wanted)));
		// A service that knows no pages gives the same one again.
		if (isLastPage(page, startIndex) || choices.length === 0) return { results };
		if (results.length >= ENOUGH_RESULTS) return { results, paginationToken: String(startIndex) };
	}
}

/** In lower case and without accents, which the service may have taken off names. */
function folded(text: string): string {
	return text.trim().normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

function userChoice(resource: IDataObject): Choice {
	const user = normalizeUser(resource);
	const name = [user.name?.givenName, user.name?.familyName].filter(Boolean).join(' ');
	// Before the e-mail: the editor cuts long choices off.
	const suspended = user.active === false ? '(suspended)' : '';
	const words = [name, suspended, `<${user.userName}>`].filter((word) => word !== '');
	return { name: words.join(' '), value: user.id };
}

export async function searchUsers(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: unknown,
): Promise<INodeListSearchResult> {
	const client = await Client.create(this);
	if (filter?.includes('@') && paginationToken === undefined) {
		const user = await findUser(client, 'userName', filter);
		if (user) return { results: [userChoice(user)] };
	}
	return await searchList(client, userList(), userChoice, filter, paginationToken);
}

export async function searchGroups(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: unknown,
): Promise<INodeListSearchResult> {
	const client = await Client.create(this);
	return await searchList(client, groupList(), groupChoice, filter, paginationToken);
}

/** For operations on mappings, whose API key may not be allowed to read the SCIM groups. */
export async function searchMappedGroups(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: unknown,
): Promise<INodeListSearchResult> {
	const client = await Client.create(this);
	return await searchList(client, mappingList(), groupChoice, filter, paginationToken);
}

const groupChoice = ({ id, displayName, name }: IDataObject): Choice => ({
	name: String(displayName ?? name),
	value: String(id),
});

/** The service lists no workspaces, so these are the ones that some group is mapped to. */
export async function searchWorkspaces(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const client = await Client.create(this);
	const groups = new Map<string, number>();
	for await (const page of readListPages(client, mappingList(), { sideBySide: 5 })) {
		for (const resource of page) {
			for (const workspaceId of Object.keys(normalizeMapping(resource).workspaces)) {
				groups.set(workspaceId, (groups.get(workspaceId) ?? 0) + 1);
			}
		}
	}
	const wanted = folded(filter ?? '');
	const results = [...groups]
		.filter(([workspaceId]) => folded(workspaceId).includes(wanted))
		.sort(([a], [b]) => a.localeCompare(b))
		.map(([value, count]) => ({
			name: `${value} – ${count} ${count === 1 ? 'group' : 'groups'}`,
			value,
		}));
	return { results };
}
