import { notice, optionsCollection } from '../../../shared/descriptions';
import { deleteUser, resolveUserId } from '../../../shared/scim';
import type { InputContext, Operation } from '../operation';
import { badInput, toItem } from '../operation';
import { readUserRef, USER, userLockKey, userParameter } from './userParameters';

const ALLOW_ERASING = 'Allow Erasing';

/** Spec: SCIM users, DELETE; States and transitions, Member. */
export const deleteOperation: Operation = {
	option: {
		name: 'Delete',
		value: 'delete',
		action: 'Delete a user for ever',
		description: 'Erase a member and all their identity data permanently',
	},
	properties: [
		notice(
			'deleteNotice',
			'Deleting erases all identity data of the member and cannot be undone. To lock somebody out and keep the account, use <b>Suspend</b>. To keep the content, run <b>Transfer</b> first.',
		),
		userParameter('The member to erase'),
		{
			displayName: ALLOW_ERASING,
			name: 'allowErasing',
			type: 'boolean',
			// Without expressions, so that an AI agent cannot fill it in.
			noDataExpression: true,
			default: false,
			description:
				'Whether the AI agent that uses this tool may erase members permanently. Off refuses every call.',
			displayOptions: { show: { '@tool': [true] } },
		},
		optionsCollection(),
	],
	lockKey: userLockKey,
	async execute(context) {
		refuseUnaskedTool(context);
		const origin = { parameter: USER, itemIndex: context.itemIndex };
		const id = await resolveUserId(context.client, readUserRef(context), origin);
		await deleteUser(context.client, id, origin);
		return [toItem(context, { deleted: true, id })];
	},
};

/** n8n names the tool variant of a node by this suffix. */
const isTool = ({ host }: InputContext) => host.getNode().type.endsWith('Tool');

function refuseUnaskedTool(context: InputContext): void {
	// The switch itself, not what an expression makes of it: the agent's values come through expressions.
	if (!isTool(context) || context.host.getNode().parameters.allowErasing === true) return;
	throw badInput(
		context,
		'This tool may not erase members',
		`The author of the workflow has to switch '${ALLOW_ERASING}' on in the node first. Suspending a member needs no such permission.`,
	);
}
