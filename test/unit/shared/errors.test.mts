import type { IDataObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { ErrorContext, Failed } from '../../../nodes/shared/errors';
import { serviceError } from '../../../nodes/shared/errors';
import { node } from './node.mts';

const errorOf = (failed: Failed, context: Partial<ErrorContext> = {}) =>
	serviceError(node, failed, { request: 'GET /x', mayHaveBeenApplied: false, ...context });

describe("the spec's table of errors", () => {
	test.each<[number, string | undefined, string, string, string]>([
		[
			401,
			'API_KEY',
			'The service did not accept the API key',
			'credential "Mural Enterprise API"',
			'credential-invalid',
		],
		[
			403,
			'SCOPES',
			'The API key lacks the scope for this operation',
			'manage_content',
			'credential-invalid',
		],
		[
			400,
			'SAME_USER',
			'The source and the destination of the transfer are the same member',
			"'To User' (or 'From User')",
			'configuration-invalid',
		],
		[
			400,
			'FROM_USER_NOT_MEMBER',
			'The source of the transfer is not a member of the company',
			"'From User'",
			'configuration-invalid',
		],
		[
			400,
			'TO_USER_NOT_MEMBER',
			'The destination of the transfer is not a member of the company',
			"'To User'",
			'configuration-invalid',
		],
		[
			429,
			undefined,
			'The service refused further requests: its rate limit is reached',
			"'Concurrency'",
			'rate-limited',
		],
		[
			200,
			'TO_USER_NOT_WORKSPACE_MEMBER',
			"The destination does not belong to all of the source's workspaces; nothing was transferred",
			"'To User'",
			'configuration-invalid',
		],
	])('%i %s', (status, code, message, names, cause) => {
		const error = errorOf({ status, code });
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error.message).toBe(message);
		expect(error.description).toContain(names);
		expect(error.description).toContain(`HTTP ${status}${code === undefined ? '' : `, ${code}`})`);
		expect(error.httpCode).toBe(String(status));
		expect(error.failure).toEqual({ cause });
	});
});

describe('what the spec does not list', () => {
	test.each<[Failed, string, string]>([
		[{ status: 400 }, 'The service refused the request as invalid', 'configuration-invalid'],
		[{ status: 401 }, 'The service did not accept the API key', 'credential-invalid'],
		[
			{ status: 403 },
			'The service refused the operation for this API key',
			'configuration-invalid',
		],
		[{ status: 404 }, 'The service does not know this address', 'configuration-invalid'],
		[
			{ status: 409 },
			'The service refused the change because of a conflict',
			'configuration-invalid',
		],
		[{ status: 413 }, 'The request is too large for the service', 'configuration-invalid'],
		[{ status: 418 }, 'The service refused the request', 'configuration-invalid'],
		[{ status: 500 }, 'The service is failing right now', 'temporarily-unavailable'],
		[{ status: 501 }, 'The service does not support this operation', 'configuration-invalid'],
		[{ status: 503 }, 'The service is failing right now', 'temporarily-unavailable'],
		[{ status: 599 }, 'The service is failing right now', 'temporarily-unavailable'],
		[
			{ code: 'ECONNREFUSED' },
			'The service could not be reached: the connection was refused',
			'temporarily-unavailable',
		],
		[
			{ code: 'ENOTFOUND' },
			'The service could not be reached: its host name is unknown',
			'configuration-invalid',
		],
		[
			{ code: 'EAI_AGAIN' },
			'The service could not be reached: its host name could not be looked up',
			'temporarily-unavailable',
		],
		[
			{ code: 'EHOSTUNREACH' },
			'The service could not be reached: the network has no way to it',
			'temporarily-unavailable',
		],
		[{ code: 'ETIMEDOUT' }, 'The service did not answer in time', 'temporarily-unavailable'],
		[
			{ code: 'ECONNRESET' },
			'The connection broke before the answer was complete',
			'temporarily-unavailable',
		],
		[
			{ code: 'ERR_BAD_RESPONSE' },
			'The connection broke before the answer was complete',
			'temporarily-unavailable',
		],
		[
			{ code: 'CERT_HAS_EXPIRED' },
			'No secure connection could be made to the service',
			'configuration-invalid',
		],
		[{ code: 'EWHATEVER' }, 'The service could not be reached', 'temporarily-unavailable'],
		[{ detail: 'strange' }, 'The service could not be reached', 'temporarily-unavailable'],
		[{ status: 418, code: 'TEAPOT' }, 'The service refused the request', 'configuration-invalid'],
		[
			{ status: 400, code: 'API_KEY' },
			'The service did not accept the API key',
			'credential-invalid',
		],
		[
			{ status: 302, location: '/login' },
			'The service redirected the request to another address; it was not followed, so that the key stays here',
			'configuration-invalid',
		],
		[
			{ status: 200, unexpectedBody: 'incomplete JSON' },
			'The service answered with incomplete JSON',
			'temporarily-unavailable',
		],
		[
			{ status: 403, unexpectedBody: 'a web page instead of JSON' },
			'The service answered with a web page instead of JSON',
			'configuration-invalid',
		],
	])('%j', (failed, message, cause) => {
		const error = errorOf(failed);
		expect(error.message).toBe(message);
		expect(error.description).not.toBe('');
		expect(error.failure?.cause).toBe(cause);
		expect(error.httpCode).toBe(failed.status === undefined ? null : String(failed.status));
	});

	test('names that every object has are no codes', () => {
		for (const code of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
			expect(errorOf({ status: 400, code }).message).toBe(
				'The service refused the request as invalid',
			);
			expect(errorOf({ status: 400, code }, { sentences: {} }).message).toMatch(/as invalid$/);
		}
	});
});

test('somebody who was not found is named, with the parameter', () => {
	const subject = { kind: 'user', parameter: 'User', value: 'ann@example.com' };
	const error = errorOf(
		{ status: 404, code: 'NOT_FOUND', detail: 'User not found' },
		{ subject, itemIndex: 4 },
	);
	expect(error.message).toBe("No user was found for 'ann@example.com'");
	expect(error.description).toMatch(/^Change 'User'\./);
	expect(error.context).toMatchObject({ itemIndex: 4 });
});

describe('the advice names what to do or where to look', () => {
	const CREDENTIAL = 'Base URL in the credential "Mural Enterprise API"';
	test.each<[Failed, string[]]>([
		[{ code: 'ECONNREFUSED' }, ['Try again later', CREDENTIAL]],
		[{ code: 'ENOTFOUND' }, [CREDENTIAL]],
		[{ code: 'EAI_AGAIN' }, ['Check the network of this n8n', CREDENTIAL]],
		[{ code: 'EHOSTUNREACH' }, ['Check the network of this n8n', CREDENTIAL]],
		[{ code: 'EWHATEVER' }, ['Check the network of this n8n', CREDENTIAL]],
		[{ code: 'ETIMEDOUT' }, ["'Timeout' under Options"]],
		[{ code: 'ECONNRESET' }, ['Try again later']],
		[{ code: 'CERT_HAS_EXPIRED' }, [CREDENTIAL, 'proxy']],
		[{ status: 200, unexpectedBody: 'incomplete JSON' }, ['A proxy or a login page', CREDENTIAL]],
		[{ status: 302, location: 'https://new.example' }, [CREDENTIAL, 'names https://new.example.']],
		[{ status: 302, location: '' }, [CREDENTIAL, 'names no address.']],
		[{ status: 400 }, ['values of the parameters']],
		[{ status: 403 }, ['scopes of the key', 'Mural support']],
		[{ status: 404 }, [CREDENTIAL]],
		[{ status: 409 }, ['values of the parameters']],
		[{ status: 413 }, ['Send fewer values']],
		[{ status: 418 }, ['values of the parameters']],
		[{ status: 501 }, ['another operation']],
	])('%j', (failed, names) => {
		for (const name of names) expect(errorOf(failed).description).toContain(name);
	});
});

test('only a missing address is blamed on the subject', () => {
	const subject = { kind: 'user', parameter: 'User', value: 'ann@example.com' };
	for (const failed of [{ status: 400 }, { status: 500 }, { code: 'EWHATEVER' }]) {
		expect(errorOf(failed, { subject }).message).toBe(errorOf(failed).message);
	}
});

describe("an operation's own sentences", () => {
	const sentences = {
		LAST_ADMIN: ['by code', 'd'] as [string, string],
		uniqueness: ['by SCIM type', 'd'] as [string, string],
		409: ['by status', 'd'] as [string, string],
		403: ['by status 403', 'd'] as [string, string],
	};
	test.each<[Failed, string]>([
		[{ status: 409, code: 'LAST_ADMIN', scimType: 'uniqueness' }, 'by code'],
		[{ status: 409, code: 'CONFLICT', scimType: 'uniqueness' }, 'by SCIM type'],
		[{ status: 409, code: 'CONFLICT' }, 'by status'],
		[{ status: 403, code: 'MAPPING_OFF' }, 'by status 403'],
		// What the service says itself is more exact than a status.
		[{ status: 403, code: 'SCOPES' }, 'The API key lacks the scope for this operation'],
		[
			{ status: 403, unexpectedBody: 'a web page instead of JSON' },
			'The service answered with a web page instead of JSON',
		],
		[{ status: 400 }, 'The service refused the request as invalid'],
	])('%j', (failed, message) => {
		expect(errorOf(failed, { sentences }).message).toBe(message);
	});
});

test('a wait that the service asked for reaches the host', () => {
	const { failure, context } = errorOf({ status: 429, retryAfterMs: 3_600_000 });
	expect(failure).toEqual({ cause: 'rate-limited', retryAfterMs: 3_600_000 });
	expect(context.data).toMatchObject({ status: 429, retryAfterMs: 3_600_000 });
	expect(errorOf({ status: 503, retryAfterMs: 1000 }).failure).toEqual({
		cause: 'temporarily-unavailable',
		retryAfterMs: 1000,
	});
});

test('an uncertain change says so, between the advice and what the service said', () => {
	expect(errorOf({ status: 500, code: 'OOPS' }, { mayHaveBeenApplied: true }).description).toBe(
		'Try again later. The change may have been carried out all the same: check before you run this again. (HTTP 500, OOPS)',
	);
});

test('the same words are not repeated, and empty ones left out', () => {
	const { description } = errorOf({ status: 400, code: 'X', scimType: 'X', detail: '' });
	expect(description).toBe('Check the values of the parameters. (HTTP 400, X)');
});

test('what the service did not say is not mentioned', () => {
	expect(errorOf({ code: 'ENOTFOUND' }).description).toMatch(/\(ENOTFOUND\)$/);
	expect(errorOf({}).description).toMatch(/"Mural Enterprise API"\.$/);
});

test('a text of more than 500 characters is cut', () => {
	const detailOf = (detail: string) =>
		(errorOf({ status: 400, detail }).context.data as IDataObject).detail;
	expect(detailOf('x'.repeat(500))).toBe('x'.repeat(500));
	expect(detailOf('x'.repeat(501))).toBe(`${'x'.repeat(500)}…`);
	const { description } = errorOf({ status: 400, detail: 'x'.repeat(100_000) });
	expect(description?.length).toBeLessThan(600);
});

test('keeps for the workflow what happened, without what is absent', () => {
	const data = (failed: Failed, context?: Partial<ErrorContext>) =>
		errorOf(failed, context).context.data as IDataObject;
	expect(data({ status: 400, code: 'X', detail: 'd', scimType: 't' })).toStrictEqual({
		request: 'GET /x',
		status: 400,
		code: 'X',
		detail: 'd',
		scimType: 't',
	});
	expect(data({ code: 'ECONNREFUSED' })).toStrictEqual({
		request: 'GET /x',
		code: 'ECONNREFUSED',
	});
	expect(data({ status: 404 }, { request: undefined })).toStrictEqual({ status: 404 });
});

test("n8n's own texts for codes do not replace ours", () => {
	const subject = { kind: 'user', parameter: 'User', value: 'ECONNREFUSED@example.com' };
	expect(errorOf({ status: 404 }, { subject }).message).toBe(
		"No user was found for 'ECONNREFUSED@example.com'",
	);
});
