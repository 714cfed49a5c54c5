// An hour of work in a minute or two: node --expose-gc --import tsx test/soak/main.mts --help
import './environment.mts';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { logDir } from '../e2e/paths.mts';
import { startSandboxProcess } from '../e2e/sandboxProcess.mts';
import { table } from '../e2e/screen.mts';
import { Random } from '../sandbox/random.mts';
import { speedUp, stopwatch, until } from './clock.mts';
import { armFaults } from './faults.mts';
import { Minutes } from './minute.mts';
import { addEntries, LATEST_MS, startPeople } from './people.mts';
import {
	closeFetch,
	firstAndLast,
	growthPerSample,
	heapMb,
	leftovers,
	Sockets,
} from './resources.mts';
import { balance, Watcher } from './watcher.mts';

const HELP = `The trigger and bulk operations in n8n's engine, for an hour of the sandbox's time, with faults.
  --seed N      which hour (default 7)
  --minutes N   how long (default 60, at least 30)
  --rate N      sandbox seconds a second (default 40)
Ends with exit code 1 when something does not hold.`;

const { values } = parseArgs({
	options: {
		seed: { type: 'string', default: '7' },
		minutes: { type: 'string', default: '60' },
		rate: { type: 'string', default: '40' },
		help: { type: 'boolean' },
	},
});
const [seed, minutes, rate] = [values.seed, values.minutes, values.rate].map(Number);
if (values.help || !(seed >= 0 && minutes >= 30 && rate >= 1)) {
	console.log(HELP);
	process.exit(values.help ? 0 : 2);
}

const MINUTE_MS = 60_000;
const KEY = 'soak-key-5b1f0c9d2e7a4463';
/** Code is compiled, caches and pools fill. */
const WARM_UP = 10;
/** The heap may grow by this: the ids kept here for the balance, and what a collection leaves by chance. */
const MOST_GROWTH_MB = 3;
/** A process that has ended leaves a log file to close. */
const SETTLE_MS = 5000;
/**
 * The typical minute may add this: a kilobyte for each of its requests. It tells a leak also when something large that
 * the start had left is let go meanwhile.
 */
const MOST_A_MINUTE_KB = 100;
/** An agent keeps idle connections for some seconds. */
const SOCKETS_CLOSE_MS = 20_000;
/** Nobody works and no fault is left in these minutes, so that polls find nothing new. */
const isBreak = (minute: number) => minute % 20 >= 18;

const elapsed = stopwatch();
const sockets = new Sockets();
const sandbox = await startSandboxProcess({
	key: KEY,
	logFile: join(logDir, 'soak', 'sandbox.log'),
	seed,
});
const { admin } = sandbox;
const time = speedUp(rate);
await admin.setClock({ now: Date.now(), rate });
await admin.configure({
	audit: { shortPages: 0.1, extraFields: true },
	// The limit is one of real time, the client's pace one of sandbox time.
	transfer: { windowMs: 1000 / rate },
});
console.log(`Soak: ${minutes} min of sandbox time, ${rate} times as fast, seed ${seed}`);

// What one of them draws depends on what it finds; the others are to draw the same each time.
const [tasks, people, faulty, restarts] = [0, 1, 2, 3].map((n) => new Random(seed * 4 + n));
const credential = { apiKey: KEY, baseUrl: sandbox.url };
const watcher = await Watcher.start(credential);
const before = new Set(await admin.entryIds());
const started = Date.now();
await until(started + MINUTE_MS);
const work = await Minutes.start(admin, credential, tasks);
const heap: number[] = [];

for (let minute = 1; minute <= minutes; minute++) {
	// A slow machine makes the hour longer; it does not catch up.
	const end = Date.now() + MINUTE_MS;
	if (restarts.chance(0.15)) watcher.restart();
	if (isBreak(minute)) {
		await watcher.poll();
		await work.count();
	} else {
		await startPeople(admin);
		await addEntries(admin, people, started + MINUTE_MS);
		await armFaults(admin, faulty, minute);
		const calm = until(end).then(async () => await admin.clearFaults());
		await work.pass(minute, async () => await watcher.poll());
		await calm;
		await admin.live(null);
	}
	if (minute > WARM_UP) heap.push(await heapMb());
	await until(end);
}

time.jump(LATEST_MS);
await admin.advance(LATEST_MS);
// The next looks for late entries.
for (let quiet = 0; quiet < 3; ) {
	quiet = (await watcher.poll()) === 0 ? quiet + 1 : 0;
	time.jump(11 * MINUTE_MS);
	await admin.advance(11 * MINUTE_MS);
}
await work.count();
const created = (await admin.entryIds()).filter((id) => !before.has(id));
const { missing, repeated, strange } = balance(created, watcher.emitted);
const { open } = await admin.counters();
time.restore();
await closeFetch();
const isClosed = await sockets.allClosed(SOCKETS_CLOSE_MS);
const stillOpen = sockets.open;
await sandbox.process.stop();
const left = await leftovers(SETTLE_MS);

const { first, last } = firstAndLast(heap);
const growthKb = growthPerSample(heap) * 1024;
const faults = [...work.faults].map(([kind, count]) => `${kind} ${count}`).sort();
const injected = [...work.faults.values()].reduce((sum, count) => sum + count, 0);
const { done, failed, uncertain } = work.told;
const rows: Array<[string, string, boolean?]> = [
	['Polls', `${watcher.polls}, ${watcher.failed} failed, ${watcher.quiet} quiet`],
	['Restarts of n8n, unsaved state lost', String(watcher.restarts)],
	['Entries created', String(created.length), created.length > 0],
	['… missing', String(missing.length), missing.length === 0],
	['… emitted more than once', String(repeated.length), repeated.length === 0],
	['… emitted, but not of this hour', String(strange.length), strange.length === 0],
	['Executions', String(work.executions)],
	['Changes told as done', String(done), done > 0],
	['… as failed', String(failed), failed > 0],
	['… as perhaps carried out', `${uncertain}, ${work.uncertainDone} were`, uncertain > 0],
	['Lists read', `${work.reads.done}, ${work.reads.failed} failed clearly`, work.reads.done > 0],
	['Told otherwise than it is', String(work.problems.length), work.problems.length === 0],
	['Requests', String(work.requests)],
	['Faults', `${injected}: ${faults.join(', ')}`, injected > 0],
	[
		'Heap, median of the first and last third',
		`${first.toFixed(1)} MB, ${last.toFixed(1)} MB`,
		last - first <= MOST_GROWTH_MB,
	],
	['… growth in a typical minute', `${growthKb.toFixed(0)} KB`, growthKb <= MOST_A_MINUTE_KB],
	[
		'Client sockets',
		`${sockets.opened} opened, ${sockets.most} at most, ${stillOpen} open at the end`,
		isClosed,
	],
	['Requests open in the sandbox', String(open), open === 0],
	['What keeps the process alive', left.join(', ') || 'nothing', left.length === 0],
	['Time', `${(elapsed() / 1000).toFixed(0)} s`],
];
const verdict = (holds?: boolean) => (holds === undefined ? '' : holds ? 'ok' : 'FAILED');
const cells = rows.map(([label, value, holds]) => [label, value, verdict(holds)]);
console.log(`\n${table(['What', 'Seen', ''], cells)}\n`);
for (const problem of work.problems.slice(0, 20)) console.log(problem);
for (const id of [...missing, ...repeated, ...strange].slice(0, 5)) console.log(`entry ${id}`);
// Whatever keeps the process alive has been told.
process.exit(rows.some(([, , holds]) => holds === false) ? 1 : 0);
