import type { FastifyReply, FastifyRequest } from 'fastify';
import { parse, type Filter } from 'scim2-parse-filter';
import { ApiError, invalid } from './errors.mts';

export const LIST_RESPONSE = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
export const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';

export const SCIM_TYPE = 'application/scim+json';

/** Query parameters of a list request, as text. */
export interface ListQuery {
	startIndex?: string;
	count?: string;
	filter?: string;
}

/** @param withFilter whether the list can be filtered; sorting and anything else is refused. */
export const listQuerySchema = (withFilter: boolean) => ({
	type: 'object',
	additionalProperties: false,
	properties: {
		startIndex: { type: 'string' },
		count: { type: 'string' },
		...(withFilter && { filter: { type: 'string' } }),
	},
});

function integer(name: string, text: string | undefined, fallback: number): number {
	if (text === undefined) return fallback;
	if (!/^[-+]?\d{1,9}$/.test(text)) throw invalid(`${name} must be an integer`);
	return Number(text);
}

/**
 * One page of `all`: startIndex counts from 1 and is at least 1, count is 0 to `maxCount`, as RFC 7644, section
 * 3.4.2.4 has it; a larger count gives `maxCount` resources.
 */
export function listPage<T>(
	all: readonly T[],
	query: ListQuery,
	maxCount: number,
	show: (item: T) => object,
) {
	const startIndex = Math.max(1, integer('startIndex', query.startIndex, 1));
	const count = Math.min(maxCount, Math.max(0, integer('count', query.count, maxCount)));
	const Resources = all.slice(startIndex - 1, startIndex - 1 + count).map(show);
	return { totalResults: all.length, startIndex, itemsPerPage: Resources.length, Resources };
}

/** scim2-parse-filter doubles backslashes, so string literals are decoded here and put back by number. */
function parseFilter(text: string): { filter: Filter; strings: string[] } {
	const strings: string[] = [];
	try {
		const numbered = text.replace(/"(?:[^"\\]|\\.)*"/gs, (literal) => {
			strings.push(JSON.parse(literal) as string);
			return `"${strings.length - 1}"`;
		});
		return { filter: parse(numbered), strings };
	} catch (error) {
		throw invalid(`filter cannot be read: ${(error as Error).message}`, 'invalidFilter');
	}
}

/**
 * The attribute and the value of an equality filter on one of `attributes` (spec: SCIM users, filterable by e-mail
 * and externalId). @throws {ApiError} 400 invalidFilter on any other filter.
 */
export function equalityFilter<A extends string>(text: string, attributes: readonly A[]) {
	const { filter, strings } = parseFilter(text);
	if (filter.op === 'eq' && 'compValue' in filter && typeof filter.compValue === 'string') {
		const path = filter.attrPath.toLowerCase();
		const attribute = attributes.find((name) => name.toLowerCase() === path);
		if (attribute) return { attribute, value: strings[Number(filter.compValue)] };
	}
	throw invalid(`Only ${attributes.join(' or ')} eq "value" is supported`, 'invalidFilter');
}

const JSON_TYPES = ['application/scim+json', 'application/json', 'application/*', '*/*'];

/** onRequest hook: 406 when Accept allows no JSON, else the answer's content type is chosen by it. */
export async function negotiate(request: FastifyRequest, reply: FastifyReply): Promise<void> {
	const accept = request.headers.accept ?? '*/*';
	const offered = accept.split(',').map((part) => part.split(';')[0].trim().toLowerCase());
	const found = JSON_TYPES.filter((type) => offered.includes(type));
	if (found.length === 0) {
		throw new ApiError(406, 'NOT_ACCEPTABLE', `Accept must allow ${SCIM_TYPE} or application/json`);
	}
	reply.type(found[0] === 'application/json' ? 'application/json; charset=utf-8' : SCIM_TYPE);
}

export interface PatchOperation {
	op: 'add' | 'remove' | 'replace';
	path: string;
	value?: unknown;
}

export const patchSchema = {
	type: 'object',
	required: ['schemas', 'Operations'],
	properties: {
		schemas: { type: 'array', items: { type: 'string' }, contains: { const: PATCH_OP } },
		Operations: {
			type: 'array',
			minItems: 1,
			items: {
				type: 'object',
				required: ['op', 'path'],
				additionalProperties: false,
				properties: { op: { type: 'string' }, path: { type: 'string' }, value: {} },
			},
		},
	},
};

/**
 * Operations with op in lower case (RFC 7644 compares it without case).
 * @param supported the `op path` pairs of the spec. @throws {ApiError} 400 on any other.
 */
export function patchOperations(body: unknown, supported: readonly string[]): PatchOperation[] {
	const { Operations } = body as { Operations: PatchOperation[] };
	return Operations.map((operation) => {
		const op = operation.op.toLowerCase() as PatchOperation['op'];
		const { path, value } = operation;
		if (!supported.some((pair) => pair.startsWith(`${op} `))) {
			throw invalid(`Unsupported op "${operation.op}"`, 'invalidSyntax');
		}
		if (!supported.includes(`${op} ${path}`)) {
			throw invalid(`Unsupported path "${path}" for op ${op}`, 'invalidPath');
		}
		if (value === undefined || value === null) throw invalid(`${op} ${path} needs a value`);
		return { op, path, value };
	});
}
