import { optionsCollection } from '../../../shared/descriptions';
import { setActive } from '../../../shared/scim';
import type { Operation } from '../operation';
import { toItem } from '../operation';
import { readUserRef, USER, userLockKey, userParameter } from './userParameters';

/** Spec: States and transitions, Member: active to suspended. */
export const suspend: Operation = {
	option: {
		name: 'Suspend',
		value: 'suspend',
		action: 'Suspend a user',
		description: 'Lock a member out at once; profile and content stay, billable days are paused',
	},
	properties: [userParameter('The member to lock out'), optionsCollection()],
	lockKey: userLockKey,
	async execute(context) {
		const origin = { parameter: USER, itemIndex: context.itemIndex };
		return [toItem(context, await setActive(context.client, readUserRef(context), false, origin))];
	},
};
