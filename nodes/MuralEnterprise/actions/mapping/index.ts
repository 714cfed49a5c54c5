import type { Resource } from '../operation';
import { addWorkspaces } from './addWorkspaces';
import { get } from './get';
import { getAll } from './getAll';
import { removeWorkspaces } from './removeWorkspaces';
import { setWorkspaces } from './setWorkspaces';

export const mapping: Resource = {
	label: 'Mapping',
	key: 'mapping',
	defaultOperation: 'getAll',
	operations: [addWorkspaces, get, getAll, removeWorkspaces, setWorkspaces],
};
