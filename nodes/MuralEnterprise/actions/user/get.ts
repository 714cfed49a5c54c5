import { optionsCollection } from '../../../shared/descriptions';
import { getUser } from '../../../shared/scim';
import type { Operation } from '../operation';
import { toItem } from '../operation';
import { readUserOutput, readUserRef, USER, userOutput, userParameter } from './userParameters';

/** Spec: SCIM users, GET /scim/Users/{id}. */
export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get a user',
		description: 'Retrieve one member',
	},
	properties: [userParameter('The member to retrieve'), ...userOutput, optionsCollection()],
	async execute(context) {
		const origin = { parameter: USER, itemIndex: context.itemIndex };
		const shape = readUserOutput(context);
		return [toItem(context, shape(await getUser(context.client, readUserRef(context), origin)))];
	},
};
