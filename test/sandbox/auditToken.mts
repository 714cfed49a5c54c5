import { ApiError } from './errors.mts';
import type { Range } from './auditStore.mts';

/** What a `nextToken` carries: the position reached and the filters of the first request. */
export interface Token {
	range: Range;
	/** Date and key of the last entry sent; null: before the first one. */
	after: { date: number; key: string } | null;
	/** Issued at, sandbox clock. */
	at: number;
}

/** Base64 with its `+`, `/` and `=`: a client that does not encode the query breaks it. */
export function encodeToken({ range, after, at }: Token): string {
	const { since, until, action } = range;
	const fields = [since, until, action ?? null, after && [after.date, after.key], at];
	return Buffer.from(JSON.stringify(fields, (_, v) => (v === Infinity ? null : v))).toString(
		'base64',
	);
}

/** @throws {ApiError} 400 when the text is no token of this sandbox. */
export function decodeToken(text: string): Token {
	try {
		const json = Buffer.from(text, 'base64');
		if (json.toString('base64') !== text) throw new SyntaxError('not base64');
		const [since, until, action, after, at] = JSON.parse(json.toString()) as [
			number,
			number | null,
			string | null,
			[number, string] | null,
			number,
		];
		return {
			range: { since, until: until ?? Infinity, action: action ?? undefined },
			after: after && { date: after[0], key: after[1] },
			at,
		};
	} catch {
		throw new ApiError(400, 'INVALID_TOKEN', 'nextToken is not a token of this service');
	}
}
