import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from './hostEngine.mts';

/** How long n8n takes to load the package when what it shares with n8n is there already: one line of JSON. */

const { packageFolder } = JSON.parse(process.argv[2]) as { packageFolder: string };
const { n8n } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
	n8n: { nodes: string[]; credentials: string[] };
};
for (const shared of ['n8n-workflow', 'luxon', 'lodash', 'p-limit']) load(shared);
const started = performance.now();
for (const file of [...n8n.credentials, ...n8n.nodes]) {
	const classes = load<Record<string, new () => object>>(join(packageFolder, file));
	for (const Class of Object.values(classes)) new Class();
}
console.log(JSON.stringify({ ms: performance.now() - started }));
process.exit(0);
