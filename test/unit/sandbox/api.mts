import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/index.mts';

export const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const LIST_RESPONSE = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';

export type Json = Record<string, any>;

export interface Answer {
	status: number;
	body: Json;
	text: string;
	headers: Headers;
}

export interface Call {
	body?: unknown;
	headers?: Record<string, string>;
	query?: Record<string, string | string[]>;
}

/** A company small enough to start in a moment. */
export const SMALL = { users: 12, groups: 3, workspaces: 3, entries: 50 };

export const startSmall = (options: SandboxOptions = {}) =>
	startSandbox({ ...options, sizes: { ...SMALL, ...options.sizes } });

/** Sends one request with the sandbox's key; a header set to '' is left out. */
export async function call(
	sandbox: Sandbox,
	method: string,
	path: string,
	{ body, headers = {}, query = {} }: Call = {},
): Promise<Answer> {
	const url = new URL(sandbox.url + path);
	for (const [name, value] of Object.entries(query)) {
		for (const each of [value].flat()) url.searchParams.append(name, each);
	}
	const all = {
		authorization: `apikey ${sandbox.key}`,
		...(body !== undefined && { 'content-type': 'application/json' }),
		...headers,
	};
	const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
	const answer = await fetch(url, {
		method,
		headers: sent,
		body: typeof body === 'string' ? body : JSON.stringify(body),
		redirect: 'manual',
	});
	const text = await answer.text();
	let parsed: Json = {};
	try {
		parsed = JSON.parse(text) as Json;
	} catch {
		// The text tells the rest.
	}
	return { status: answer.status, body: parsed, text, headers: answer.headers };
}

export const patchOp = (...Operations: unknown[]) => ({ schemas: [PATCH_OP], Operations });

export const userBody = (userName: string, more: Json = {}) => ({
	schemas: [USER],
	userName,
	name: { givenName: 'Given', familyName: 'Family' },
	...more,
});

export const groupBody = (displayName: string, more: Json = {}) => ({
	schemas: [GROUP],
	displayName,
	members: [],
	...more,
});

/** Newest entries of the log as [action, affected type, affected id]. */
export const lastActions = (sandbox: Sandbox, count: number) =>
	sandbox.service.log
		.newest(count)
		.map(({ action, affected, actor }) => [actor.type, action, affected.type, affected.id]);
