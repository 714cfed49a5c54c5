import type { Resource } from '../operation';
import { exportFiles } from './export';
import { getAll } from './getAll';

export const auditLog: Resource = {
	label: 'Audit Log',
	key: 'auditLog',
	defaultOperation: 'getAll',
	operations: [exportFiles, getAll],
};
