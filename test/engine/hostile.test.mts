import fc from 'fast-check';
import type { INodeParameters, NodeParameterValueType } from 'n8n-workflow';
import { parse } from 'scim2-parse-filter';

import type { LoggedRequest, Sandbox } from '../sandbox/index.mts';
import { startSandbox } from '../sandbox/index.mts';
import { operationCases } from './cases.mts';
import { runNode } from './engine.mts';

// Retries of answers such as 500 would only make this slow.
jest.mock('n8n-workflow', () => {
	const actual: typeof import('n8n-workflow') = jest.requireActual('n8n-workflow');
	const sleep = async (ms: number, signal?: AbortSignal) => await actual.sleep(ms / 100, signal);
	return { ...actual, sleep };
});

/**
 * Hostile texts in every parameter of every operation: nothing escapes its path segment or its filter, no other
 * endpoint is reached than the operation's own, and the key stays where it belongs.
 */

const RUNS = 25;

const HOSTILE = [
	'../../scim/Users',
	'..',
	'.',
	'%2e%2e',
	'%2F..%2FUsers',
	'a/b',
	'a\\b',
	'x?active=false',
	'x#y',
	'x;y=z',
	'\r\nX-Injected: 1',
	'\u0000',
	'" or userName pr or userName eq "',
	'\\',
	'\\" or externalId pr',
	'ann@example.com" or "1" eq "1',
	'ünïcödé@exämple.com',
	'ann@example.com\u202e',
	'__proto__',
	'constructor',
	'prototype',
	'toString',
	'\ud800',
	'<script>alert(1)</script>',
	'${7*7}',
	' ',
	'0',
	'false',
	'null',
	'a'.repeat(5000),
];

const hostileText = fc.oneof(
	{ weight: 4, arbitrary: fc.constantFrom(...HOSTILE) },
	{ weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
	{ weight: 1, arbitrary: fc.constantFrom(...HOSTILE).map((text) => `${text}@example.com`) },
);

/** The places of texts that a person can fill in, as paths into the parameters. */
function textPlaces(
	value: NodeParameterValueType,
	path: Array<number | string> = [],
): Array<Array<number | string>> {
	if (typeof value === 'string') return path.at(-1) === 'mode' ? [] : [path];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, child]) =>
		textPlaces(child as NodeParameterValueType, [...path, name]),
	);
}

function withText(
	parameters: INodeParameters,
	path: Array<number | string>,
	text: string,
): INodeParameters {
	const copy = structuredClone(parameters);
	let at = copy as Record<number | string, unknown>;
	for (const name of path.slice(0, -1)) at = at[name] as Record<number | string, unknown>;
	// An expression of n8n would be run, not sent.
	at[path.at(-1) as number | string] = text.replace(/^=/, '');
	return copy;
}

const KINDS = [
	['audit-log', /^\/audit-log$/],
	['users', /^\/scim\/Users$/],
	['user', /^\/scim\/Users\/[^/]+$/],
	['groups', /^\/scim\/Groups$/],
	['group', /^\/scim\/Groups\/[^/]+$/],
	['config', /^\/scim\/ServiceProviderConfigs$/],
	['mappings', /^\/mapping\/groups$/],
	['mapping', /^\/mapping\/groups\/[^/]+$/],
	['transfers', /^\/workspaces\/contents\/transfer$/],
	['transfer', /^\/workspaces\/contents\/transfer\/[^/]+$/],
] as const;

function kindOf({ method, path }: LoggedRequest): string {
	const [kind] = KINDS.find(([, pattern]) => pattern.test(path)) ?? [`unknown path ${path}`];
	return `${method} ${kind}`;
}

/** A filter that compares one attribute with one text, and nothing else. */
function isOneComparison(filter: string): boolean {
	const literal = /^(?:userName|externalId) eq ("(?:[^"\\]|\\.)*")$/s.exec(filter)?.[1];
	if (literal === undefined) return false;
	JSON.parse(literal);
	// The library mis-reads backslashes in texts; without them it has to agree.
	return literal.includes('\\') || parse(filter).op === 'eq';
}

let sandbox: Sandbox;
const names: Array<{ resource: string; operation: string }> = [];
/** What operations reach, any text given: reads by which e-mails and names are looked up, and the operation's own. */
const LOOKUPS = ['GET users', 'GET user', 'GET groups', 'GET group', 'GET mappings', 'GET config'];

beforeAll(async () => {
	sandbox = await startSandbox({ sizes: { users: 30, groups: 10, workspaces: 6, entries: 100 } });
	sandbox.admin.configure({ transfer: { durationMs: 0 } });
});
afterAll(async () => await sandbox.close());

const cases = async () => {
	const probe = await startSandbox({
		sizes: { users: 30, groups: 10, workspaces: 6, entries: 10 },
	});
	names.push(...operationCases(probe));
	await probe.close();
};

test('every parameter of every operation', async () => {
	await cases();
	for (const { resource, operation } of names) {
		const fresh = () => {
			sandbox.admin.reset();
			sandbox.admin.configure({ transfer: { durationMs: 0 } });
			const found = operationCases(sandbox).find(
				(each) => each.resource === resource && each.operation === operation,
			);
			if (!found) throw new Error('no case');
			return found;
		};
		const run = async (parameters: INodeParameters) =>
			await runNode({
				parameters: {
					resource,
					operation,
					...parameters,
					options: { ...(parameters.options as object), timeout: 5 },
				},
				credential: { apiKey: sandbox.key, baseUrl: sandbox.url },
				onError: 'continueRegularOutput',
			});
		const clean = fresh();
		await run(clean.parameters);
		const own = new Set([...sandbox.admin.requests().map(kindOf), ...LOOKUPS]);
		// Another e-mail is another member, who may have to be created first.
		if (operation === 'upsert') ['POST users', 'PUT user'].forEach((kind) => own.add(kind));

		for (const place of textPlaces(clean.parameters as NodeParameterValueType)) {
			const property = fc.asyncProperty(hostileText, async (text) => {
				sandbox.admin.clearRequests();
				const result = await run(withText(clean.parameters, place, text)).catch(
					(error: Error) => error,
				);
				if (result instanceof Error) {
					// n8n itself refuses to start a node whose required parameter is empty.
					expect(result.name).toBe('WorkflowHasIssuesError');
					expect(sandbox.admin.requests()).toEqual([]);
					return;
				}
				const where = `${resource}: ${operation}, ${place.join('.')} = ${JSON.stringify(text.slice(0, 60))}`;
				for (const request of sandbox.admin.requests()) {
					expect([where, kindOf(request), own.has(kindOf(request))]).toEqual([
						where,
						kindOf(request),
						true,
					]);
					expect([where, request.keyMatched, request.keyLeaked]).toEqual([where, true, false]);
					expect([where, 'x-injected' in request.headers]).toEqual([where, false]);
					const { filter } = request.query;
					if (filter !== undefined)
						expect([where, isOneComparison(String(filter))]).toEqual([where, true]);
				}
				expect(JSON.stringify(result.run)).not.toContain(sandbox.key);
				expect([where, result.error, result.items === undefined]).toEqual([
					where,
					undefined,
					false,
				]);
				expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
			});
			await fc.assert(property, { numRuns: RUNS });
		}
	}
}, 300_000);
