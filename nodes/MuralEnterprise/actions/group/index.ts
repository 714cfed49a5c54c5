import type { Resource } from '../operation';
import { addMembers } from './addMembers';
import { create } from './create';
import { deleteOperation } from './delete';
import { get } from './get';
import { getAll } from './getAll';
import { removeMembers } from './removeMembers';
import { replaceMembers } from './replaceMembers';
import { update } from './update';

export const group: Resource = {
	label: 'Group',
	key: 'group',
	defaultOperation: 'getAll',
	operations: [
		addMembers,
		create,
		deleteOperation,
		get,
		getAll,
		removeMembers,
		replaceMembers,
		update,
	],
};
