import type { INodeExecutionData } from 'n8n-workflow';

import { optionsCollection, returnAllOrLimit } from '../../../shared/descriptions';
import { eqFilter, hasValue, normalizeEmail, normalizeUser, userList } from '../../../shared/scim';
import { readListPages } from '../../../shared/scimList';
import type { Operation } from '../operation';
import {
	checkEmail,
	collection,
	filterText,
	outputLimit,
	readConcurrency,
	toItem,
} from '../operation';
import { readUserOutput, userOutput } from './userParameters';

/** Spec: SCIM users, GET /scim/Users. */
export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many users',
		description: 'List all members, or find one by e-mail or external ID',
	},
	properties: [
		...returnAllOrLimit,
		...userOutput,
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add Filter',
			default: {},
			options: [
				{
					displayName: 'Email',
					name: 'email',
					type: 'string',
					default: '',
					placeholder: 'e.g. ann@example.com',
					description:
						'Only the member with exactly this e-mail. The service has no partial search.',
				},
				{
					displayName: 'External ID',
					name: 'externalId',
					type: 'string',
					default: '',
					placeholder: 'e.g. 00u1a2b3c4',
					description: 'Only the member with exactly this identifier at the identity provider',
				},
			],
		},
		optionsCollection(),
	],
	async execute(context) {
		const { client, itemIndex } = context;
		const limit = outputLimit(context);
		const shape = readUserOutput(context);
		const filters = collection(context, 'filters');
		const typed = filterText(context, filters, 'email', 'Email');
		const email = typed && normalizeEmail(checkEmail(context, typed, 'Email'));
		const externalId = filterText(context, filters, 'externalId', 'External ID');
		// The service takes one filter; both are checked here.
		const filter = email
			? eqFilter('userName', email)
			: externalId && eqFilter('externalId', externalId);
		const paging = { limit, sideBySide: readConcurrency(context) };
		const items: INodeExecutionData[] = [];
		for await (const page of readListPages(client, userList(filter, itemIndex), paging)) {
			for (const resource of page) {
				const user = normalizeUser(resource);
				if (email !== undefined && !hasValue(user, 'userName', email)) continue;
				if (externalId !== undefined && !hasValue(user, 'externalId', externalId)) continue;
				items.push(toItem(context, shape(user)));
				if (items.length >= limit) return items;
			}
		}
		return items;
	},
};
