import type { IDataObject, INodeParameters, NodeOperationError } from 'n8n-workflow';

import { resources } from '../../nodes/MuralEnterprise/actions/index';
import type { Sandbox } from '../sandbox/index.mts';
import { startSandbox } from '../sandbox/index.mts';
import { operationCases } from './cases.mts';
import type { RunOptions } from './engine.mts';
import { runNode } from './engine.mts';
import { auditLog } from './errors/auditLog.mts';
import { group } from './errors/group.mts';
import { mapping } from './errors/mapping.mts';
import { expectNoKey, KEY, watchOutput } from './errors/noKey.mts';
import type { Place } from './errors/places.mts';
import { placesOf, valueAt, withValue } from './errors/places.mts';
import type { BadInput } from './errors/rows.mts';
import { ABSENT, SHARED } from './errors/rows.mts';
import { transfer } from './errors/transfer.mts';
import { user } from './errors/user.mts';

// The first look at a transfer comes after a second, which here is a hundredth.
jest.mock('n8n-workflow', () => {
	const actual: typeof import('n8n-workflow') = jest.requireActual('n8n-workflow');
	const sleep = async (ms: number, signal?: AbortSignal) => await actual.sleep(ms / 100, signal);
	return { ...actual, sleep };
});

/**
 * Bad input for every parameter of every operation, through n8n's engine, as an expression gives it: the error names
 * the parameter and the item, and nothing is sent for that item. The rows are in errors/.
 */

const ROWS: Record<string, BadInput[]> = {
	auditLog,
	group,
	mapping,
	serviceProviderConfig: [],
	transfer,
	user,
};

interface Case {
	resource: string;
	operation: string;
	place: Place;
	row: BadInput;
}

const operations = resources.flatMap(({ key, operations: all }) =>
	all.map(({ option, properties }) => ({
		resource: key,
		operation: option.value,
		places: placesOf(properties),
	})),
);

const rowsFor = (resource: string, operation: string, { path }: Place): BadInput[] =>
	[...(ROWS[resource] ?? []), ...SHARED].filter(
		({ at, only }) => at === path && (only === undefined || only.includes(operation)),
	);

const cases: Case[] = operations.flatMap(({ resource, operation, places }) =>
	places.flatMap((place) =>
		rowsFor(resource, operation, place).map((row) => ({ resource, operation, place, row })),
	),
);

let sandbox: Sandbox;
let printed: () => string[];

beforeAll(async () => {
	sandbox = await startSandbox({
		key: KEY,
		sizes: { users: 40, groups: 12, workspaces: 8, entries: 30 },
	});
});
afterAll(async () => await sandbox.close());
beforeEach(() => {
	sandbox.admin.reset();
	printed = watchOutput();
});
afterEach(() => expectNoKey(printed()));

test('every parameter of every operation has a row', () => {
	const missing = operations.flatMap(({ resource, operation, places }) =>
		places
			.filter((place) => rowsFor(resource, operation, place).length === 0)
			.map(({ path }) => `${resource} ${operation}: ${path}`),
	);
	expect(missing).toEqual([]);
});

test('every row belongs to a parameter', () => {
	const used = new Set(cases.map(({ row }) => row));
	const unused = Object.values(ROWS)
		.flat()
		.filter((row) => !used.has(row));
	expect([...unused, ...SHARED.filter((row) => !used.has(row))]).toEqual([]);
});

/** The operation's case with an expression in the place, and a value that is fine there. */
function prepare({ resource, operation, place, row }: Case) {
	const found = operationCases(sandbox).find(
		(each) => each.resource === resource && each.operation === operation,
	);
	const given = typeof row.given === 'function' ? row.given(sandbox) : row.given;
	const base: INodeParameters = { ...found?.parameters, ...given };
	const value = place.isFixed ? (row.bad as string) : '={{ $json.value }}';
	const parameters = withValue(base, place, value, row.mode);
	return { parameters: { resource, operation, ...parameters }, good: goodValue(base, place, row) };
}

function goodValue(base: INodeParameters, place: Place, { good, mode }: BadInput): unknown {
	if (typeof good === 'function') return (good as (of: Sandbox) => unknown)(sandbox);
	if (good !== undefined) return good;
	const value = valueAt(base, place) ?? place.default;
	return mode === 'email' ? sandbox.state.users.get(value as string)?.userName : value;
}

const itemOf = (value: unknown) => (value === ABSENT ? {} : { value }) as IDataObject;

const run = async (
	parameters: INodeParameters,
	values: unknown[],
	onError?: RunOptions['onError'],
) =>
	await runNode({
		parameters,
		credential: { apiKey: sandbox.key, baseUrl: sandbox.url },
		items: values.map(itemOf),
		onError,
	});

const nameOf = ({ resource, operation, place, row }: Case) =>
	`${resource} ${operation}: ${place.path}${row.mode ? ` by ${row.mode}` : ''} = ${JSON.stringify(row.bad)}`;

test.each(cases.map((each) => [nameOf(each), each] as const))('%s', async (_, each) => {
	const { place, row } = each;
	const message = row.message.replace("'…'", `'${place.label}'`);
	const { parameters, good } = prepare(each);

	const stopped = await run(parameters, [good, row.bad]);
	const error = stopped.error as NodeOperationError;
	expect(error?.name).toBe('NodeOperationError');
	expect(error.message).toContain(message);
	expect(error.description).toContain(place.label);
	expect(error.context.itemIndex).toBe(place.isFixed ? 0 : 1);
	expectNoKey(stopped.run, error);

	sandbox.admin.clearRequests();
	const going = await run(parameters, [row.bad, row.bad], 'continueRegularOutput');
	expect(going.error).toBeUndefined();
	expect(going.items).toEqual(
		[0, 1].map((item) => ({
			json: { error: error.message, details: { description: error.description } },
			pairedItem: { item },
		})),
	);
	expect(sandbox.admin.requests()).toEqual([]);
	expectNoKey(going.run);
});

test.each([
	{ resource: 'user', operation: 'promote' },
	{ resource: 'room', operation: 'get' },
])('an operation that does not exist: %j', async (named) => {
	const stopped = await run(named, [1]);
	expect(stopped.error?.message).toContain(`does not exist for '${named.resource}'`);
	const going = await run(named, [1, 2], 'continueRegularOutput');
	expect(going.items?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	expect(going.items?.[1].json.error).toBe(stopped.error?.message);
	expect(sandbox.admin.requests()).toEqual([]);
});

test('an update that changes nothing', async () => {
	const { error } = await run(
		{
			resource: 'user',
			operation: 'update',
			userId: { __rl: true, mode: 'id', value: 'x' },
			updateFields: { givenName: '={{ $json.value }}' },
		},
		[ABSENT],
	);
	expect(error?.message).toBe("'Update Fields' holds nothing to change");
	expect(sandbox.admin.requests()).toEqual([]);
});
