import { NodeOperationError } from 'n8n-workflow';
import { chunk, difference, negate, partition } from 'lodash';

import type { Client } from './client';
import { withProgress } from './errors';
import type { NewGroup, ScimGroup } from './groups';
import { createGroup, getGroup, patchMembers } from './groups';
import type { Member, MemberOrigin, NamedMembers } from './members';
import { named, sendExisting, skipOrFail, unknownMembers } from './members';
import type { Origin } from './scim';

/** Who belongs to a group: the requests that bring it there, and what they changed. Spec: SCIM groups. */

/** Members in one PATCH that adds or removes. */
export const MEMBERS_PER_REQUEST = 100;

export interface MemberChange {
	/** The group as it then is. */
	group: ScimGroup;
	added: Member[];
	removed: Member[];
	/** Named to be in the group, and in it before. */
	alreadyMembers: Member[];
	/** Named for removal, and not in the group before. */
	notMembers: Member[];
	/** E-mails and ids that no member has. */
	notFound: string[];
}

const NO_CHANGE = { added: [], removed: [], alreadyMembers: [], notMembers: [], notFound: [] };

const idsOf = (members: Member[]) => members.map(({ id }) => id);

const isIn = ({ members }: ScimGroup) => {
	const ids = new Set(members.map(({ value }) => value));
	return ({ id }: Member) => ids.has(id);
};

/**
 * POST /scim/Groups with all members in one request, so that the group is never half-filled.
 * @throws NodeOperationError when the service took other members than those sent
 */
export async function createWithMembers(
	client: Client,
	attributes: NewGroup,
	{ members, notFound }: NamedMembers,
	origin: MemberOrigin,
): Promise<MemberChange> {
	const result = await sendExisting(
		client,
		members,
		origin,
		async (some) => await createGroup(client, attributes, idsOf(some), origin),
	);
	try {
		// The answer is not bound to show the members.
		const group = isComplete(result)
			? result.answer
			: await getGroup(client, result.answer.id, origin);
		const untaken = await notTaken(client, group, result.sent, origin);
		const added = result.sent.filter(isIn(group));
		return { ...NO_CHANGE, group, added, notFound: [...notFound, ...result.notFound, ...untaken] };
	} catch (error) {
		throw withProgress(error, `The group was created (ID ${result.answer.id}).`, {
			id: result.answer.id,
		});
	}
}

const isComplete = ({ answer, sent }: { answer: ScimGroup; sent: Member[] }) =>
	sent.every(isIn(answer));

/** PATCH add, for those who are not in the group yet. Long lists go in parts; an error tells who was added. */
export async function addMembers(
	client: Client,
	groupId: string,
	{ members, notFound }: NamedMembers,
	origin: MemberOrigin,
): Promise<MemberChange> {
	let group: ScimGroup | undefined = await getGroup(client, groupId, origin);
	const [alreadyMembers, missing] = partition(members, isIn(group));
	const nobodys = [...notFound];
	let added: Member[] = [];
	try {
		for (const part of chunk(missing, MEMBERS_PER_REQUEST)) {
			const current: ScimGroup | undefined = group;
			const send = async (some: Member[]): Promise<ScimGroup | undefined> =>
				some.length === 0
					? current
					: await patchMembers(client, groupId, 'add', idsOf(some), origin);
			const result = await sendExisting(client, part, origin, send);
			group = result.answer;
			added.push(...result.sent);
			nobodys.push(...result.notFound);
		}
		group ??= await getGroup(client, groupId, origin);
		const sent = added;
		added = sent.filter(isIn(group));
		nobodys.push(...(await notTaken(client, group, sent, origin)));
	} catch (error) {
		throw withMembers(error, 'added', added, missing.length);
	}
	return { ...NO_CHANGE, group, added, alreadyMembers, notFound: nobodys };
}

/** PATCH remove, for those who are in the group. Long lists go in parts; an error tells who was removed. */
export async function removeMembers(
	client: Client,
	groupId: string,
	{ members, notFound }: NamedMembers,
	origin: MemberOrigin,
): Promise<MemberChange> {
	let group: ScimGroup | undefined = await getGroup(client, groupId, origin);
	const [present, absent] = partition(members, isIn(group));
	const unknown = await unknownMembers(client, absent, origin);
	const nobodys = [...notFound, ...skipOrFail(client, unknown, origin)];
	let removed: Member[] = [];
	try {
		for (const part of chunk(present, MEMBERS_PER_REQUEST)) {
			group = await patchMembers(client, groupId, 'remove', idsOf(part), origin);
			removed.push(...part);
		}
		group ??= await getGroup(client, groupId, origin);
		const left = removed.filter(isIn(group));
		removed = difference(removed, left);
		if (left.length > 0) throw notAsAsked(client, `did not remove ${named(left)}`, origin);
	} catch (error) {
		throw withMembers(error, 'removed', removed, present.length);
	}
	const notMembers = difference(absent, unknown);
	return { ...NO_CHANGE, group, removed, notMembers, notFound: nobodys };
}

/**
 * PATCH replace with the whole list in one request, however long: in parts the group would for a while hold neither
 * the old nor the new members.
 * @param beforeEmptying called before the group is left without members; throws when it must not be
 */
export async function replaceMembers(
	client: Client,
	groupId: string,
	{ members, notFound }: NamedMembers,
	beforeEmptying: () => void,
	origin: MemberOrigin,
): Promise<MemberChange> {
	const before = await getGroup(client, groupId, origin);
	const isWanted = (wanted: Member[], { members: current }: ScimGroup) => {
		const ids = new Set(idsOf(wanted));
		return current.length === ids.size && current.every(({ value }) => ids.has(value));
	};
	const result = await sendExisting(client, members, origin, async (some) => {
		if (some.length === 0) beforeEmptying();
		return isWanted(some, before)
			? before
			: await patchMembers(client, groupId, 'replace', idsOf(some), origin);
	});
	const group = result.answer ?? (await getGroup(client, groupId, origin));
	const untaken = await notTaken(client, group, result.sent, origin);
	const present = result.sent.filter(isIn(group));
	if (!isWanted(present, group)) {
		throw notAsAsked(client, 'left other members in the group than those sent', origin);
	}
	const [alreadyMembers, added] = partition(present, isIn(before));
	const wasRemoved = negate(isIn(group));
	return {
		...NO_CHANGE,
		group,
		added,
		removed: before.members.map(({ value }) => ({ id: value })).filter(wasRemoved),
		alreadyMembers,
		notFound: [...notFound, ...result.notFound, ...untaken],
	};
}

/**
 * Names of members whom the service left out because it does not know them, though it accepted the request.
 * @throws NodeOperationError when they are to fail, or when it left out members it knows
 */
async function notTaken(
	client: Client,
	group: ScimGroup,
	sent: Member[],
	origin: MemberOrigin,
): Promise<string[]> {
	const untaken = sent.filter(negate(isIn(group)));
	const unknown = await unknownMembers(client, untaken, origin);
	const left = difference(untaken, unknown);
	if (left.length > 0) throw notAsAsked(client, `did not add ${named(left)}`, origin);
	return skipOrFail(client, unknown, origin);
}

function notAsAsked(client: Client, what: string, { itemIndex }: Origin): NodeOperationError {
	return new NodeOperationError(client.node, `The service accepted the change but ${what}`, {
		description:
			'Look at the group again: somebody may have changed it at the same time. If not, the identity provider may manage this group.',
		itemIndex,
	});
}

function withMembers(
	error: unknown,
	verb: 'added' | 'removed',
	done: Member[],
	of: number,
): unknown {
	if (done.length === 0) return error;
	const note = `Before this, ${done.length} of ${of} members were ${verb}; the details list them.`;
	return withProgress(error, note, { [verb]: done.map((member) => ({ ...member })) });
}
