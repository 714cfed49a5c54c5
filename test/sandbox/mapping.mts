import type { FastifyInstance } from 'fastify';
import { ApiError, invalid } from './errors.mts';
import { Groups } from './groups.mts';
import { listPage, listQuerySchema, type ListQuery } from './scim.mts';
import type { Service } from './service.mts';
import { PERMISSIONS, type Group, type Permission } from './types.mts';

interface PatchBody {
	action: 'add' | 'remove';
	workspaceIds: string[];
	permissions?: Partial<Record<Permission, boolean>>;
}

const patchSchema = {
	type: 'object',
	required: ['action', 'workspaceIds'],
	additionalProperties: false,
	properties: {
		action: { enum: ['add', 'remove'] },
		workspaceIds: { type: 'array', minItems: 1, items: { type: 'string' } },
		permissions: {
			type: 'object',
			additionalProperties: false,
			properties: Object.fromEntries(PERMISSIONS.map((name) => [name, { type: 'boolean' }])),
		},
	},
};

/** The mapping as the service shows it (spec: Group workspace mapping). */
export function showMapping(group: Group) {
	const { id, displayName: name, workspaces } = group;
	return { id, name, workspaces: Object.fromEntries(workspaces) };
}

/** Permission names; a permission left out is false. @throws {ApiError} 400 when the admin rule is broken. */
function permissionsOf({ action, permissions }: PatchBody): Permission[] {
	if (action === 'remove') {
		if (permissions) throw invalid('permissions do not go with remove');
		return [];
	}
	if (!permissions) throw invalid('add needs permissions');
	const granted = PERMISSIONS.filter((name) => permissions[name] === true);
	if (permissions.admin === true && granted.length < PERMISSIONS.length) {
		throw invalid('When admin is true all other permissions must be true');
	}
	return granted;
}

/** /mapping/groups (spec: Group workspace mapping). */
export function mappingRoutes(service: Service) {
	const groups = new Groups(service);
	type ById = { Params: { id: string } };

	return async (app: FastifyInstance) => {
		app.addHook('onRequest', async () => {
			if (!service.behaviour.mapping.enabled) {
				throw new ApiError(
					403,
					'MAPPING_NOT_ENABLED',
					'Group mapping is not enabled for the company',
				);
			}
		});

		const listSchema = { querystring: listQuerySchema(false) };
		app.get('/groups', { schema: listSchema }, async (request) => {
			const { maxCount } = service.behaviour.scim;
			return listPage(groups.active(), request.query as ListQuery, maxCount, showMapping);
		});

		app.get<ById>('/groups/:id', async ({ params }) => showMapping(groups.get(params.id)));

		app.patch<ById>('/groups/:id', { schema: { body: patchSchema } }, async (request) => {
			const group = groups.get(request.params.id);
			const body = request.body as PatchBody;
			const permissions = permissionsOf(body);
			const { workspaces } = service.state;
			const unknown = body.workspaceIds.filter((id) => !workspaces.has(id));
			if (unknown.length > 0) throw invalid(`No such workspaces: ${unknown.join(', ')}`);
			for (const id of new Set(body.workspaceIds)) {
				if (body.action === 'add') group.workspaces.set(id, permissions);
				else if (!group.workspaces.delete(id)) continue;
				const action =
					body.action === 'add' ? 'ADD_GROUP_TO_WORKSPACE' : 'REMOVE_GROUP_FROM_WORKSPACE';
				service.recordKey(request.apiKey, action, 'WORKSPACE', id);
			}
			return { name: group.displayName };
		});
	};
}
