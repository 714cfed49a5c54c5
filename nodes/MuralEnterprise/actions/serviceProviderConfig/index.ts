import type { Resource } from '../operation';
import { get } from './get';

export const serviceProviderConfig: Resource = {
	label: 'Service Provider Config',
	key: 'serviceProviderConfig',
	defaultOperation: 'get',
	operations: [get],
};
