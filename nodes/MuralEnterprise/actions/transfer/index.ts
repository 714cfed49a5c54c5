import type { Resource } from '../operation';
import { getStatus } from './getStatus';
import { start } from './start';
import { startAndWait } from './startAndWait';

export const transfer: Resource = {
	label: 'Transfer',
	key: 'transfer',
	defaultOperation: 'startAndWait',
	operations: [getStatus, start, startAndWait],
};
