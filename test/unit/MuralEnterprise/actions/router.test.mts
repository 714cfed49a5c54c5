import fc from 'fast-check';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { resources } from '../../../../nodes/MuralEnterprise/actions/index';
import type { LockKey, Resource } from '../../../../nodes/MuralEnterprise/actions/operation';
import { toItem } from '../../../../nodes/MuralEnterprise/actions/operation';
import { route } from '../../../../nodes/MuralEnterprise/actions/router';

/** One input item: how it behaves in the operation under test. */
interface Item {
	/** What it changes; nothing when absent. */
	member?: string;
	outputs: number;
	fails: boolean;
}

/** What an item did, in the order it happened. */
type Log = Array<{ item: number; what: 'end' | 'start' }>;

interface Run {
	output?: INodeExecutionData[][];
	error?: NodeOperationError;
	log: Log;
}

interface Settings {
	concurrency: unknown;
	continueOnFail: boolean;
	signal?: AbortSignal;
	/** Ends one item's work when it likes. */
	work(item: number): Promise<unknown>;
}

let items: Item[] = [];
let log: Log = [];
let work: Settings['work'] = async () => undefined;

const testResource: Resource = {
	label: 'Test',
	key: 'test',
	defaultOperation: 'run',
	operations: [
		{
			option: { name: 'Run', value: 'run', action: 'Run' },
			properties: [],
			lockKey: ({ itemIndex }): LockKey[] => {
				const { member } = items[itemIndex];
				return member === undefined ? [] : [{ by: 'email', value: member }];
			},
			async execute(context) {
				const { itemIndex } = context;
				log.push({ item: itemIndex, what: 'start' });
				await work(itemIndex);
				log.push({ item: itemIndex, what: 'end' });
				const { fails, outputs } = items[itemIndex];
				if (fails) {
					throw new NodeOperationError(context.client.node, `no ${itemIndex}`, {
						description: 'why',
					});
				}
				return Array.from({ length: outputs }, (_, n) => toItem(context, { itemIndex, n }));
			},
		},
	],
};

beforeAll(() => resources.push(testResource));
afterAll(() => resources.splice(resources.indexOf(testResource), 1));

function host(settings: Settings): IExecuteFunctions {
	const parameters: IDataObject = {
		resource: 'test',
		operation: 'run',
		options: { concurrency: settings.concurrency as number },
	};
	return {
		getInputData: () => items.map(() => ({ json: {} })),
		getNode: () => ({ name: 'Mural Enterprise', type: 'test', parameters: {} }),
		getNodeParameter: (name: string) => parameters[name],
		getCredentials: async () => ({ apiKey: 'key', baseUrl: 'https://mural.invalid' }),
		getExecutionCancelSignal: () => settings.signal,
		continueOnFail: () => settings.continueOnFail,
	} as unknown as IExecuteFunctions;
}

async function run(input: Item[], settings: Settings): Promise<Run> {
	items = input;
	log = [];
	work = settings.work;
	try {
		return { output: await route.call(host(settings)), log };
	} catch (error) {
		return { error: error as NodeOperationError, log };
	}
}

/** What one item after the other gives. */
async function sequential(input: Item[], continueOnFail: boolean): Promise<Run> {
	return await run(input, { concurrency: 1, continueOnFail, work: async () => undefined });
}

const anItem = fc.record(
	{
		member: fc.constantFrom('a', 'b', 'c'),
		outputs: fc.nat({ max: 3 }),
		fails: fc.boolean(),
	},
	{ requiredKeys: ['outputs', 'fails'] },
);
const someItems = fc.array(anItem, { minLength: 1, maxLength: 12 });
const concurrency = fc.integer({ min: 1, max: 8 });

test('side by side gives what one by one gives: order, pairing, errors, effects on each member', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.scheduler(),
			someItems,
			concurrency,
			fc.boolean(),
			async (scheduler, input, many, continueOnFail) => {
				const expected = await sequential(input, continueOnFail);
				const running = run(input, {
					concurrency: many,
					continueOnFail,
					work: async (item) => await scheduler.schedule(Promise.resolve(), `item ${item}`),
				});
				await scheduler.waitFor(running);
				const actual = await running;
				expect(actual.output).toEqual(expected.output);
				expect(actual.error?.message).toBe(expected.error?.message);
				expect(actual.error?.context.itemIndex).toBe(expected.error?.context.itemIndex);
				const done = (one: Run, member: string) =>
					one.log.filter(({ item }) => input[item].member === member);
				for (const member of ['a', 'b', 'c']) {
					const before = expected.error?.context.itemIndex as number | undefined;
					const beforeFailure = ({ item }: { item: number }) => item <= (before ?? input.length);
					// Up to the item that fails, what happens to a member happens in the same order, item after item.
					expect(done(actual, member).filter(beforeFailure)).toEqual(done(expected, member));
				}
				const starts = actual.log.filter(({ what }) => what === 'start');
				// Nothing is started twice, and after a failure only what was under way already.
				expect(new Set(starts.map(({ item }) => item)).size).toBe(starts.length);
				const firstEndOfFailed = actual.log.findIndex(
					({ item, what }) => what === 'end' && input[item].fails,
				);
				if (!continueOnFail && firstEndOfFailed !== -1) {
					const failed = actual.log[firstEndOfFailed].item;
					const later = actual.log
						.slice(firstEndOfFailed + 1)
						.filter(({ what }) => what === 'start');
					expect(later.filter(({ item }) => item > failed)).toEqual([]);
				}
			},
		),
		{ numRuns: 500 },
	);
});

test('as many items as Concurrency says are under way, never more', async () => {
	let underWay = 0;
	let most = 0;
	const input = Array.from({ length: 30 }, () => ({ outputs: 1, fails: false }));
	await run(input, {
		concurrency: 7,
		continueOnFail: false,
		work: async () => {
			most = Math.max(most, ++underWay);
			await new Promise((resolve) => setTimeout(resolve, 2));
			underWay--;
		},
	});
	expect(most).toBe(7);
});

test('an item that waits for its turn does not run once an earlier one failed', async () => {
	const input = [
		{ member: 'a', outputs: 1, fails: true },
		{ member: 'a', outputs: 1, fails: false },
	];
	const { error, log: happened } = await run(input, {
		concurrency: 5,
		continueOnFail: false,
		work: async () => undefined,
	});
	expect(error?.message).toBe('no 0');
	expect(happened.map(({ item }) => item)).toEqual([0, 0]);
});

test.each([false, true])('cancelling stops what is queued (continue on fail: %s)', async (go) => {
	const controller = new AbortController();
	const input = Array.from({ length: 50 }, () => ({ outputs: 1, fails: false }));
	const {
		error,
		output,
		log: happened,
	} = await run(input, {
		concurrency: 3,
		continueOnFail: go,
		signal: controller.signal,
		work: async (item) => {
			if (item === 4) controller.abort(new Error('cancelled'));
		},
	});
	expect(output).toBeUndefined();
	expect(error?.message).toBe('cancelled');
	expect(happened.filter(({ what }) => what === 'start').length).toBeLessThan(10);
});

test.each(['many', 0, 51, 2.5, null])('Concurrency %j is refused for every item', async (bad) => {
	const input = [
		{ outputs: 1, fails: false },
		{ outputs: 1, fails: false },
	];
	const settings = { concurrency: bad, work: async () => undefined };
	const stopped = await run(input, { ...settings, continueOnFail: false });
	expect(stopped.error?.message).toBe("'Concurrency' is not a whole number from 1 to 50");
	expect(stopped.error?.context.itemIndex).toBe(0);
	const { output, log: happened } = await run(input, { ...settings, continueOnFail: true });
	const message = "'Concurrency' is not a whole number from 1 to 50";
	const description = "Enter a whole number from 1 to 50 in 'Concurrency'.";
	expect(output).toEqual([
		[0, 1].map((item) => ({
			json: { error: message, details: { description } },
			pairedItem: { item },
		})),
	]);
	expect(happened).toEqual([]);
});

test('no input, no output', async () => {
	const settings = { concurrency: 5, continueOnFail: false, work: async () => undefined };
	expect((await run([], settings)).output).toEqual([[]]);
});
