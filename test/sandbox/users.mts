import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { lockWorkspaces, soleAdminOf } from './access.mts';
import { ApiError, invalid, notFound } from './errors.mts';
import {
	LIST_RESPONSE,
	equalityFilter,
	listPage,
	listQuerySchema,
	patchSchema,
	type ListQuery,
} from './scim.mts';
import type { Service } from './service.mts';
import type { ApiKey, User } from './types.mts';
import {
	createSchema,
	deaccent,
	findByEmail,
	findUser,
	patched,
	replaceSchema,
	replaced,
	showUser,
	writable,
	type UserBody,
	type Writable,
} from './userResource.mts';

/** Changes to members, whoever makes them. */
export class Users {
	private readonly service: Service;

	constructor(service: Service) {
		this.service = service;
	}

	get(idOrEmail: string): User {
		const user = findUser(this.service.state, idOrEmail);
		if (!user) throw notFound('User');
		return user;
	}

	find(filter: string): User[] {
		const { attribute, value } = equalityFilter(filter, ['userName', 'externalId'] as const);
		return [...this.service.state.users.values()].filter((user) => user[attribute] === value);
	}

	create(body: UserBody, key: ApiKey): User {
		const { state, clock } = this.service;
		const values = this.named(writable(body));
		this.refuseDuplicate(values.userName);
		const now = clock.now();
		const id = randomUUID();
		const user: User = { id, ...values, created: now, lastModified: now, locked: new Set() };
		state.users.set(id, user);
		this.service.recordKey(key, 'CREATE_USER', 'USER', id);
		return user;
	}

	/** Sets every value at once; the state changes only when all of them can be set. */
	update(user: User, given: Writable, key: ApiKey): void {
		const values = this.named(given);
		if (values.userName !== user.userName) this.refuseDuplicate(values.userName);
		const { active, ...profile } = values;
		if (active !== user.active && !active) this.refuseLastAdmin(user);
		const changed = Object.entries(profile).some(([name, v]) => user[name as keyof User] !== v);
		if (changed) {
			Object.assign(user, profile);
			this.service.recordKey(key, 'UPDATE_USER', 'USER', user.id);
		}
		if (active !== user.active) this.setActive(user, active, key);
		if (changed) user.lastModified = this.service.clock.now();
	}

	delete(user: User, key: ApiKey): void {
		const { state } = this.service;
		state.users.delete(user.id);
		for (const group of state.groups.values()) group.members.delete(user.id);
		for (const workspace of state.workspaces.values()) workspace.members.delete(user.id);
		for (const mural of state.murals.values()) {
			if (mural.ownerId === user.id) mural.ownerId = null;
		}
		this.service.recordKey(key, 'DELETE_USER', 'USER', user.id);
	}

	private setActive(user: User, active: boolean, key: ApiKey): void {
		if (!active) lockWorkspaces(this.service.state, user);
		user.active = active;
		user.lastModified = this.service.clock.now();
		this.service.recordKey(key, active ? 'UNSUSPEND_USER' : 'SUSPEND_USER', 'USER', user.id);
	}

	private named(values: Writable): Writable {
		if (!this.service.behaviour.scim.deaccentNames) return values;
		const { givenName, familyName } = values;
		return { ...values, givenName: deaccent(givenName), familyName: deaccent(familyName) };
	}

	private refuseDuplicate(userName: string): void {
		if (!findByEmail(this.service.state, userName)) return;
		throw new ApiError(409, 'CONFLICT', `userName ${userName} is taken`, {
			scimType: 'uniqueness',
		});
	}

	private refuseLastAdmin(user: User): void {
		const workspaces = soleAdminOf(this.service.state, user);
		if (workspaces.length === 0) return;
		const names = workspaces.map(({ name }) => name).join(', ');
		throw new ApiError(409, 'LAST_ADMIN', `The member is the last administrator of: ${names}`);
	}
}

/** /scim/Users (spec: SCIM users). */
export function userRoutes(service: Service) {
	const users = new Users(service);
	type ById = { Params: { id: string } };

	return async (app: FastifyInstance) => {
		app.get('/Users', { schema: { querystring: listQuerySchema(true) } }, async (request) => {
			const query = request.query as ListQuery;
			const { scim } = service.behaviour;
			if (query.filter !== undefined && !scim.filterSupported) {
				throw invalid('Filters are not supported', 'invalidFilter');
			}
			const all =
				query.filter === undefined ? [...service.state.users.values()] : users.find(query.filter);
			return {
				schemas: [LIST_RESPONSE],
				...listPage(all, query, scim.maxCount, (user) => showUser(user)),
			};
		});

		app.get<ById>('/Users/:id', async ({ params }) => showUser(users.get(params.id)));

		app.post('/Users', { schema: { body: createSchema } }, async (request, reply) => {
			const user = users.create(request.body as UserBody, request.apiKey);
			return reply.code(201).send(showUser(user));
		});

		app.put<ById>('/Users/:id', { schema: { body: replaceSchema } }, async (request) => {
			const user = users.get(request.params.id);
			users.update(user, replaced(user, request.body as UserBody), request.apiKey);
			return showUser(user);
		});

		app.patch<ById>('/Users/:id', { schema: { body: patchSchema } }, async (request) => {
			const user = users.get(request.params.id);
			const { values, suspends } = patched(user, request.body);
			users.update(user, values, request.apiKey);
			return showUser(user, suspends ? service.behaviour.scim.suspendAnswer : 'emails');
		});

		app.delete<ById>('/Users/:id', async (request, reply) => {
			users.delete(users.get(request.params.id), request.apiKey);
			return reply.code(204).removeHeader('content-type').send();
		});
	};
}
