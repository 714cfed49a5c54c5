import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { SeveralParameter } from '../../../shared/descriptions';
import { severalProperties, userLocator } from '../../../shared/descriptions';
import type { MemberOrigin } from '../../../shared/members';
import type { MemberChange } from '../../../shared/membership';
import type { UserRef } from '../../../shared/scim';
import { userRef, userRefOf } from '../locators';
import type { InputContext } from '../operation';
import { badInput, checkEmail, collection } from '../operation';
import { readSeveral, refuseEmpty } from '../several';

/** The lists of members that group operations take, and what they tell of the change. */

const MEMBERS: SeveralParameter = {
	source: {
		name: 'memberSource',
		displayName: 'Members',
		description: 'How to name the members: pick them one by one, or give their IDs or e-mails',
	},
	picked: {
		name: 'memberList',
		displayName: 'Member List',
		placeholder: 'Add Member',
		description: 'The members, each picked from the list or named by e-mail or ID',
		locator: userLocator('userId', 'Member', 'A member of the company'),
	},
	typed: {
		name: 'memberIds',
		displayName: 'IDs or Emails',
		placeholder: 'e.g. ann@example.com, 5f1d7c2a9b3e4d0012345678',
		description:
			'IDs or e-mails of members, separated by commas. An expression may also give an array of them, or of objects that hold an id, value, userName or email.',
	},
};

export const memberProperties: INodeProperties[] = severalProperties(MEMBERS);

/** For the Options of operations that take members. */
export const membersNotFoundOption: INodeProperties = {
	displayName: 'Members Not Found',
	name: 'membersNotFound',
	type: 'options',
	options: [
		{
			name: 'Fail',
			value: 'fail',
			description: 'Stop with an error that names them',
		},
		{
			name: 'Skip and List',
			value: 'skip',
			description: 'Go on with the others and list them under notFound',
		},
	],
	default: 'fail',
	description: 'What to do with e-mails and IDs that no member of the company has',
};

/** The members that an item names, and what errors about them need. */
export interface NamedRefs {
	refs: UserRef[];
	origin: MemberOrigin;
}

export function readMembers(context: InputContext): NamedRefs {
	const several = readSeveral(context, MEMBERS, (locator) => {
		const ref = userRef(context, locator, 'Member');
		return 'id' in ref ? ref.id : ref.email;
	});
	const { label, entries } = several;
	const refs = entries.map((entry) =>
		userRefOf(entry.includes('@') ? checkEmail(context, entry, label) : entry),
	);
	const notFound = readNotFound(context);
	return { refs, origin: { parameter: label, itemIndex: context.itemIndex, notFound } };
}

/** As `readMembers`, for operations to which an empty list means nothing. */
export function readSomeMembers(context: InputContext): NamedRefs {
	const named = readMembers(context);
	refuseEmpty(context, { label: named.origin.parameter, entries: named.refs }, 'member');
	return named;
}

function readNotFound(context: InputContext): MemberOrigin['notFound'] {
	const { membersNotFound = 'fail' } = collection(context, 'options');
	if (membersNotFound === 'fail' || membersNotFound === 'skip') return membersNotFound;
	throw badInput(
		context,
		"'Members Not Found' is neither 'fail' nor 'skip'",
		"Choose one in 'Members Not Found' under Options, or use an expression that gives fail or skip.",
	);
}

type Told = Exclude<keyof MemberChange, 'group'>;

/** The group as it then is, with what the operation tells about the members it was given. */
export function changeJson({ group, ...change }: MemberChange, ...told: Told[]): IDataObject {
	return { ...group, ...Object.fromEntries(told.map((name) => [name, change[name]])) };
}
