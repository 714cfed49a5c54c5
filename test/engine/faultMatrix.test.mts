import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

import type { Fault, LoggedRequest, Sandbox } from '../sandbox/index.mts';
import { startSandbox } from '../sandbox/index.mts';
import type { OperationCase } from './cases.mts';
import { operationCases } from './cases.mts';
import type { RunResult } from './engine.mts';
import { runNode } from './engine.mts';

// Waits pass a hundred times faster; their length is tested in test/unit/shared.
jest.mock('n8n-workflow', () => {
	const actual: typeof import('n8n-workflow') = jest.requireActual('n8n-workflow');
	const sleep = async (ms: number, signal?: AbortSignal) => await actual.sleep(ms / 100, signal);
	return { ...actual, sleep };
});

/**
 * Every operation × every fault: either the right result or a clear error, no change carried out twice, no item
 * lost, no hang. The fault hits the last request of the kind that the operation is about: its change, or its read.
 */

/** Only where the fault is about time: a busy machine must not look like a fault. */
const SHORT_TIMEOUT_S = 2;
const REDIRECT_TARGET = 'http://127.0.0.2:9';

interface FaultCase {
	name: string;
	/** Absent: the fault is in the address, see `baseUrl`. */
	fault?: Fault;
	baseUrl?: (sandbox: Sandbox) => string;
	/** Whether a read has to succeed in spite of it, and whether a change has to. */
	read: 'error' | 'ok';
	change: 'error' | 'ok';
}

let closedPort: number;

const status = (code: number, retryAfter?: number, as?: 'date' | 'seconds'): Fault => ({
	kind: 'status',
	status: code,
	...(retryAfter === undefined ? {} : { retryAfter, retryAfterAs: as }),
});

const FAULTS: FaultCase[] = [
	{ name: 'slow, within the timeout', fault: { kind: 'slow', ms: 200 }, read: 'ok', change: 'ok' },
	{
		name: 'slow body, past the timeout',
		fault: { kind: 'slow', ms: 6000 },
		read: 'ok',
		change: 'error',
	},
	{ name: 'never answers', fault: { kind: 'hang' }, read: 'ok', change: 'error' },
	{
		name: 'never answers, applied',
		fault: { kind: 'hang', applied: true },
		read: 'ok',
		change: 'error',
	},
	{ name: '429', fault: status(429), read: 'ok', change: 'ok' },
	{ name: '429, Retry-After seconds', fault: status(429, 1, 'seconds'), read: 'ok', change: 'ok' },
	{ name: '429, Retry-After date', fault: status(429, 1, 'date'), read: 'ok', change: 'ok' },
	{
		name: '429, Retry-After an hour',
		fault: status(429, 3600, 'seconds'),
		read: 'error',
		change: 'error',
	},
	{ name: '500', fault: status(500), read: 'ok', change: 'error' },
	{ name: '502', fault: status(502), read: 'ok', change: 'error' },
	{ name: '503', fault: status(503), read: 'ok', change: 'error' },
	{ name: '500, applied', fault: { ...status(500), applied: true }, read: 'ok', change: 'error' },
	{ name: '503 for ever', fault: { ...status(503), count: null }, read: 'error', change: 'error' },
	{ name: 'reset', fault: { kind: 'reset' }, read: 'ok', change: 'error' },
	{ name: 'reset, applied', fault: { kind: 'reset', applied: true }, read: 'ok', change: 'error' },
	{
		name: 'truncated, connection ends',
		fault: { kind: 'truncate', as: 'connection' },
		read: 'ok',
		change: 'error',
	},
	{ name: 'truncated JSON', fault: { kind: 'truncate', as: 'json' }, read: 'ok', change: 'error' },
	{ name: 'HTML instead of JSON', fault: { kind: 'html' }, read: 'error', change: 'error' },
	{ name: 'HTML 403', fault: { kind: 'html', status: 403 }, read: 'error', change: 'error' },
	{
		name: 'wrong content type',
		fault: { kind: 'contentType', contentType: 'text/plain' },
		read: 'ok',
		change: 'ok',
	},
	{
		name: 'JSON of another kind',
		fault: { kind: 'body', body: { hello: 1 } },
		read: 'error',
		change: 'error',
	},
	{
		name: 'redirect to another host',
		fault: { kind: 'redirect', location: REDIRECT_TARGET },
		read: 'error',
		change: 'error',
	},
	{
		name: '401',
		fault: { kind: 'body', status: 401, body: { error: 'API_KEY' } },
		read: 'error',
		change: 'error',
	},
	{
		name: '403',
		fault: { kind: 'body', status: 403, body: { error: 'SCOPES' } },
		read: 'error',
		change: 'error',
	},
	{
		name: 'connection refused',
		baseUrl: () => `http://127.0.0.1:${closedPort}/enterprise/v1`,
		read: 'error',
		change: 'error',
	},
	{
		name: 'TLS failure',
		baseUrl: ({ url }) => url.replace('http:', 'https:'),
		read: 'error',
		change: 'error',
	},
];

const SIZES = { users: 40, groups: 12, workspaces: 8, entries: 300 };

type Named = Pick<OperationCase, 'operation' | 'resource'>;

/** Every operation has a sandbox of its own, so that they wait side by side. */
const sandboxes = new Map<Named, Sandbox>();
const table: Array<{ operation: string; fault: string; outcome: string }> = [];

beforeAll(async () => {
	const first = await startSandbox({ sizes: SIZES });
	for (const { resource, operation } of operationCases(first)) {
		sandboxes.set({ resource, operation }, await startSandbox({ sizes: SIZES }));
	}
	await first.close();
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	closedPort = (server.address() as AddressInfo).port;
	await new Promise((resolve) => server.close(resolve));
});

afterAll(async () => {
	await Promise.all([...sandboxes.values()].map(async (sandbox) => await sandbox.close()));
	const lines = table.map(
		({ operation, fault, outcome }) => `${operation.padEnd(30)} ${fault.padEnd(28)} ${outcome}`,
	);
	process.stdout.write(`\n${lines.sort().join('\n')}\n${table.length} combinations\n`);
});

const isChange = ({ method }: LoggedRequest) => method !== 'GET';
const tookEffect = ({ status: code }: LoggedRequest) => code !== undefined && code < 300;

function freshCase(sandbox: Sandbox, named: Named): OperationCase {
	sandbox.admin.reset();
	sandbox.admin.configure({ transfer: { durationMs: 0 } });
	const found = operationCases(sandbox).find(
		({ resource, operation }) => resource === named.resource && operation === named.operation,
	);
	if (!found) throw new Error('no case');
	return found;
}

async function run(
	sandbox: Sandbox,
	each: OperationCase,
	{ baseUrl = sandbox.url, timeout = 30 } = {},
): Promise<RunResult> {
	const options = { ...(each.parameters.options as object), timeout };
	return await runNode({
		parameters: {
			resource: each.resource,
			operation: each.operation,
			...each.parameters,
			options,
		},
		credential: { apiKey: sandbox.key, baseUrl },
		onError: 'continueRegularOutput',
	});
}

interface Baseline {
	sent: LoggedRequest[];
	state: string;
}

const baselines = new Map<Named, Baseline>();

/** What the operation sends and does without a fault. */
async function baselineOf(named: Named): Promise<Baseline> {
	const known = baselines.get(named);
	if (known) return known;
	const sandbox = sandboxes.get(named) as Sandbox;
	const { items } = await run(sandbox, freshCase(sandbox, named));
	expect([named, items?.[0]?.json.details]).toEqual([named, undefined]);
	const baseline = { sent: sandbox.admin.requests(), state: stateText(sandbox) };
	baselines.set(named, baseline);
	return baseline;
}

/** What an operation can change, without what depends on the moment. */
function stateText(sandbox: Sandbox): string {
	// Lets jobs that were started come to their end.
	sandbox.admin.advance(1000);
	const { users, groups, mappings, murals } = sandbox.admin.dump();
	const moments = new Set(['created', 'lastModified', 'id']);
	return JSON.stringify({ users, groups, mappings, murals }, (name, value: unknown) =>
		moments.has(name) ? undefined : value,
	);
}

/** Faults that only spoil the body of a good answer do nothing to an operation whose answer has none. */
const onlyBody = (fault: Fault | undefined) =>
	fault?.kind === 'slow' ||
	fault?.kind === 'truncate' ||
	(fault?.kind === 'body' && fault.status === undefined);

async function check(
	named: Named,
	{ name, fault, baseUrl, read, change }: FaultCase,
): Promise<void> {
	if (onlyBody(fault) && named.operation === 'delete') return;
	const sandbox = sandboxes.get(named) as Sandbox;
	const where = `${named.resource}: ${named.operation} × ${name}`;

	const { sent, state: goodState } = await baselineOf(named);
	const changes = sent.filter(isChange).length;
	const each = freshCase(sandbox, named);
	const hit = each.isRead ? sent.at(-1) : sent.filter(isChange).at(-1);
	if (fault && hit) {
		// Ids of what the operation itself creates differ from run to run.
		const path = `^${hit.path.replace(/[^/]{20,}$/, '[^/]+')}$`;
		const skip = sent.filter(
			({ method, path: p }) => method === hit.method && new RegExp(path).test(p),
		);
		sandbox.admin.fault({ ...fault, method: hit.method, path, skip: skip.length - 1 });
	}
	const isAboutTime = fault?.kind === 'hang' || (fault?.kind === 'slow' && fault.ms > 1000);
	const result = await run(sandbox, each, {
		baseUrl: baseUrl?.(sandbox),
		...(isAboutTime ? { timeout: SHORT_TIMEOUT_S } : {}),
	});
	const json = result.items?.[0]?.json;
	// A failed job's status has an `error` of its own.
	const outcome = json?.details === undefined ? 'ok' : 'error';
	expect([where, result.error, result.items?.length === 0]).toEqual([where, undefined, false]);
	expect([where, outcome]).toEqual([where, each.isRead ? read : change]);
	if (outcome === 'error') {
		const { description } = json?.details as { description?: string };
		const isClear = [json?.error, description].every((text) => String(text).length > 15);
		expect([where, isClear]).toEqual([where, true]);
		expect(JSON.stringify(result.run)).not.toContain(sandbox.key);
	} else {
		expect([where, stateText(sandbox) === goodState]).toEqual([where, true]);
	}
	const carriedOut = sandbox.admin
		.requests()
		.filter((request) => isChange(request) && (tookEffect(request) || fault?.applied));
	expect([where, carriedOut.length <= changes]).toEqual([where, true]);
	table.push({
		operation: `${named.resource}: ${named.operation}`,
		fault: name,
		outcome: outcome === 'ok' ? 'right result' : String(json?.error),
	});
}

test.each(FAULTS)(
	'$name',
	async (each) => {
		const names = [...sandboxes.keys()];
		const checks = await Promise.allSettled(names.map(async (named) => await check(named, each)));
		const failed = checks.filter(({ status: outcome }) => outcome === 'rejected');
		expect(failed).toEqual([]);
	},
	60_000,
);
