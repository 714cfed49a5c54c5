import type { Sandbox } from '../../sandbox/index.mts';
import type { ServiceError } from './serviceRows.mts';
import { answer, email, id, refused, usersOf } from './serviceRows.mts';

/** Errors of the audit log, SCIM and mapping endpoints, which the spec leaves open, and of what lies in between. */

const byItem = () => ({ userId: email('={{ $json.email }}') });
const one = (sandbox: Sandbox) => ({ userId: email(usersOf(sandbox)[9].userName) });
const group = ({ state }: Sandbox) => ({ groupId: id([...state.groups.keys()][0]) });
const read = { resource: 'user', operation: 'get', parameters: one } as const;
const change = { resource: 'user', operation: 'suspend', parameters: one } as const;
const MAYBE = 'may have been carried out all the same';

export const otherRows: ServiceError[] = [
	{
		name: "field notes: suspending a workspace's last admin",
		resource: 'user',
		operation: 'suspend',
		parameters: byItem,
		items: (sandbox) => [9, 8].map((n) => ({ email: usersOf(sandbox)[n].userName })),
		before: (sandbox) => {
			sandbox.state.workspaces.clear();
			const [, , , , , , , , admin] = usersOf(sandbox);
			admin.active = true;
			const members = new Map([[admin.id, 'admin' as const]]);
			const workspace = { id: 'design1234', name: 'Design', members };
			sandbox.state.workspaces.set(workspace.id, workspace);
		},
		message: 'The member cannot be suspended: they are the last admin of a workspace',
		description: ['Make somebody else an admin', 'Design', 'HTTP 409'],
		httpCode: '409',
		cause: 'configuration-invalid',
		details: { status: 409, code: 'LAST_ADMIN' },
	},
	{
		name: 'an e-mail that is taken',
		resource: 'user',
		operation: 'create',
		parameters: () => ({ email: '={{ $json.email }}', givenName: 'Ann', familyName: 'Lee' }),
		items: (sandbox) => [{ email: 'new@example.com' }, { email: usersOf(sandbox)[3].userName }],
		message: 'A member with this e-mail or external ID exists already',
		description: ["'Email'", 'Create or Update', 'uniqueness'],
		httpCode: '409',
		cause: 'configuration-invalid',
		details: { status: 409, scimType: 'uniqueness' },
	},
	...(['get', 'delete'] as const).map(
		(operation): ServiceError => ({
			name: `${operation} of a member who does not exist`,
			resource: 'user',
			operation,
			parameters: () => ({ userId: id('={{ $json.id }}') }),
			items: (sandbox) => [{ id: usersOf(sandbox)[9].id }, { id: 'no-such-id' }],
			message: "No user was found for 'no-such-id'",
			description: ["Change 'User'"],
			httpCode: '404',
			cause: 'configuration-invalid',
			details: { status: 404 },
		}),
	),
	{
		name: 'a group that does not exist',
		resource: 'group',
		operation: 'get',
		parameters: () => ({ groupId: id('={{ $json.id }}') }),
		items: ({ state }) => [{ id: [...state.groups.keys()][0] }, { id: 'no-such-id' }],
		message: "No group was found for 'no-such-id'",
		description: ["Change 'Group'"],
		httpCode: '404',
		cause: 'configuration-invalid',
		details: { status: 404 },
	},
	{
		name: 'a group name that is taken',
		resource: 'group',
		operation: 'create',
		parameters: () => ({ displayName: '={{ $json.name }}' }),
		items: ({ state }) => [
			{ name: 'A new group' },
			{ name: [...state.groups.values()][0].displayName },
		],
		message: 'A group with this',
		description: ["'Display Name'"],
		httpCode: '409',
		cause: 'configuration-invalid',
		details: { status: 409 },
	},
	{
		name: 'a transfer job that does not exist',
		resource: 'transfer',
		operation: 'getStatus',
		parameters: () => ({ jobId: 'no such job' }),
		message: "No transfer job was found for 'no such job'",
		description: ["Change 'Job ID'"],
		httpCode: '404',
		cause: 'configuration-invalid',
		details: { status: 404 },
	},
	{
		name: 'mapping endpoints that support has not enabled',
		resource: 'mapping',
		operation: 'get',
		parameters: group,
		before: ({ admin }) => void admin.configure({ mapping: { enabled: false } }),
		message: 'The service does not allow group mapping for this API key',
		description: ['support'],
		httpCode: '403',
		cause: 'configuration-invalid',
		details: { status: 403 },
	},
	...(['audit', 'scim', 'mapping'] as const).map(
		(scope): ServiceError => ({
			name: `a key without the scope ${scope}`,
			...{
				audit: { resource: 'auditLog', operation: 'getAll', parameters: () => ({}) },
				scim: read,
				mapping: { resource: 'mapping', operation: 'get', parameters: group },
			}[scope],
			key: ({ admin }) => admin.createKey({ scopes: ['manage_content'] }).key,
			message: 'The API key lacks the scope for this operation',
			description: ['credential "Mural Enterprise API"', 'SCOPES'],
			httpCode: '403',
			cause: 'credential-invalid',
			details: { status: 403, code: 'SCOPES' },
		}),
	),
	{
		name: 'the 1,500 audit calls of a day',
		resource: 'auditLog',
		operation: 'getAll',
		parameters: () => ({}),
		fault: refused(429, 3600),
		message: 'The service refused further requests: its rate limit is reached',
		description: ['1,500 calls a day'],
		httpCode: '429',
		cause: 'rate-limited',
		details: { status: 429, retryAfterMs: 3_600_000 },
	},
	{
		name: 'PATCH is not supported',
		...change,
		before: ({ admin }) => void admin.configure({ scim: { patchSupported: false } }),
		message: 'does not support changing parts of a resource (PATCH)',
		description: ["'Replace'"],
		httpCode: '501',
		cause: 'configuration-invalid',
		details: { status: 501 },
	},
	{
		name: 'filters are not supported',
		...read,
		before: ({ admin }) => void admin.configure({ scim: { filterSupported: false } }),
		message: 'does not support looking members up by e-mail',
		description: ['by ID'],
		httpCode: '400',
		cause: 'configuration-invalid',
		details: { status: 400 },
	},
	{
		name: 'a request that the service calls invalid, with its reason',
		...change,
		fault: answer(400, { schemas: [], detail: 'Too long', scimType: 'invalidValue' }),
		message: 'The service refused the request as invalid',
		description: ['invalidValue', 'Too long'],
		httpCode: '400',
		cause: 'configuration-invalid',
		details: { status: 400, detail: 'Too long', scimType: 'invalidValue' },
	},
	...[500, 502, 503].map(
		(status): ServiceError => ({
			name: `a change answered with ${status}`,
			...change,
			fault: refused(status),
			message: 'The service is failing right now',
			description: [MAYBE, `HTTP ${status}`],
			httpCode: String(status),
			cause: 'temporarily-unavailable',
			details: { status },
		}),
	),
	{
		name: 'a page of a proxy',
		...read,
		fault: { kind: 'html', count: null },
		message: 'The service answered with a web page instead of JSON',
		description: ['Base URL'],
		httpCode: '200',
		cause: 'temporarily-unavailable',
		details: { status: 200 },
	},
	{
		name: 'a redirect',
		...read,
		fault: { kind: 'redirect', location: 'http://127.0.0.2:9', count: null },
		message: 'The service redirected the request to another address',
		description: ['Base URL', '127.0.0.2'],
		httpCode: '302',
		cause: 'configuration-invalid',
		details: { status: 302 },
	},
	{
		name: 'a service that echoes the key',
		...read,
		fault: answer(401, {
			error: 'API_KEY',
			detail: 'apikey k3y-that-must-not-leak-Zq81 is unknown',
		}),
		message: 'The service did not accept the API key',
		description: ['apikey *** is unknown'],
		httpCode: '401',
		cause: 'credential-invalid',
		details: { status: 401, detail: 'apikey *** is unknown' },
	},
];
