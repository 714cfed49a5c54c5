import type { Resource } from '../operation';
import { create } from './create';
import { deleteOperation } from './delete';
import { get } from './get';
import { getAll } from './getAll';
import { replace } from './replace';
import { suspend } from './suspend';
import { unsuspend } from './unsuspend';
import { update } from './update';
import { upsert } from './upsert';

export const user: Resource = {
	label: 'User',
	key: 'user',
	defaultOperation: 'getAll',
	operations: [create, upsert, deleteOperation, get, getAll, replace, suspend, unsuspend, update],
};
