import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { reachable } from './access.mts';
import type { Controls } from './controls.mts';
import { dump, versionOf } from './dump.mts';
import type { Live } from './live.mts';
import type { Service } from './service.mts';

export const ADMIN_PATH = '/__sandbox';

/** The controls a request may name: POST /__sandbox/NAME with the control's argument as JSON, or without a body. */
export const CONTROL_NAMES = [
	'now',
	'setClock',
	'advance',
	'configure',
	'setLatency',
	'fault',
	'faults',
	'clearFaults',
	'insertEntries',
	'bulkInsert',
	'setJob',
	'createKey',
	'revokeKey',
	'access',
	'approve',
	'setMembership',
	'live',
	'entryIds',
	'dump',
	'requests',
	'counters',
	'clearRequests',
	'reset',
] as const satisfies Array<keyof Controls>;

const READS = ['now', 'faults', 'entryIds', 'dump', 'requests', 'counters'] as const;

const PAGE = [
	['/', 'page.html', 'text/html'],
	['/page.css', 'page.css', 'text/css'],
	['/page.mjs', 'page.mjs', 'text/javascript'],
] as const;

/** What the page shows: the dump plus how many workspaces each member can open, and the latest requests. */
function view(service: Service) {
	const { state, requests } = service;
	const access = [...state.users.values()].map((user) => [user.id, reachable(state, user).size]);
	return {
		...dump(service, 200),
		access: Object.fromEntries(access) as Record<string, number>,
		requests: requests.list.slice(-50).reverse(),
		counters: requests.counters(),
	};
}

/** The admin prefix: no key, this machine only. */
export function adminRoutes(service: Service, controls: Controls, live: Live) {
	return async (app: FastifyInstance) => {
		app.removeAllContentTypeParsers();
		// A web page elsewhere cannot send this content type here without asking first.
		app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
			try {
				done(null, body === '' ? undefined : JSON.parse(body as string));
			} catch (error) {
				done(error as Error);
			}
		});
		app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
			const known = error instanceof RangeError || error instanceof SyntaxError;
			const status = known ? 400 : (error.statusCode ?? 500);
			return reply.code(status).send({ error: error.message });
		});
		app.addHook('onRequest', async (request, reply) => {
			const local = ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(request.ip);
			if (!local) return reply.code(403).send({ error: 'Only from this machine' });
			service.tick();
		});

		for (const [path, file, type] of PAGE) {
			const text = readFileSync(new URL(file, import.meta.url), 'utf8');
			app.get(path, async (_request, reply) => reply.type(`${type}; charset=utf-8`).send(text));
		}

		app.get<{ Querystring: { known?: string } }>('/view', async ({ query }) => {
			const counters = service.requests.counters();
			const version = `${versionOf(service)}.${counters.total}.${counters.open}`;
			const always = { version, clock: service.clock.save(), live: live.get() };
			return query.known === version ? always : { ...view(service), ...always };
		});

		app.get<{ Params: { user: string } }>('/access/:user', async ({ params }) =>
			controls.access(params.user),
		);

		const call = (name: (typeof CONTROL_NAMES)[number], argument?: unknown) => {
			const result = (controls[name] as (argument?: unknown) => unknown).call(controls, argument);
			return JSON.stringify(result ?? null);
		};
		for (const name of READS) {
			app.get(`/${name}`, async (_request, reply) =>
				reply.type('application/json').send(call(name)),
			);
		}
		for (const name of CONTROL_NAMES) {
			app.post(`/${name}`, async (request, reply) =>
				reply.type('application/json').send(call(name, request.body)),
			);
		}
	};
}

/** The controls of a sandbox in another process. */
export type RemoteControls = {
	[Name in (typeof CONTROL_NAMES)[number]]: (
		...argument: Parameters<Controls[Name]>
	) => Promise<ReturnType<Controls[Name]>>;
};

/** @param adminUrl as the sandbox printed it. */
export function connectControls(adminUrl: string): RemoteControls {
	const patterns = (_: string, value: unknown) => (value instanceof RegExp ? value.source : value);
	const call = (name: string) => async (argument?: unknown) => {
		const body = argument === undefined ? '' : JSON.stringify(argument, patterns);
		const answer = await fetch(`${adminUrl}/${name}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body,
		});
		const result = (await answer.json()) as { error?: string } | null;
		if (!answer.ok) throw new RangeError(`${name}: ${result?.error ?? answer.status}`);
		return result;
	};
	return Object.fromEntries(
		CONTROL_NAMES.map((name) => [name, call(name)]),
	) as unknown as RemoteControls;
}
