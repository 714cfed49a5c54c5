import type { INodeProperties } from 'n8n-workflow';

import { userLocator } from '../../../shared/descriptions';
import { once } from '../../../shared/once';
import type { ScimUser, UserRef } from '../../../shared/scim';
import { getUser, normalizeEmail } from '../../../shared/scim';
import type { Transfer } from '../../../shared/transfer';
import { readUserRef } from '../locators';
import type { LockKey, OperationContext } from '../operation';
import { badInput, collection, toggle } from '../operation';

/** Parameters that Start and Start and Wait share, and how they are read. */

const FROM = 'From User';
const TO = 'To User';

export const transferProperties: INodeProperties[] = [
	userLocator('fromUser', FROM, 'The member whose content is given away; may be suspended'),
	userLocator(
		'toUser',
		TO,
		'The member who gets the content. Has to belong to every workspace of the other one.',
	),
];

export const checkMembersFirst: INodeProperties = {
	displayName: 'Check Members First',
	name: 'checkMembersFirst',
	type: 'boolean',
	default: true,
	description:
		'Whether to read both members before starting, and not to start unless both exist and differ and the receiver is not suspended. The service itself does not refuse a suspended receiver.',
};

/**
 * From whom to whom. The service takes e-mails, so a member named by ID is looked up, once per run.
 * @throws NodeOperationError when both are the same member, before anything else is sent
 */
export async function readTransfer(context: OperationContext): Promise<Transfer> {
	const from = readUserRef(context, 'fromUser', FROM);
	const to = readUserRef(context, 'toUser', TO);
	if (JSON.stringify(from) === JSON.stringify(to)) throw sameMember(context);
	const transfer = {
		transferFromUser: await emailOf(context, from, FROM),
		transferToUser: await emailOf(context, to, TO),
	};
	if (transfer.transferFromUser === transfer.transferToUser) throw sameMember(context);
	return transfer;
}

/**
 * What a member gives away and what a member gets depend on the order; several givers may share a receiver.
 */
export async function transferLockKeys(context: OperationContext): Promise<LockKey[]> {
	const { transferFromUser, transferToUser } = await readTransfer(context);
	return [
		{ by: 'email', value: transferFromUser },
		{ by: 'email', value: transferToUser, isShared: true },
	];
}

/** Does what the option Check Members First promises, if it is on. */
export async function checkMembers(context: OperationContext, transfer: Transfer): Promise<void> {
	const { checkMembersFirst: wanted = false } = collection(context, 'options');
	if (!toggle(context, wanted, 'Check Members First')) return;
	const from = await member(context, { email: transfer.transferFromUser }, FROM);
	const to = await member(context, { email: transfer.transferToUser }, TO);
	if (from.id === to.id) throw sameMember(context);
	if (to.active !== false) return;
	throw badInput(
		context,
		`The member in '${TO}' is suspended: '${transfer.transferToUser}'`,
		`Nobody could open the content then. Choose another member in '${TO}', unsuspend this one, or switch 'Check Members First' off.`,
	);
}

async function emailOf(context: OperationContext, ref: UserRef, label: string): Promise<string> {
	if ('email' in ref) return ref.email;
	const { userName } = await once(
		context.client,
		`user id ${ref.id} as ${label} of a transfer`,
		async () => await member(context, ref, label),
	);
	if (typeof userName === 'string' && userName !== '') return normalizeEmail(userName);
	throw badInput(
		context,
		`The service tells no e-mail of the member in '${label}'`,
		`Name the member by e-mail in '${label}'.`,
	);
}

async function member(context: OperationContext, ref: UserRef, label: string): Promise<ScimUser> {
	return await getUser(context.client, ref, { parameter: label, itemIndex: context.itemIndex });
}

function sameMember(context: OperationContext) {
	return badInput(
		context,
		`'${FROM}' and '${TO}' are the same member`,
		`Change '${TO}' (or '${FROM}') so that they name two different members.`,
	);
}
