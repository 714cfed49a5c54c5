import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { check } from './check.mts';
import { launch, markServing } from './launch.mts';
import { Lock } from './lock.mts';
import { logDir, runDir, userFolder } from './paths.mts';
import { prepare } from './prepare.mts';
import { Progress, seconds, welcome } from './screen.mts';
import { oneEnds, startStack } from './stack.mts';
import { importWorkflows } from './workflows.mts';

const USAGE = `npm start               n8n with this package, connected to a sandbox of the service
npm start -- --fresh    the same, after forgetting what earlier starts left
npm start -- --check    runs an example workflow without a browser and verifies what it did
`;

/** The launcher; returns the exit code. Everything it has started has ended when it returns. */
export async function main(argv: string[]): Promise<number> {
	return await launch(async () => await run(argv));
}

async function run(argv: string[]): Promise<number> {
	let options: { check?: boolean; fresh?: boolean; help?: boolean };
	try {
		const boolean = { type: 'boolean' } as const;
		const known = { check: boolean, fresh: boolean, help: boolean };
		options = parseArgs({ args: argv, options: known }).values;
	} catch (error) {
		console.error(`${(error as Error).message}\n\n${USAGE}`);
		return 2;
	}
	if (options.help) {
		console.log(USAGE);
		return 0;
	}
	return options.check ? await runCheck() : await serve(options.fresh === true);
}

async function serve(fresh: boolean): Promise<number> {
	const holder = new Lock(join(runDir, 'start.lock')).tryAcquire();
	if (holder !== undefined) {
		console.error(`This is running already, as process ${holder}. End that one first.`);
		return 1;
	}
	if (fresh) await rm(userFolder, { recursive: true, force: true });
	const progress = new Progress();
	const tarball = await prepare(progress);
	const started = Date.now();
	progress.update('Starting n8n and the sandbox');
	const stack = await startStack({ userFolder, tarball, logDir, live: true });
	const recordFile = join(userFolder, 'imported.json');
	const workflows = await importWorkflows(stack.host.api, stack.credential, recordFile);
	progress.done(`n8n and the sandbox started in ${seconds(Date.now() - started)}`);
	console.log(welcome(stack, workflows));
	markServing();
	return await oneEnds(stack);
}

async function runCheck(): Promise<number> {
	const progress = new Progress();
	const tarball = await prepare(progress);
	const folder = await mkdtemp(join(tmpdir(), 'mural-enterprise-check-'));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
	return await check({ folder, tarball, progress });
}
