import type { INodeParameters } from 'n8n-workflow';

import { runNode } from '../engine/engine.mts';
import { startSandbox } from '../sandbox/index.mts';

/**
 * 1,000 suspends in one run, against a service that takes 100 ms an answer: items side by side against one by one.
 * One by one is measured on a sample, in the same process, and scaled; each run suspends other members.
 */

const ITEMS = 1000;
const SAMPLE = 60;
const LATENCY_MS = 100;
const TARGET = 8;

const sandbox = await startSandbox({
	sizes: { users: 3 * ITEMS + SAMPLE + 500, groups: 0, workspaces: 0, entries: 0 },
});
sandbox.admin.setLatency({ ms: LATENCY_MS });
const active = [...sandbox.state.users.values()].filter((user) => user.active);

/** Milliseconds for one run of the node that suspends `count` members. */
async function suspend(count: number, options: INodeParameters): Promise<number> {
	const members = active.splice(0, count);
	const started = performance.now();
	const { items, error } = await runNode({
		parameters: {
			resource: 'user',
			operation: 'suspend',
			userId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
			options,
		},
		credential: { apiKey: sandbox.key, baseUrl: sandbox.url },
		items: members.map(({ id }) => ({ id })),
	});
	const ms = performance.now() - started;
	if (error) throw error;
	const inOrder = items?.every(({ json }, index) => json.id === members[index].id);
	const suspended = members.filter((user) => !user.active).length;
	if (!inOrder || suspended !== count) throw new Error(`${suspended} of ${count} were suspended`);
	return ms;
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`.padStart(9);

// The first request of a process loads and compiles what all of them use.
await suspend(1, {});
const oneByOne = ((await suspend(SAMPLE, { concurrency: 1 })) / SAMPLE) * ITEMS;
console.log(`${ITEMS} suspends, ${LATENCY_MS} ms an answer`);
console.log(`one by one      ${seconds(oneByOne)}  (scaled from ${SAMPLE} items)`);
for (const [label, options] of [
	['default', {}],
	['Concurrency 20', { concurrency: 20 }],
	['Concurrency 50', { concurrency: 50 }],
] as const) {
	const ms = await suspend(ITEMS, options);
	const ratio = oneByOne / ms;
	const verdict = ratio >= TARGET ? '' : `, less than ${TARGET} times`;
	console.log(`${label.padEnd(15)} ${seconds(ms)}  ${ratio.toFixed(1)} times faster${verdict}`);
}
await sandbox.close();
