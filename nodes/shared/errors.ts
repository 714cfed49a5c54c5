import type { IDataObject, INode, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { TLS_CODE } from './retry';

/**
 * From an answer of the service to what a person reads: what happened, which parameter to change, and n8n's
 * `failure` cause by which the host backs off. Spec: Errors.
 */

/** The service's or the network's side of a failed request. Holds no header and no key. */
export interface Failed {
	/** HTTP status; absent when no answer came. */
	status?: number;
	/** `error` of the body (spec: Errors), or Node's code such as `ECONNREFUSED`. */
	code?: string;
	/** `detail` of a SCIM error body. */
	detail?: string;
	/** `scimType` of a SCIM error body, e.g. `uniqueness`. */
	scimType?: string;
	retryAfterMs?: number;
	/** Target of a redirect. */
	location?: string;
	/** Why the body is not what the spec says, e.g. `a web page instead of JSON`. */
	unexpectedBody?: string;
}

/** Whom the request was about, so that "not found" can name the parameter. */
export interface Subject {
	/** e.g. `user`. */
	kind: string;
	/** Display name of the parameter. */
	parameter: string;
	value: string;
}

export interface ErrorContext {
	/** `GET /audit-log`, for the context of the error. */
	request?: string;
	/** True when the service may have carried the request out although it failed. */
	mayHaveBeenApplied: boolean;
	subject?: Subject;
	/** Sentences of the operation itself, by service code or HTTP status; they win over the table. */
	sentences?: Sentences;
	itemIndex?: number;
}

/** `[what happened, which parameter to change]`. */
export type Sentence = [message: string, description: string];
export type Sentences = Record<string, Sentence>;

/** Characters at most of anything the service said. */
const MAX_TEXT = 500;

type FailureCause = NonNullable<NodeApiError['failure']>;

const CHECK_BASE_URL = 'check Base URL in the credential "Mural Enterprise API"';
const CHANGE_BASE_URL = 'change Base URL in the credential "Mural Enterprise API"';
const PASTE_KEY = 'paste it into the credential "Mural Enterprise API"';

const BROKEN: Sentence = [
	'The connection broke before the answer was complete',
	'Try again later.',
];
const NO_ROUTE: Sentence = [
	'The service could not be reached: the network has no way to it',
	`Check the network of this n8n, or ${CHECK_BASE_URL}.`,
];

const BY_CODE: Sentences = {
	API_KEY: [
		'The service did not accept the API key',
		`Make a key that is valid for the Enterprise API and ${PASTE_KEY}.`,
	],
	SCOPES: [
		'The API key lacks the scope for this operation',
		`Ask a company admin for a key that holds the scope (Transfer needs manage_content) and ${PASTE_KEY}.`,
	],
	SAME_USER: [
		'The source and the destination of the transfer are the same member',
		"Change 'To User' (or 'From User') so that they name two different members.",
	],
	FROM_USER_NOT_MEMBER: [
		'The source of the transfer is not a member of the company',
		"Change 'From User' to the e-mail of a member. A suspended member is fine, a deleted one is not.",
	],
	TO_USER_NOT_MEMBER: [
		'The destination of the transfer is not a member of the company',
		"Change 'To User' to the e-mail of a member.",
	],
	TO_USER_NOT_WORKSPACE_MEMBER: [
		"The destination does not belong to all of the source's workspaces; nothing was transferred",
		"Add the member in 'To User' to the workspaces listed, or choose another member.",
	],
	ECONNREFUSED: [
		'The service could not be reached: the connection was refused',
		`Try again later, or ${CHECK_BASE_URL}.`,
	],
	ENOTFOUND: [
		'The service could not be reached: its host name is unknown',
		`Please ${CHECK_BASE_URL}.`,
	],
	EAI_AGAIN: [
		'The service could not be reached: its host name could not be looked up',
		`Check the network of this n8n, or ${CHECK_BASE_URL}.`,
	],
	ETIMEDOUT: [
		'The service did not answer in time',
		"Raise 'Timeout' under Options, or try again later.",
	],
	ECONNRESET: BROKEN,
	EPIPE: BROKEN,
	ERR_BAD_RESPONSE: BROKEN,
	ERR_STREAM_PREMATURE_CLOSE: BROKEN,
	EHOSTUNREACH: NO_ROUTE,
	ENETUNREACH: NO_ROUTE,
};

const BY_STATUS: Sentences = {
	400: ['The service refused the request as invalid', 'Check the values of the parameters.'],
	401: BY_CODE.API_KEY,
	403: [
		'The service refused the operation for this API key',
		'Check the scopes of the key. Mapping endpoints stay off until Mural support enables them for the account.',
	],
	404: [
		'The service does not know this address',
		`If the parameters are right, ${CHECK_BASE_URL}.`,
	],
	409: [
		'The service refused the change because of a conflict',
		'Check the values of the parameters.',
	],
	413: ['The request is too large for the service', 'Send fewer values at once.'],
	429: [
		'The service refused further requests: its rate limit is reached',
		"Try again later, lower 'Concurrency' under Options, or poll less often. The audit log takes 1,500 calls a day.",
	],
	501: ['The service does not support this operation', 'Choose another operation.'],
};

const pick = (table: Sentences = {}, name: string | number = '') =>
	Object.hasOwn(table, name) ? table[name] : undefined;

function sentenceFor(failed: Failed, { subject, sentences }: ErrorContext): Sentence {
	const { code, scimType, status, location } = failed;
	// What names the reason more exactly comes first: a code of the service says more than a status.
	const own = pick(sentences, code) ?? pick(sentences, scimType);
	if (own !== undefined) return own;
	if (failed.unexpectedBody !== undefined) {
		return [
			`The service answered with ${failed.unexpectedBody}`,
			`That is not what the Enterprise API answers. A proxy or a login page may stand in between: ${CHECK_BASE_URL}, or try again later.`,
		];
	}
	if (location !== undefined) {
		return [
			'The service redirected the request to another address; it was not followed, so that the key stays here',
			`If the service has moved, ${CHANGE_BASE_URL}. The redirect names ${location === '' ? 'no address' : location}.`,
		];
	}
	const known = pick(BY_CODE, code) ?? pick(sentences, status);
	if (known !== undefined) return known;
	if (status === 404 && subject) {
		return [
			`No ${subject.kind} was found for '${subject.value}'`,
			`Change '${subject.parameter}'. E-mails have to be those of members, IDs those the service assigned.`,
		];
	}
	const byStatus = pick(BY_STATUS, status);
	if (byStatus !== undefined) return byStatus;
	if (status !== undefined && status >= 500) {
		return ['The service is failing right now', 'Try again later.'];
	}
	if (code !== undefined && TLS_CODE.test(code)) {
		return [
			'No secure connection could be made to the service',
			`Its certificate or TLS set-up was not accepted: ${CHECK_BASE_URL}, or the proxy in between.`,
		];
	}
	return status === undefined
		? ['The service could not be reached', `Check the network of this n8n, or ${CHECK_BASE_URL}.`]
		: ['The service refused the request', 'Check the values of the parameters.'];
}

function failureCause(failed: Failed): FailureCause | undefined {
	const { status, code, retryAfterMs } = failed;
	const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
	if (status === 429) return { cause: 'rate-limited', ...wait };
	if (status === 401 || code === 'API_KEY' || code === 'SCOPES')
		return { cause: 'credential-invalid' };
	const isLasting = code !== undefined && (code === 'ENOTFOUND' || TLS_CODE.test(code));
	if (isLasting || status === 501) return { cause: 'configuration-invalid' };
	// A page with status 200 is most often a proxy or maintenance; with 4xx it is a wrong address.
	const isPage = failed.unexpectedBody !== undefined && status !== undefined && status < 300;
	if (status === undefined || status >= 500 || isPage) {
		return { cause: 'temporarily-unavailable', ...wait };
	}
	return { cause: 'configuration-invalid' };
}

function said(failed: Failed): string {
	const parts = [
		failed.status === undefined ? undefined : `HTTP ${failed.status}`,
		failed.code,
		failed.scimType,
		failed.detail,
	];
	return [...new Set(parts.filter((part) => part !== undefined && part !== ''))].join(', ');
}

/** A service may answer with a book; the editor shows an error in a small box. */
function shortened(failed: Failed): Failed {
	const entries = Object.entries(failed).map(([name, value]: [string, unknown]) => [
		name,
		typeof value === 'string' && value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value,
	]);
	return Object.fromEntries(entries) as Failed;
}

/**
 * The one error that leaves the client: message, description, HTTP code, `failure` cause, item index. Built from
 * plain values, never from the HTTP library's error, which holds the request's headers and so the key.
 */
export function serviceError(node: INode, answered: Failed, context: ErrorContext): NodeApiError {
	const failed = shortened(answered);
	const [message, advice] = sentenceFor(failed, context);
	const uncertain = context.mayHaveBeenApplied
		? ' The change may have been carried out all the same: check before you run this again.'
		: '';
	const answer = said(failed);
	const description = `${advice}${uncertain}${answer === '' ? '' : ` (${answer})`}`;
	const details: IDataObject = context.request === undefined ? {} : { request: context.request };
	for (const field of ['status', 'code', 'detail', 'scimType', 'retryAfterMs'] as const) {
		if (failed[field] !== undefined) details[field] = failed[field];
	}
	const error = new NodeApiError(node, { message } as JsonObject, {
		message,
		description,
		itemIndex: context.itemIndex,
		...(failed.status === undefined ? {} : { httpCode: String(failed.status) }),
	});
	// n8n replaces texts in which it recognises a code such as ECONNREFUSED.
	error.message = message;
	error.description = description;
	error.context.data = details;
	// Set here, because n8n 1.x knows no such option.
	error.failure = failureCause(failed);
	return error;
}

/** The same error, telling also what had been done before it: nothing stays half-applied in silence. */
export function withProgress(error: unknown, note: string, done: IDataObject): unknown {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		error.description = [error.description, note].filter(Boolean).join(' ');
		error.context.data = { ...(error.context.data as IDataObject), ...done };
	}
	return error;
}
