import type { FastifyInstance } from 'fastify';
import { DateTime } from 'luxon';
import { DAY, RETENTION_MS, type Range } from './auditStore.mts';
import { entriesJson } from './entryJson.mts';
import { decodeToken, encodeToken, type Token } from './auditToken.mts';
import { ApiError, invalid } from './errors.mts';
import { requireScope } from './auth.mts';
import type { Service } from './service.mts';

const MAX_RESULTS = 1000;

interface Query {
	maxResults?: string;
	nextToken?: string;
	'filter[date][since]'?: string;
	'filter[date][until]'?: string;
	'filter[action]'?: string;
}

/** Seconds precision, UTC; a date alone is its midnight. Milliseconds since the epoch. */
function parseDate(name: string, text: string): number {
	for (const format of ['yyyy-MM-dd HH:mm:ss', 'yyyy-MM-dd']) {
		const date = DateTime.fromFormat(text, format, { zone: 'utc', locale: 'en' });
		if (date.isValid && date.toFormat(format) === text) return date.toMillis();
	}
	throw invalid(`${name} must be a UTC date yyyy-mm-dd HH:mm:ss or yyyy-mm-dd`);
}

function parseRange(query: Query, now: number): Range {
	const sinceText = query['filter[date][since]'];
	const untilText = query['filter[date][until]'];
	const action = query['filter[action]'];
	if (action === '') throw invalid('filter[action] must name an action');
	const until = untilText === undefined ? null : parseDate('filter[date][until]', untilText);
	const earliest = (until ?? now) - RETENTION_MS;
	let since = until === null ? now - 7 * DAY : earliest;
	if (sinceText !== undefined) since = parseDate('filter[date][since]', sinceText);
	if (until !== null && since > until) {
		throw invalid('filter[date][until] is before filter[date][since]');
	}
	// The bounds count in whole seconds: the upper one takes its last millisecond along.
	const last = until === null ? Infinity : until + 999;
	return { since: Math.max(since, earliest), until: last, action };
}

/** @throws {ApiError} 400 outside 1..1000. */
function parseMaxResults(text: string | undefined): number {
	if (text === undefined) return MAX_RESULTS;
	const value = /^\d{1,4}$/.test(text) ? Number(text) : 0;
	if (value < 1 || value > MAX_RESULTS) throw invalid('maxResults must be 1 to 1000');
	return value;
}

/** GET /audit-log (spec: Audit log). */
export function auditLogRoutes(service: Service) {
	const { behaviour, clock, log, auditCalls } = service;

	function countCall(now: number): void {
		const day = Math.floor(now / DAY);
		const calls = (auditCalls.get(day) ?? 0) + 1;
		auditCalls.set(day, calls);
		const limit = behaviour.audit.callsPerDay;
		if (limit !== null && calls > limit) throw new ApiError(429, null);
	}

	function start(query: Query, now: number): Token {
		if (query.nextToken === undefined) {
			return { range: parseRange(query, now), after: null, at: now };
		}
		const token = decodeToken(query.nextToken);
		const ttl = behaviour.audit.tokenTtlMs;
		if (ttl !== null && now - token.at > ttl) {
			throw new ApiError(400, 'TOKEN_EXPIRED', 'nextToken has expired');
		}
		return token;
	}

	/** The `,"nextToken":…` part of the body. */
	function nextToken(from: Token, after: Token['after'], more: boolean, now: number): string {
		const style = more ? 'emptyPage' : behaviour.audit.endOfPaging;
		if (style === 'noToken') return '';
		if (style === 'nullToken') return ',"nextToken":null';
		if (style === 'emptyToken') return ',"nextToken":""';
		// A repeated token answers the same page again.
		const token = style === 'repeatedToken' ? from : { range: from.range, after, at: now };
		return `,"nextToken":"${encodeToken(token)}"`;
	}

	function pageSize(asked: number): number {
		if (Math.random() >= behaviour.audit.shortPages) return asked;
		return Math.max(1, Math.floor(Math.random() * asked));
	}

	function page(query: Query): string {
		const now = clock.now();
		const asked = parseMaxResults(query.maxResults);
		const from = start(query, now);
		countCall(now);
		const range = { ...from.range, since: Math.max(from.range.since, now - RETENTION_MS) };
		const { rows, more } = log.slice(range, from.after, pageSize(asked));
		const last = rows.at(-1);
		// An empty first page marks the far end of the range.
		const end = from.after ?? { date: range.since, key: '' };
		const after = last ? { date: last.date, key: last.key } : end;
		return `{"data":${entriesJson(rows, behaviour.audit)}${nextToken(from, after, more, now)}}`;
	}

	return async (app: FastifyInstance) => {
		app.addHook('onRequest', requireScope('audit'));
		// Rule 4: with nextToken every parameter except maxResults is ignored.
		app.addHook('preValidation', async (request) => {
			const { nextToken, maxResults } = request.query as Query;
			if (nextToken === undefined) return;
			request.query = { nextToken, ...(maxResults !== undefined && { maxResults }) };
		});
		const text = { type: 'string' };
		const querystring = {
			type: 'object',
			additionalProperties: false,
			properties: {
				maxResults: text,
				nextToken: text,
				'filter[date][since]': text,
				'filter[date][until]': text,
				'filter[action]': text,
			},
		};
		app.get('/audit-log', { schema: { querystring } }, async (request, reply) => {
			reply.type('application/json; charset=utf-8');
			return page(request.query as Query);
		});
	};
}
