import type { FastifyRequest } from 'fastify';
import { ApiError } from './errors.mts';
import type { ApiKey, Scope } from './types.mts';

declare module 'fastify' {
	interface FastifyRequest {
		apiKey: ApiKey;
	}
}

/** The scheme word in either spelling, one space, the key (spec: Authentication). */
const AUTHORIZATION = /^api[kK]ey (\S+)$/;

export function findKey(
	authorization: string | undefined,
	keys: ReadonlyMap<string, ApiKey>,
): ApiKey | undefined {
	const match = AUTHORIZATION.exec(authorization ?? '');
	return match ? keys.get(match[1]) : undefined;
}

/** onRequest hook. @throws {ApiError} 403 SCOPES when the key lacks the scope. */
export function requireScope(scope: Scope) {
	return async (request: FastifyRequest) => {
		if (!request.apiKey.scopes.includes(scope)) {
			throw new ApiError(403, 'SCOPES', `The API key lacks the scope ${scope}`);
		}
	};
}
