import {
	fastify,
	type FastifyError,
	type FastifyInstance,
	type FastifyPluginAsync,
	type FastifyRequest,
} from 'fastify';
import { ADMIN_PATH } from './admin.mts';
import { auditLogRoutes } from './auditLog.mts';
import { findKey, requireScope } from './auth.mts';
import { configRoutes } from './config.mts';
import { ApiError, errorBody } from './errors.mts';
import { isApplied, playAfter, playBefore } from './faults.mts';
import { groupRoutes } from './groups.mts';
import { mappingRoutes } from './mapping.mts';
import type { LoggedRequest } from './requestLog.mts';
import { SCIM_TYPE, negotiate } from './scim.mts';
import type { Service } from './service.mts';
import { transferRoutes } from './transfer.mts';
import { userRoutes } from './users.mts';

export const BASE_PATH = '/enterprise/v1';

declare module 'fastify' {
	interface FastifyRequest {
		logged: LoggedRequest;
	}
}

const holdsKey = (service: Service, text: string) =>
	[...service.state.keys.keys()].some((key) => text.includes(key));

/** Accepts JSON bodies under these content types; anything else is answered 415. */
function acceptBodies(app: FastifyInstance, service: Service, contentTypes: string[]): void {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser(contentTypes, { parseAs: 'string' }, (request, body, done) => {
		request.logged.body = body as string;
		request.logged.keyLeaked ||= holdsKey(service, body as string);
		if (body === '') return done(null, undefined);
		try {
			done(null, JSON.parse(body as string));
		} catch {
			done(new ApiError(400, 'INVALID_INPUT', 'Body is not JSON', { scimType: 'invalidSyntax' }));
		}
	});
}

/** Errors of Fastify itself, in the service's words. */
function toApiError(error: FastifyError | ApiError): ApiError {
	if (error instanceof ApiError) return error;
	if (error.validation) return new ApiError(400, 'INVALID_INPUT', error.message);
	if (error.statusCode === 415) {
		return new ApiError(415, 'UNSUPPORTED_MEDIA_TYPE', 'Content-Type is not JSON');
	}
	if (error.statusCode === 413) return new ApiError(413, 'PAYLOAD_TOO_LARGE', error.message);
	if (error.statusCode && error.statusCode < 500) {
		return new ApiError(error.statusCode, 'INVALID_INPUT', error.message);
	}
	console.error(error);
	return new ApiError(500, 'INTERNAL', 'The sandbox failed; see its standard error');
}

function handleErrors(app: FastifyInstance, scim: boolean): void {
	app.setErrorHandler((error: FastifyError, _request, reply) => {
		const apiError = toApiError(error);
		reply.code(apiError.status).headers(apiError.headers);
		if (!scim || apiError.status === 406) reply.type('application/json; charset=utf-8');
		else if (!reply.hasHeader('content-type')) reply.type(SCIM_TYPE);
		return reply.send(JSON.stringify(errorBody(apiError, scim)));
	});
}

/** Logs every request, lets time and faults act on it, and checks its key. */
function addHooks(app: FastifyInstance, service: Service): void {
	const { requests, faults, clock } = service;
	app.decorateRequest('fault', null);
	app.decorateRequest('logged');
	app.decorateRequest('apiKey');

	const path = (request: FastifyRequest) => request.url.slice(BASE_PATH.length).split('?')[0];

	app.addHook('onRequest', async (request, reply) => {
		const { authorization, ...headers } = request.headers;
		const key = findKey(authorization, service.state.keys);
		const logged = requests.add({
			method: request.method,
			path: path(request),
			query: { ...(request.query as object) },
			headers,
			keyMatched: key !== undefined,
			keyLeaked: holdsKey(service, request.url + JSON.stringify(headers)),
		});
		request.logged = logged;
		if (logged.path.startsWith('/workspaces/contents/transfer')) requests.transferArrived();
		const start = performance.now();
		reply.raw.on('close', () => {
			const url = request.routeOptions.url ?? '';
			const route = `${request.method} ${url.slice(BASE_PATH.length) || '(no such endpoint)'}`;
			const status = reply.raw.writableFinished ? reply.raw.statusCode : undefined;
			requests.close(logged, route, performance.now() - start, status);
		});
		reply.header('date', clock.header());

		const fault = faults.pick(logged);
		if (fault) logged.fault = fault.kind;
		await faults.delay(logged);
		if (fault && !isApplied(fault)) {
			await playBefore(fault, request, reply, clock.now());
			return reply;
		}
		request.fault = fault;
		service.tick();

		if (!key) throw new ApiError(401, 'API_KEY', 'No valid API key in the Authorization header');
		request.apiKey = key;
	});

	app.addHook('onSend', async (request, reply, payload) => {
		const { fault, logged } = request;
		if (fault || logged.fault === undefined) logged.trueStatus = reply.statusCode;
		if (!fault) return payload;
		request.fault = null;
		return await playAfter(fault, request, reply, payload as string, clock.now());
	});
}

/** The service of the spec below BASE_PATH, and its controls below ADMIN_PATH. */
export function createApp(service: Service, admin: FastifyPluginAsync) {
	const app = fastify({
		forceCloseConnections: true,
		exposeHeadRoutes: false,
		bodyLimit: 64 * 1024 * 1024,
		routerOptions: { maxParamLength: 10_000 },
		ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allowUnionTypes: true } },
	});
	handleErrors(app, false);
	app.setNotFoundHandler(async () => {
		throw new ApiError(404, 'NOT_FOUND', `The service lives below ${BASE_PATH}`);
	});

	app.register(admin, { prefix: ADMIN_PATH });
	app.register(
		async (api) => {
			addHooks(api, service);
			acceptBodies(api, service, ['application/json']);
			const routes: Array<{ method: string; url: RegExp }> = [];
			api.addHook('onRoute', ({ method, url }) => {
				const pattern = new RegExp(`^${url.replace(/:[^/]+/g, '[^/]+')}$`);
				for (const each of [method].flat()) routes.push({ method: each, url: pattern });
			});
			api.setNotFoundHandler(async (request) => {
				const [url] = request.url.split('?');
				const allowed = routes.filter((route) => route.url.test(url)).map(({ method }) => method);
				throw allowed.length > 0
					? new ApiError(405, 'METHOD_NOT_ALLOWED', '', { headers: { allow: allowed.join(', ') } })
					: new ApiError(404, 'NOT_FOUND', 'No such endpoint');
			});
			api.register(auditLogRoutes(service));
			api.register(
				async (scim) => {
					handleErrors(scim, true);
					acceptBodies(scim, service, ['application/json', 'application/scim+json']);
					scim.addHook('onRequest', negotiate);
					scim.addHook('onRequest', requireScope('scim'));
					scim.addHook('onRequest', async (request) => {
						if (request.method !== 'PATCH' || service.behaviour.scim.patchSupported) return;
						throw new ApiError(501, 'NOT_IMPLEMENTED', 'PATCH is not supported');
					});
					scim.register(userRoutes(service));
					scim.register(groupRoutes(service));
					scim.register(configRoutes(service));
				},
				{ prefix: '/scim' },
			);
			api.register(
				async (mapping) => {
					acceptBodies(mapping, service, ['application/json', 'application/scim+json']);
					mapping.addHook('onRequest', requireScope('mapping'));
					mapping.register(mappingRoutes(service));
				},
				{ prefix: '/mapping' },
			);
			api.register(async (transfer) => {
				transfer.addHook('onRequest', requireScope('manage_content'));
				transfer.register(transferRoutes(service));
			});
		},
		{ prefix: BASE_PATH },
	);
	return app;
}
