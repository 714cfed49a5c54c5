import { json } from 'node:stream/consumers';
import type { IDataObject } from 'n8n-workflow';

import { runNode } from './engine.mts';

/**
 * A process of its own that starts many transfers at once, as a second worker of one n8n does. Arguments: base URL,
 * key. Says when it is ready; then takes its items, as JSON, from the standard input and prints what became of them.
 */
const [baseUrl, apiKey] = process.argv.slice(2);
process.stdout.write('"ready"\n');
const given = (await json(process.stdin)) as IDataObject[];
const member = (value: string) => ({ __rl: true, mode: 'email', value });
const { items, error } = await runNode({
	parameters: {
		resource: 'transfer',
		operation: 'start',
		fromUser: member('={{ $json.from }}'),
		toUser: member('={{ $json.to }}'),
		options: { concurrency: 50 },
	},
	credential: { baseUrl, apiKey },
	items: given,
	onError: 'continueRegularOutput',
});
const failed = (items ?? []).filter((item) => item.json.error !== undefined);
process.stdout.write(
	JSON.stringify({
		started: items?.filter((item) => item.json.jobId !== undefined).length,
		failed: failed.length,
		error: error?.message ?? failed[0]?.json,
	}),
);
