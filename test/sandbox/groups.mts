import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { scimPatch } from 'scim-patch';
import { ApiError, invalid, notFound } from './errors.mts';
import {
	GROUP_SCHEMA,
	LIST_RESPONSE,
	listPage,
	listQuerySchema,
	patchOperations,
	patchSchema,
	type ListQuery,
	type PatchOperation,
} from './scim.mts';
import type { Service } from './service.mts';
import type { ApiKey, Group } from './types.mts';

interface GroupBody {
	displayName: string;
	externalId?: string | null;
	members: Array<{ value: string }>;
}

const createSchema = {
	type: 'object',
	required: ['schemas', 'displayName', 'members'],
	properties: {
		schemas: { type: 'array', items: { type: 'string' }, contains: { const: GROUP_SCHEMA } },
		displayName: { type: 'string', minLength: 1 },
		externalId: { type: ['string', 'null'] },
		members: {
			type: 'array',
			items: { type: 'object', required: ['value'], properties: { value: { type: 'string' } } },
		},
	},
};
const PATCHES = ['add members', 'remove members', 'replace members', 'replace displayName'];

/** The group as the service shows it (spec: SCIM group). */
export function showGroup(group: Group) {
	const iso = (ms: number) => new Date(ms).toISOString();
	return {
		schemas: [GROUP_SCHEMA],
		id: group.id,
		...(group.externalId !== undefined && { externalId: group.externalId }),
		displayName: group.displayName,
		members: [...group.members].map((value) => ({ value })),
		meta: {
			created: iso(group.created),
			lastModified: iso(group.lastModified),
			resourceType: 'Group',
		},
	};
}

function checkOperation({ op, path, value }: PatchOperation): PatchOperation {
	if (path === 'displayName') {
		if (typeof value !== 'string' || value === '') throw invalid('displayName must be a string');
		return { op, path, value };
	}
	if (!Array.isArray(value)) throw invalid('members must be an array of {value: user id}');
	const members = value.map((member: unknown) => {
		const id = (member as { value?: unknown } | null)?.value;
		if (typeof id !== 'string') throw invalid('members must be an array of {value: user id}');
		return { value: id };
	});
	return { op, path, value: members };
}

/** Changes to groups. */
export class Groups {
	private readonly service: Service;

	constructor(service: Service) {
		this.service = service;
	}

	active(): Group[] {
		return [...this.service.state.groups.values()].filter((group) => group.active);
	}

	/** By group id; deactivated groups are gone. */
	get(id: string): Group {
		const group = this.service.state.groups.get(id);
		if (!group?.active) throw notFound('Group');
		return group;
	}

	/** The spec's PATCH example names the group by its externalId. */
	getByEither(id: string): Group {
		const found = this.active().find((group) => group.id === id || group.externalId === id);
		if (!found) throw notFound('Group');
		return found;
	}

	create(body: GroupBody, key: ApiKey): Group {
		const { state, clock } = this.service;
		const members = body.members.map(({ value }) => value);
		this.refuseUnknown(members);
		this.refuseDuplicate(body.displayName);
		const now = clock.now();
		const group: Group = {
			id: randomUUID(),
			externalId: body.externalId ?? undefined,
			displayName: body.displayName,
			members: new Set(members),
			active: true,
			workspaces: new Map(),
			created: now,
			lastModified: now,
		};
		state.groups.set(group.id, group);
		this.service.recordKey(key, 'CREATE_GROUP', 'GROUP', group.id);
		this.recordMembers(key, new Set(), group.members);
		return group;
	}

	/** All operations or none. */
	patch(group: Group, body: unknown, key: ApiKey): void {
		const operations = patchOperations(body, PATCHES).map(checkOperation);
		for (const { op, path, value } of operations) {
			const ids = path === 'members' ? (value as Array<{ value: string }>) : [];
			if (op !== 'remove') this.refuseUnknown(ids.map(({ value: id }) => id));
		}
		const { displayName, members } = this.apply(group, operations);
		if (displayName !== group.displayName) this.refuseDuplicate(displayName, group);
		this.store(group, displayName, new Set(members.map(({ value }) => value)), key);
	}

	deactivate(group: Group, key: ApiKey): void {
		group.active = false;
		group.lastModified = this.service.clock.now();
		this.service.recordKey(key, 'DELETE_GROUP', 'GROUP', group.id);
	}

	private apply(group: Group, operations: PatchOperation[]) {
		const { displayName, members, meta } = showGroup(group);
		const resource = {
			schemas: [GROUP_SCHEMA],
			displayName,
			members,
			meta: { created: new Date(meta.created), lastModified: new Date(meta.lastModified) },
		};
		return operations.reduce((result, operation) => {
			const { op, value } = operation;
			if (op === 'remove' && (value as unknown[]).length === 0) {
				const empties = this.service.behaviour.scim.removeEmptyList === 'everyone';
				return empties ? { ...result, members: [] } : result;
			}
			return scimPatch(result, [operation]);
		}, resource);
	}

	private store(group: Group, displayName: string, members: Set<string>, key: ApiKey): void {
		const renamed = displayName !== group.displayName;
		const before = group.members;
		group.displayName = displayName;
		group.members = members;
		if (renamed) this.service.recordKey(key, 'RENAME_GROUP', 'GROUP', group.id);
		const changes = this.recordMembers(key, before, members);
		if (renamed || changes > 0) group.lastModified = this.service.clock.now();
	}

	/** One entry per member. @returns how many came or went. */
	private recordMembers(key: ApiKey, before: Set<string>, after: Set<string>): number {
		const added = [...after].filter((id) => !before.has(id));
		const removed = [...before].filter((id) => !after.has(id));
		for (const id of added) this.service.recordKey(key, 'ADD_GROUP_MEMBER', 'USER', id);
		for (const id of removed) this.service.recordKey(key, 'REMOVE_GROUP_MEMBER', 'USER', id);
		return added.length + removed.length;
	}

	private refuseUnknown(ids: string[]): void {
		const unknown = ids.filter((id) => !this.service.state.users.has(id));
		if (unknown.length > 0) throw invalid(`No such members: ${unknown.join(', ')}`);
	}

	private refuseDuplicate(displayName: string, self?: Group): void {
		const name = displayName.toLowerCase();
		const taken = this.active().some((g) => g !== self && g.displayName.toLowerCase() === name);
		if (!taken) return;
		throw new ApiError(409, 'CONFLICT', `displayName ${displayName} is taken`, {
			scimType: 'uniqueness',
		});
	}
}

/** /scim/Groups (spec: SCIM groups). */
export function groupRoutes(service: Service) {
	const groups = new Groups(service);
	type ById = { Params: { id: string } };

	return async (app: FastifyInstance) => {
		app.get('/Groups', { schema: { querystring: listQuerySchema(false) } }, async (request) => ({
			schemas: [LIST_RESPONSE],
			...listPage(
				groups.active(),
				request.query as ListQuery,
				service.behaviour.scim.maxCount,
				showGroup,
			),
		}));

		app.get<ById>('/Groups/:id', async ({ params }) => showGroup(groups.get(params.id)));

		app.post('/Groups', { schema: { body: createSchema } }, async (request, reply) => {
			const group = groups.create(request.body as GroupBody, request.apiKey);
			return reply.code(201).send(showGroup(group));
		});

		app.patch<ById>('/Groups/:id', { schema: { body: patchSchema } }, async (request) => {
			const group = groups.getByEither(request.params.id);
			groups.patch(group, request.body, request.apiKey);
			return showGroup(group);
		});

		app.delete<ById>('/Groups/:id', async (request, reply) => {
			groups.deactivate(groups.get(request.params.id), request.apiKey);
			return reply.code(204).removeHeader('content-type').send();
		});
	};
}
