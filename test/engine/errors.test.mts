import type { NodeApiError } from 'n8n-workflow';

import type { Sandbox } from '../sandbox/index.mts';
import { startSandbox } from '../sandbox/index.mts';
import { runNode } from './engine.mts';
import { expectNoKey, KEY, watchOutput } from './errors/noKey.mts';
import { otherRows } from './errors/otherRows.mts';
import type { ServiceError } from './errors/serviceRows.mts';
import { specRows } from './errors/specRows.mts';

// Waits pass a hundred times faster; their length is tested in test/unit/shared.
jest.mock('n8n-workflow', () => {
	const actual: typeof import('n8n-workflow') = jest.requireActual('n8n-workflow');
	const sleep = async (ms: number, signal?: AbortSignal) => await actual.sleep(ms / 100, signal);
	return { ...actual, sleep };
});

/**
 * What a person is told when the service refuses or fails, through n8n's engine: every row of the spec's section
 * Errors, and what the spec leaves open. Bad input is in badInput.test.mts, faults in faultMatrix.test.mts.
 */

let sandbox: Sandbox;
let printed: () => string[];

beforeAll(async () => {
	sandbox = await startSandbox({
		key: KEY,
		sizes: { users: 40, groups: 12, workspaces: 8, entries: 30 },
	});
});
afterAll(async () => await sandbox.close());
beforeEach(() => (printed = watchOutput()));
afterEach(() => expectNoKey(printed()));

/** One run in a sandbox that is as the row wants it. */
async function run(row: ServiceError, onError?: 'continueErrorOutput' | 'continueRegularOutput') {
	sandbox.admin.reset();
	row.before?.(sandbox);
	const items = row.items?.(sandbox) ?? [{}];
	const { resource, operation } = row;
	const parameters = { resource, operation, ...row.parameters(sandbox) };
	const apiKey = row.key?.(sandbox) ?? sandbox.key;
	if (row.fault) sandbox.admin.fault(row.fault);
	const result = await runNode({
		parameters,
		credential: { apiKey, baseUrl: sandbox.url },
		items,
		onError,
	});
	expectNoKey(result.run);
	expect(JSON.stringify(result.run)).not.toContain(apiKey);
	expect(sandbox.admin.requests().filter(({ keyLeaked }) => keyLeaked)).toEqual([]);
	return { ...result, last: items.length - 1 };
}

test.each([...specRows, ...otherRows].map((row) => [row.name, row] as const))(
	'%s',
	async (_, row) => {
		const stopped = await run(row);
		const error = stopped.error as NodeApiError;
		expect(error?.name).toBe('NodeApiError');
		expect(error.message).toContain(row.message);
		for (const part of row.description) expect(error.description).toContain(part);
		expect(error.httpCode).toBe(row.httpCode);
		expect(error.failure?.cause).toBe(row.cause);
		expect(error.context.itemIndex).toBe(stopped.last);
		expect(stopped.items).toBeUndefined();

		const { items, last } = await run(row, 'continueRegularOutput');
		expect(items).toHaveLength(last + 1);
		items?.forEach(({ json, pairedItem }, item) => {
			expect(pairedItem).toEqual({ item });
			if (item < last) expect(json).not.toHaveProperty('error');
		});
		const { error: message, details, ...rest } = items?.[last].json ?? {};
		expect(rest).toEqual({});
		expect(message).toBe(error.message);
		expect(details).toMatchObject({ ...row.details, description: expect.any(String) as string });

		const split = await run(row, 'continueErrorOutput');
		expect(split.items).toHaveLength(last);
		expect(split.errorItems?.map(({ json }) => json)).toEqual([
			// n8n 2.x adds the input's own fields, n8n 1.x does not.
			expect.objectContaining({
				error: message,
				details: expect.objectContaining(row.details) as object,
			}),
		]);
	},
);

test('the rows hold every row of the spec', () => {
	const told = specRows.map(({ name }) => name).join('\n');
	for (const [status, code] of [
		['401', 'API_KEY'],
		['403', 'SCOPES'],
		['400', 'SAME_USER'],
		['400', 'FROM_USER_NOT_MEMBER'],
		['400', 'TO_USER_NOT_MEMBER'],
		['429', 'without a code'],
	]) {
		for (const request of ['create', 'status'])
			expect(told).toContain(`${status} ${code}, ${request}`);
	}
});
