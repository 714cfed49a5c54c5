import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/index.mts';
import type { ServiceError } from './serviceRows.mts';
import { answer, email, refused, usersOf } from './serviceRows.mts';

/** The spec's section Errors, each row for both transfer requests. */

const pair = (fromUser: string, toUser: string) => ({
	fromUser: email(fromUser),
	toUser: email(toUser),
});
/** From and to are in the items. */
const FROM_ITEM = pair('={{ $json.from }}', '={{ $json.to }}');
const anyPair = (sandbox: Sandbox): INodeParameters => {
	const [boss, , , , , leaver] = usersOf(sandbox);
	return pair(leaver.userName, boss.userName);
};
const good = (sandbox: Sandbox) => {
	const [boss, , , , , leaver] = usersOf(sandbox);
	return { from: leaver.userName, to: boss.userName };
};
const aJob = () => ({ jobId: 'some-job' });

type Row = Omit<ServiceError, 'name' | 'operation' | 'parameters' | 'resource'>;

/** One row of the spec, for Start and for Get Status. */
function both(name: string, row: Row, start: Partial<ServiceError> = {}): ServiceError[] {
	const common = { resource: 'transfer', ...row };
	return [
		{ ...common, name: `${name}, create`, operation: 'start', parameters: anyPair, ...start },
		{ ...common, name: `${name}, status`, operation: 'getStatus', parameters: aJob },
	];
}

export const specRows: ServiceError[] = [
	...both('401 API_KEY', {
		key: () => 'not-a-key-of-this-service',
		message: 'The service did not accept the API key',
		description: ['credential "Mural Enterprise API"', 'HTTP 401', 'API_KEY'],
		httpCode: '401',
		cause: 'credential-invalid',
		details: { status: 401, code: 'API_KEY' },
	}),
	...both('403 SCOPES', {
		key: ({ admin }) => admin.createKey({ scopes: ['audit', 'scim', 'mapping'] }).key,
		message: 'The API key lacks the scope for this operation',
		description: ['manage_content', 'credential "Mural Enterprise API"', 'HTTP 403', 'SCOPES'],
		httpCode: '403',
		cause: 'credential-invalid',
		details: { status: 403, code: 'SCOPES' },
	}),
	...both('400 SAME_USER', {
		fault: answer(400, { error: 'SAME_USER' }),
		message: 'The source and the destination of the transfer are the same member',
		description: ["'To User'", "'From User'", 'HTTP 400', 'SAME_USER'],
		httpCode: '400',
		cause: 'configuration-invalid',
		details: { status: 400, code: 'SAME_USER' },
	}),
	...both(
		'400 FROM_USER_NOT_MEMBER',
		{
			fault: answer(400, { error: 'FROM_USER_NOT_MEMBER' }),
			message: 'The source of the transfer is not a member of the company',
			description: ["Change 'From User'", 'HTTP 400', 'FROM_USER_NOT_MEMBER'],
			httpCode: '400',
			cause: 'configuration-invalid',
			details: { status: 400, code: 'FROM_USER_NOT_MEMBER' },
		},
		{
			fault: undefined,
			parameters: () => FROM_ITEM,
			items: (sandbox) => [good(sandbox), { ...good(sandbox), from: 'nobody@example.com' }],
		},
	),
	...both(
		'400 TO_USER_NOT_MEMBER',
		{
			fault: answer(400, { error: 'TO_USER_NOT_MEMBER' }),
			message: 'The destination of the transfer is not a member of the company',
			description: ["Change 'To User'", 'HTTP 400', 'TO_USER_NOT_MEMBER'],
			httpCode: '400',
			cause: 'configuration-invalid',
			details: { status: 400, code: 'TO_USER_NOT_MEMBER' },
		},
		{
			fault: undefined,
			parameters: () => FROM_ITEM,
			items: (sandbox) => [good(sandbox), { ...good(sandbox), to: 'nobody@example.com' }],
		},
	),
	...both('429 without a code', {
		fault: refused(429, 600),
		message: 'The service refused further requests: its rate limit is reached',
		description: ["'Concurrency'", 'HTTP 429'],
		httpCode: '429',
		cause: 'rate-limited',
		details: { status: 429, retryAfterMs: 600_000 },
	}),
	{
		name: 'job failure TO_USER_NOT_WORKSPACE_MEMBER',
		resource: 'transfer',
		operation: 'startAndWait',
		parameters: () => FROM_ITEM,
		items: (sandbox) => {
			const { from, to } = good(sandbox);
			return [
				{ from, to },
				{ from: to, to: from },
			];
		},
		before: (sandbox) => {
			sandbox.admin.configure({ transfer: { durationMs: 0 } });
			const [boss, , , , , leaver] = usersOf(sandbox);
			sandbox.state.workspaces.clear();
			for (const workspaceId of ['design1234', 'sales5678']) {
				const members = new Map([[boss.id, 'admin' as const]]);
				sandbox.state.workspaces.set(workspaceId, { id: workspaceId, name: workspaceId, members });
			}
			sandbox.state.murals.clear();
			for (const group of sandbox.state.groups.values()) group.workspaces.clear();
			sandbox.admin.setMembership({
				workspaceId: 'sales5678',
				user: leaver.userName,
				role: 'member',
			});
		},
		message: "The destination does not belong to all of the source's workspaces",
		description: ["'To User'", 'Workspaces: design1234.', 'TO_USER_NOT_WORKSPACE_MEMBER'],
		httpCode: '200',
		cause: 'configuration-invalid',
		details: {
			status: 'failed',
			error: 'TO_USER_NOT_WORKSPACE_MEMBER',
			workspaceIds: ['design1234'],
		},
	},
	...['suspend', 'unsuspend'].map(
		(operation): ServiceError => ({
			name: `${operation} of a member who does not exist`,
			resource: 'user',
			operation,
			parameters: () => ({ userId: email('={{ $json.email }}') }),
			items: (sandbox) => [
				{ email: usersOf(sandbox)[9].userName },
				{ email: 'nobody@example.com' },
			],
			before: ({ state }) => state.workspaces.clear(),
			message: "No user was found for 'nobody@example.com'",
			description: ["Change 'User'", 'HTTP 404'],
			httpCode: '404',
			cause: 'configuration-invalid',
			details: { status: 404, request: 'PATCH /scim/Users/nobody@example.com' },
		}),
	),
];
