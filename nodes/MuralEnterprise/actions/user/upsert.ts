import type { IDataObject, JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { optionsCollection } from '../../../shared/descriptions';
import type { ScimUser, UserAttributes } from '../../../shared/scim';
import { createUser, findUser, replaceUser, updateUser } from '../../../shared/scim';
import type { Operation, OperationContext } from '../operation';
import { toItem } from '../operation';
import {
	checkExternalId,
	emailProperty,
	externalIdProperty,
	nameProperties,
	newUserLockKey,
	readNewUser,
} from './userParameters';

/** Spec: SCIM users, GET with filter, then POST or PATCH. */
export const upsert: Operation = {
	option: {
		name: 'Create or Update',
		value: 'upsert',
		action: 'Create or update a user',
		description: 'Create a new record, or update the current one if it already exists (upsert)',
	},
	properties: [
		emailProperty,
		...nameProperties,
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [externalIdProperty],
		},
		optionsCollection(),
	],
	lockKey: newUserLockKey,
	async execute(context) {
		const { client, itemIndex } = context;
		const wanted = readNewUser(context);
		const origin = { parameter: 'Email', itemIndex };
		const email = wanted.userName as string;
		const existing = await findUser(client, 'userName', email, itemIndex);
		if (existing) return [toItem(context, await bringUpToDate(context, existing, wanted))];
		try {
			return [toItem(context, { ...(await createUser(client, wanted, origin)), created: true })];
		} catch (error) {
			// Somebody else created the member since we looked.
			const raced =
				error instanceof NodeApiError && error.httpCode === '409'
					? await findUser(client, 'userName', email, itemIndex)
					: undefined;
			if (raced) return [toItem(context, await bringUpToDate(context, raced, wanted))];
			throw new NodeApiError(client.node, error as JsonObject);
		}
	},
};

async function bringUpToDate(
	context: OperationContext,
	existing: ScimUser,
	wanted: UserAttributes,
): Promise<IDataObject> {
	const { client, itemIndex } = context;
	const origin = { parameter: 'Email', itemIndex };
	const { givenName, familyName, externalId } = wanted;
	checkExternalId(context, existing, externalId);
	if (externalId !== undefined && existing.externalId !== externalId) {
		// PATCH cannot set an External ID; PUT overwrites all, so it carries everything the member has.
		const body = { ...existing, name: { ...existing.name, givenName, familyName }, externalId };
		return { ...(await replaceUser(client, existing.id, body, origin)), created: false };
	}
	const changed = {
		givenName: existing.name?.givenName === givenName ? undefined : givenName,
		familyName: existing.name?.familyName === familyName ? undefined : familyName,
	};
	const isCurrent = changed.givenName === undefined && changed.familyName === undefined;
	const user = isCurrent ? existing : await updateUser(client, existing.id, changed, origin);
	return { ...user, created: false };
}
