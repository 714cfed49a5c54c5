import type { Execution } from './n8nApi.mts';
import { itemsOf } from './n8nApi.mts';

/** The example a newcomer runs first, and the one the check runs. */
export const EXAMPLE_FILE = 'suspend-member-and-verify.json';
export const EXAMPLE_TRIGGER = 'Start';

/** A member, as far as the example's first step reads it. Spec: SCIM user. */
export interface MemberRead {
	id: string;
	userName: string;
	active: boolean;
	name: { givenName: string; familyName: string };
}

/** What the example's last step puts out. */
export interface ExampleResult {
	member: string;
	active: boolean;
	entryId: string;
	action: string;
	/** ISO. */
	date: string;
	actor: string;
}

export interface ExampleRun {
	members: MemberRead[];
	suspended: MemberRead[];
	results: ExampleResult[];
}

/** What a run of the example did, from n8n's record of it. */
export function readRun(execution: Execution): ExampleRun {
	const items = <T,>(node: string) => itemsOf(execution, node) as T[];
	return {
		members: items('List members'),
		suspended: items('Suspend the member'),
		results: items('Result'),
	};
}
