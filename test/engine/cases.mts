import type { INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../sandbox/index.mts';

/** One run of every operation that the sandbox answers well: for the field previews and for the fault matrix. */
export interface OperationCase {
	resource: string;
	operation: string;
	parameters: INodeParameters;
	/** True when the operation changes nothing. */
	isRead: boolean;
}

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** Cases for every operation of the node, on members and groups that the sandbox has now. */
export function operationCases(sandbox: Sandbox): OperationCase[] {
	const [first, second, third, fourth] = [...sandbox.state.users.values()].filter(
		({ active, externalId }) => active && externalId !== undefined,
	);
	// The first member belongs to every workspace, as a receiver has to.
	const [receiver] = sandbox.state.users.values();
	const transfer = { fromUser: byId(third.id), toUser: byId(receiver.id) };
	const [shown, emptied, changed] = mappedGroups(sandbox);
	const users = [...sandbox.state.users.values()];
	const isInside = ({ id }: { id: string }) => changed.members.has(id);
	const someMembers = {
		memberSource: 'text',
		memberIds: [
			...users.filter(isInside).slice(0, 2),
			...users.filter((user) => !isInside(user)).slice(0, 2),
			{ userName: 'nobody' },
		].map(({ userName }) => userName),
		options: { membersNotFound: 'skip' },
	};
	const workspaces = (workspaceIds: string) => ({ workspaceSource: 'text', workspaceIds });
	const unique = `case-${sandbox.state.users.size}`;
	const names = { givenName: 'Ann', familyName: 'Lee' };
	const read = (resource: string, operation: string, parameters: INodeParameters = {}) => ({
		resource,
		operation,
		parameters,
		isRead: true,
	});
	const change = (resource: string, operation: string, parameters: INodeParameters) => ({
		resource,
		operation,
		parameters,
		isRead: false,
	});
	return [
		read('auditLog', 'export'),
		read('auditLog', 'getAll', { limit: 100 }),
		read('user', 'get', { userId: byId(first.id) }),
		read('user', 'getAll', { returnAll: true }),
		change('user', 'create', { email: `${unique}@example.com`, ...names }),
		change('user', 'upsert', { email: first.userName, ...names }),
		change('user', 'update', { userId: byId(second.id), updateFields: { givenName: 'Ann' } }),
		change('user', 'replace', {
			userId: byId(third.id),
			email: third.userName,
			...names,
			active: true,
		}),
		change('user', 'suspend', { userId: byId(second.id) }),
		change('user', 'unsuspend', { userId: byId(second.id) }),
		change('user', 'delete', { userId: byId(fourth.id) }),
		read('group', 'get', { groupId: byId(shown.id) }),
		read('group', 'getAll', { returnAll: true }),
		change('group', 'create', {
			displayName: unique,
			...someMembers,
			additionalFields: { externalId: unique },
		}),
		change('group', 'update', { groupId: byId(shown.id), displayName: `${unique} renamed` }),
		change('group', 'addMembers', { groupId: byId(changed.id), ...someMembers }),
		change('group', 'removeMembers', { groupId: byId(changed.id), ...someMembers }),
		change('group', 'replaceMembers', { groupId: byId(changed.id), ...someMembers }),
		change('group', 'delete', { groupId: byId(emptied.id) }),
		read('mapping', 'get', { groupId: byId(shown.id) }),
		read('mapping', 'getAll', { returnAll: true }),
		change('mapping', 'addWorkspaces', {
			groupId: byId(changed.id),
			...workspaces('design1234, sales5678, board3456'),
			permissions: { createRooms: true },
		}),
		change('mapping', 'removeWorkspaces', {
			groupId: byId(changed.id),
			...workspaces('design1234, board3456'),
		}),
		change('mapping', 'setWorkspaces', {
			groupId: byId(changed.id),
			workspaceSource: 'object',
			workspacePermissions: JSON.stringify({
				design1234: ['createRooms'],
				sales5678: ['admin'],
				board3456: [],
			}),
		}),
		read('serviceProviderConfig', 'get'),
		read('transfer', 'getStatus', { jobId: failedJob(sandbox, third.id, receiver.id) }),
		change('transfer', 'start', transfer),
		change('transfer', 'startAndWait', { ...transfer, options: { waitMinutes: 0.1 } }),
	];
}

/** Groups with a few members, all mapped to the same workspaces, so that previews show few ids. */
function mappedGroups(sandbox: Sandbox) {
	for (const id of ['design1234', 'sales5678', 'legal9012', 'board3456']) {
		sandbox.state.workspaces.set(id, { id, name: id, members: new Map() });
	}
	const groups = [...sandbox.state.groups.values()];
	for (const group of groups) {
		group.workspaces = new Map([
			['design1234', ['createRooms']],
			['sales5678', ['canDiscoverPublicRooms']],
			['legal9012', ['createRooms']],
		]);
	}
	return groups.filter(
		({ externalId, members }) => externalId !== undefined && members.size > 1 && members.size < 30,
	);
}

/** Puts a failed job there, which shows every field of a status, and lets the jobs to come end at once. */
function failedJob(sandbox: Sandbox, fromUserId: string, toUserId: string): string {
	sandbox.admin.configure({ transfer: { durationMs: 0 } });
	const now = sandbox.admin.now();
	const jobId = 'case-job';
	sandbox.state.jobs.set(jobId, {
		jobId,
		fromUserId,
		toUserId,
		status: 'failed',
		error: 'TO_USER_NOT_WORKSPACE_MEMBER',
		workspaceIds: ['design1234'],
		startedAt: now,
		finishesAt: now,
		outcome: 'failed',
		murals: [],
		moved: 0,
		actor: { company: '', email: null, id: '', name: '', type: 'APIKEY' },
	});
	return jobId;
}
