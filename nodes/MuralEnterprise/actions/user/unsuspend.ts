import { optionsCollection } from '../../../shared/descriptions';
import { setActive } from '../../../shared/scim';
import type { Operation } from '../operation';
import { toItem } from '../operation';
import { readUserRef, USER, userLockKey, userParameter } from './userParameters';

/** Spec: States and transitions, Member: suspended to active. */
export const unsuspend: Operation = {
	option: {
		name: 'Unsuspend',
		value: 'unsuspend',
		action: 'Unsuspend a user',
		description:
			'Let a suspended member sign in again; former workspaces open once their admins approve',
	},
	properties: [userParameter('The member to let in again'), optionsCollection()],
	lockKey: userLockKey,
	async execute(context) {
		const origin = { parameter: USER, itemIndex: context.itemIndex };
		return [toItem(context, await setActive(context.client, readUserRef(context), true, origin))];
	},
};
