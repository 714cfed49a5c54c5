import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Fault, Sandbox } from '../../sandbox/index.mts';
import type { User } from '../../sandbox/types.mts';

/** Refusals and failures of the service, and what a person is told. */

export interface ServiceError {
	/** The spec's row, or where else it is from. */
	name: string;
	resource: string;
	operation: string;
	/** May hold `{{ $json.x }}` of the items. */
	parameters(sandbox: Sandbox): INodeParameters;
	/** The last one fails, the ones before succeed. Default: one empty item. */
	items?(sandbox: Sandbox): IDataObject[];
	/** Brings the sandbox into the state that fails. */
	before?(sandbox: Sandbox): void;
	fault?: Fault;
	/** A key other than the sandbox's own. */
	key?(sandbox: Sandbox): string;
	message: string;
	description: string[];
	httpCode: string;
	cause: string;
	/** Fields of the Continue On Fail item's details. */
	details: IDataObject;
}

export const email = (value: string) => ({ __rl: true, mode: 'email', value });
export const id = (value: string) => ({ __rl: true, mode: 'id', value });

export const usersOf = ({ state }: Sandbox): User[] => [...state.users.values()];

/** An answer in the service's words, for conditions that the node does not let happen. */
export const answer = (status: number, body: IDataObject): Fault => ({
	kind: 'body',
	status,
	body,
	count: null,
});

export const refused = (status: number, retryAfter?: number): Fault => ({
	kind: 'status',
	status,
	count: null,
	...(retryAfter === undefined ? {} : { retryAfter }),
});
