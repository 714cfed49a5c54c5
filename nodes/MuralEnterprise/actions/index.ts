import { auditLog } from './auditLog';
import { group } from './group';
import { mapping } from './mapping';
import type { Resource } from './operation';
import { serviceProviderConfig } from './serviceProviderConfig';
import { transfer } from './transfer';
import { user } from './user';

/** In the order the editor lists them. */
export const resources: Resource[] = [
	auditLog,
	group,
	mapping,
	serviceProviderConfig,
	transfer,
	user,
];
