import type { Fault } from '../../sandbox/faults.mts';

/** Every way in which a request to the service fails, with a key that could come to light by it. */

export interface Failure {
	/** Also the ID of the member that the workflow asks for, so that each fault hits its own workflow. */
	name: string;
	/** Name of the credential. */
	credential: CredentialName;
	fault?: Fault;
	/** What the execution has to end with. */
	message: RegExp;
}

export const CREDENTIALS = [
	'good',
	'odd',
	'wrong',
	'unscoped',
	'spaced',
	'refused',
	'tls',
	'elsewhere',
] as const;
export type CredentialName = (typeof CREDENTIALS)[number];

/** One that looks different in a URL and in JSON; the service takes it. */
export const ODD_KEY = 'Zq81+odd/key="with"\\signs%25&more==';

/** @param otherHost address of a host that is not the service; @param port of the service */
export function failures(otherHost: string): Failure[] {
	const inUrl = encodeURIComponent(ODD_KEY);
	const echo = (status: number, as: 'html' | 'json'): Fault => ({ kind: 'echo', status, as });
	const redirect = (status: number): Fault => ({
		kind: 'redirect',
		status,
		location: `${otherHost}/login?key=${inUrl}&to=`,
	});
	const text = `apikey ${ODD_KEY}`;
	return [
		{ name: 'wrong-key', credential: 'wrong', message: /did not accept the API key/ },
		{ name: 'no-scope', credential: 'unscoped', message: /lacks the scope/ },
		{ name: 'unknown-member', credential: 'good', message: /No user was found/ },
		{ name: 'key-with-space', credential: 'spaced', message: /API Key holds a space/ },
		{ name: 'refused', credential: 'refused', message: /connection was refused/ },
		{ name: 'tls', credential: 'tls', message: /No secure connection/ },
		{ name: 'plain-http-elsewhere', credential: 'elsewhere', message: /has to start with https/ },
		...(
			[
				[
					'conflict',
					{ kind: 'body', status: 409, body: { error: 'CONFLICT', detail: text } },
					/conflict/,
				],
				['rate-limit', { kind: 'status', status: 429, retryAfter: 3600 }, /rate limit/],
				['rate-limit-echo', echo(429, 'json'), /rate limit/],
				['server-error', { kind: 'status', status: 500 }, /failing right now/],
				['echo-500', echo(500, 'json'), /failing right now/],
				['echo-500-page', echo(500, 'html'), /failing right now/],
				['echo-400', echo(400, 'json'), /refused the request as invalid/],
				['echo-401', echo(401, 'json'), /did not accept the API key/],
				['echo-403-page', echo(403, 'html'), /a web page instead of JSON/],
				['echo-404', echo(404, 'json'), /No user was found/],
				['echo-200', echo(200, 'json'), /something that is no user/],
				['echo-text', { kind: 'body', text }, /incomplete JSON|text that is not JSON/],
				[
					'code-is-key',
					{ kind: 'body', status: 400, body: { error: text, scimType: text } },
					/invalid/,
				],
				['redirect-302', redirect(302), /redirected the request/],
				['redirect-307', redirect(307), /redirected the request/],
				['reset', { kind: 'reset' }, /connection broke/],
				['no-answer', { kind: 'hang' }, /did not answer in time/],
			] as Array<[string, Fault, RegExp]>
		).map(([name, fault, message]): Failure => ({ name, credential: 'odd', fault, message })),
	];
}
