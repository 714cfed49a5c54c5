import { loadEngine, runSteps } from './hostEngine.mts';
import type { Job, Measured } from './job.mts';
import { filterDate, limitedTo } from './job.mts';

/** One contender in a process of its own: prints what it measured as one line of JSON. */

const job = JSON.parse(process.argv[2]) as Job;
const MB = 1024 * 1024;

/** Entries read by a loop around fetch: the limit of what any client can reach. */
async function fetchAll(since?: string): Promise<number> {
	const { apiKey, baseUrl } = job.credential;
	let entries = 0;
	let nextToken: string | undefined;
	for (;;) {
		const query = new URLSearchParams({
			maxResults: '1000',
			...(nextToken !== undefined && { nextToken }),
			...(nextToken === undefined && since && { 'filter[date][since]': filterDate(since) }),
		});
		const answer = await fetch(`${baseUrl}/audit-log?${query}`, {
			headers: { authorization: `apikey ${apiKey}` },
		});
		const page = (await answer.json()) as { data: unknown[]; nextToken?: string };
		if (page.data.length === 0) return entries;
		entries += page.data.length;
		nextToken = page.nextToken;
	}
}

async function prepare(): Promise<(since?: string) => Promise<number>> {
	if (job.kind === 'fetch') return fetchAll;
	const engine = await loadEngine(job.steps, job.packageFolder, job.credential);
	return async (since) => {
		const items = await runSteps(engine, since === undefined ? undefined : limitedTo(since));
		const isFile = items[0]?.binary !== undefined;
		return isFile
			? items.reduce((sum, { json }) => sum + (json.entries as number), 0)
			: items.length;
	};
}

const run = await prepare();
await run(job.warmUpSince);
globalThis.gc?.();
const idleMb = process.memoryUsage.rss() / MB;
const cpu = process.cpuUsage();
const started = performance.now();
const entries = await run();
const ms = performance.now() - started;
const { user, system } = process.cpuUsage(cpu);
const measured: Measured = {
	entries,
	ms,
	cpuMs: (user + system) / 1000,
	idleMb,
	peakMb: process.resourceUsage().maxRSS / 1024,
};
console.log(JSON.stringify(measured));
process.exit(0);
