import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NodeProcess, npm, StepError } from './child.mts';
import { hostDir, logDir } from './paths.mts';
import { Progress, seconds } from './screen.mts';

const source = import.meta.dirname;
const stampFile = join(hostDir, 'installed.json');

interface LockedPackage {
	version?: string;
	optional?: boolean;
	link?: boolean;
}

/**
 * Makes sure that the pinned n8n (package.json and lock file beside this) stands complete in `.run/host`.
 * The stamp is written last, so an install that was interrupted is found and done again.
 */
export async function ensureHost(progress: Progress): Promise<void> {
	const lock = await readFile(join(source, 'package-lock.json'), 'utf8');
	const stamp = `${createHash('sha256').update(lock).digest('hex')} ${process.platform} ${process.arch}`;
	if ((await readText(stampFile)) === stamp) return;

	await rm(stampFile, { force: true });
	await mkdir(hostDir, { recursive: true });
	await copyFile(join(source, 'package.json'), join(hostDir, 'package.json'));
	await writeFile(join(hostDir, 'package-lock.json'), lock);
	// Of all install scripts only sqlite3's is needed; some of the others cannot build everywhere. The one peer that
	// n8n's own nodes miss without peers (date-fns, for Extract From File) stands in package.json.
	await writeFile(join(hostDir, '.npmrc'), 'ignore-scripts=true\nlegacy-peer-deps=true\n');

	const packages = Object.entries(
		(JSON.parse(lock) as { packages: Record<string, LockedPackage> }).packages,
	).filter(([path]) => path !== '');
	if (!(await isComplete(packages))) await installPackages(packages, progress);
	if (!(await sqliteLoads())) await buildSqlite(progress);
	await writeFile(stampFile, stamp);
}

async function installPackages(packages: Array<[string, LockedPackage]>, progress: Progress) {
	const nodeModules = join(hostDir, 'node_modules');
	if (await exists(nodeModules)) {
		progress.update('Removing an incomplete or older n8n');
		await rm(nodeModules, { recursive: true, maxRetries: 3 });
	}
	const started = Date.now();
	const label = 'Installing n8n (once; 2 GB, several minutes)';
	const install = npm(['ci', '--no-audit', '--no-fund'], {
		cwd: hostDir,
		logFile: join(logDir, 'install-n8n.log'),
	});
	const finished = install.exited.then(() => true);
	do {
		const present = await countPresent(packages);
		progress.update(
			`${label}: ${present} of ${packages.length} packages, ${seconds(Date.now() - started)}`,
		);
	} while (!(await Promise.race([finished, sleep(1000)])));
	await install.succeeded();
	if (!(await isComplete(packages))) {
		throw new StepError('npm ended well but left packages out of .run/host.', install.logTail());
	}
	progress.done(`n8n installed in ${seconds(Date.now() - started)}`);
}

async function buildSqlite(progress: Progress) {
	progress.update("Fetching or building sqlite3's native part");
	const rebuild = npm(['rebuild', '--ignore-scripts=false', '--foreground-scripts', 'sqlite3'], {
		cwd: hostDir,
		logFile: join(logDir, 'install-sqlite3.log'),
	});
	await rebuild.succeeded();
	if (!(await sqliteLoads())) {
		throw new StepError('sqlite3 was built but does not load.', rebuild.logTail());
	}
	progress.done('sqlite3 ready');
}

/** npm writes its hidden lock file when everything else is in place. */
async function isComplete(packages: Array<[string, LockedPackage]>): Promise<boolean> {
	const hidden = await readText(join(hostDir, 'node_modules', '.package-lock.json'));
	if (hidden === undefined) return false;
	const installed = (JSON.parse(hidden) as { packages: Record<string, LockedPackage> }).packages;
	const required = packages.filter(([, { optional }]) => !optional);
	return (
		required.every(([path, { version }]) => installed[path]?.version === version) &&
		(await countPresent(required)) === required.length
	);
}

async function countPresent(packages: Array<[string, LockedPackage]>): Promise<number> {
	const found = await Promise.all(
		packages.map(async ([path]) => await exists(join(hostDir, path, 'package.json'))),
	);
	return found.filter(Boolean).length;
}

async function sqliteLoads(): Promise<boolean> {
	const probe = new NodeProcess({
		name: 'sqlite3 probe',
		args: ['--eval', "new (require('sqlite3').Database)(':memory:').close()"],
		cwd: hostDir,
		logFile: join(logDir, 'probe-sqlite3.log'),
	});
	return (await probe.exited).code === 0;
}

async function exists(file: string): Promise<boolean> {
	return await stat(file).then(
		() => true,
		() => false,
	);
}

async function readText(file: string): Promise<string | undefined> {
	return await readFile(file, 'utf8').catch(() => undefined);
}
