// The benches by themselves: node test/bench/main.mts --help
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildPackage } from '../e2e/buildPackage.mts';
import { stopAll } from '../e2e/child.mts';
import { ensureHost } from '../e2e/installHost.mts';
import { installPackage } from '../e2e/installPackage.mts';
import { hostDir } from '../e2e/paths.mts';
import { Progress } from '../e2e/screen.mts';
import { runChild, startService } from './processes.mts';
import { race } from './reads.mts';
import * as reads from './reads.mts';
import { realN8n } from './realN8n.mts';
import { markdown, picture } from './report.mts';
import type { Results } from './report.mts';
import { latencyTargets, readTargets, realTargets, target, triggerTargets } from './targets.mts';
import type { TriggerMeasured } from './triggerChild.mts';

const PARTS = ['reads', 'million', 'latency', 'trigger', 'weight', 'n8n'] as const;

const HELP = `node test/bench/main.mts [part …]   (all unless named)
  reads     100,000 entries: Get Many and Export against HTTP Request + Split Out and a fetch loop
  million   the same with 1,000,000
  latency   8 date windows with 100 ms latency
  trigger   a quiet poll, and the hourly re-read of 100,000 late entries
  weight    the packed package and how long it takes to load
  n8n       100,000 and 1,000,000 entries in a real n8n
  --rounds N   runs of each contender, two at most of the long ones; the best counts (default 3)
Ends with exit code 1 when a target is missed. Results: test/bench/results`;

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { rounds: { type: 'string', default: '3' }, help: { type: 'boolean' } },
});
const rounds = Number(values.rounds);
const unknown = positionals.find((name) => !(PARTS as readonly string[]).includes(name));
if (values.help || unknown !== undefined || !(rounds >= 1)) {
	console.log(HELP);
	process.exit(values.help ? 0 : 2);
}
const wants = (part: (typeof PARTS)[number]) =>
	positionals.length === 0 || positionals.includes(part);

const progress = new Progress();
const tell = (text: string) => console.log(`  ${text}`);
await ensureHost(progress);
const tarball = await buildPackage(progress);
// Inside the host's folder, so that the package meets the host's n8n-workflow.
const userFolder = join(hostDir, 'bench');
const { name, version } = await installPackage(userFolder, tarball);
const packageFolder = join(userFolder, '.n8n/nodes/node_modules', name);

const results: Results = {
	date: new Date().toISOString(),
	package: `${name} ${version}`,
	machine: `${cpus()[0].model}, ${availableParallelism()} cores, Node ${process.versions.node}`,
	loadBefore: loadavg()[0],
	loadAfter: 0,
	rounds,
	tables: [],
	triggers: [],
	real: [],
	targets: [],
};

async function read(size: string, entries: number, times: number): Promise<void> {
	const service = await startService(entries, 6);
	const { FETCH, HTTP_REQUEST, GET_MANY, GET_MANY_WINDOWS, EXPORT_NDJSON, EXPORT_CSV } = reads;
	const names = [FETCH, HTTP_REQUEST, GET_MANY, GET_MANY_WINDOWS, EXPORT_NDJSON, EXPORT_CSV];
	const rows = await race(service, packageFolder, names, times, tell);
	await service.stop();
	results.tables.push({ title: `${size} entries in n8n's engine`, rows });
	results.targets.push(...readTargets(size, rows));
}

if (wants('reads')) await read('100 k', 100_000, rounds);
if (wants('million')) await read('1 M', 1_000_000, Math.min(rounds, 2));

if (wants('latency')) {
	const service = await startService(100_000, 6, 100);
	const { GET_MANY, GET_MANY_WINDOWS, EXPORT_CSV_WINDOWS, HTTP_REQUEST } = reads;
	const names = [HTTP_REQUEST, GET_MANY, GET_MANY_WINDOWS, EXPORT_CSV_WINDOWS];
	const rows = await race(service, packageFolder, names, Math.min(rounds, 2), tell);
	await service.stop();
	results.tables.push({ title: '100 k entries, every answer 100 ms late', rows });
	results.targets.push(...latencyTargets(rows));
}

if (wants('trigger')) {
	// The seeded entries alone, and with 100,000 more.
	for (const entries of [0, 100_000]) {
		const service = await startService(entries, 47 / 24);
		const { credential, adminUrl } = service;
		const job = { credential, adminUrl, packageFolder };
		const measured = await runChild<TriggerMeasured>('triggerChild.mts', 'trigger', job);
		await service.stop();
		results.triggers.push(measured);
	}
	results.targets.push(...triggerTargets(results.triggers[0], results.triggers[1]));
}

if (wants('weight')) {
	const bytes = statSync(tarball).size;
	const loads: number[] = [];
	for (let round = 0; round < Math.max(rounds, 5); round++) {
		loads.push((await runChild<{ ms: number }>('loadChild.mts', 'load', { packageFolder })).ms);
	}
	results.targets.push(
		target('Packed tarball, kB', bytes / 1000, 'at most', 80),
		target('Loading the nodes, ms', Math.min(...loads), 'at most', 15),
	);
}

if (wants('n8n')) {
	for (const [size, entries, times] of [
		['100 k', 100_000, rounds],
		['1 M', 1_000_000, 1],
	] as const) {
		const rows = await realN8n(entries, tarball, times, tell);
		results.real.push({ title: `${size} entries in a real n8n, executions saved`, rows });
		results.targets.push(...realTargets(size, rows));
	}
}

results.loadAfter = loadavg()[0];
const folder = join(import.meta.dirname, 'results');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'results.json'), `${JSON.stringify(results, null, '\t')}\n`);
writeFileSync(join(folder, 'results.md'), markdown(results));
if (results.tables.length > 0) writeFileSync(join(folder, 'results.svg'), picture(results));
console.log(markdown(results));
await stopAll();
process.exit(results.targets.every(({ isMet }) => isMet) ? 0 : 1);
