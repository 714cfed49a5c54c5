import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './child.mts';
import { logDir, projectDir, runDir } from './paths.mts';
import { seconds, type Progress } from './screen.mts';

/** What the tarball is made from. */
const inputs = [
	'credentials',
	// The icons beside it are made from it by the build.
	'icons/source',
	'nodes',
	'CHANGELOG.md',
	'LICENSE.md',
	'README.md',
	'gulpfile.js',
	'package.json',
	'package-lock.json',
	'tsconfig.json',
];

const recordFile = join(runDir, 'package.json');

interface PackageRecord {
	inputs: string;
	tarball: string;
}

/**
 * Builds and packs this project; returns the tarball's path. Done again only when something it is made from has
 * changed.
 */
export async function buildPackage(progress: Progress): Promise<string> {
	const hash = await hashInputs();
	const last = await readRecord();
	if (last?.inputs === hash && existsSync(last.tarball)) return last.tarball;

	const started = Date.now();
	await rm(recordFile, { force: true });
	progress.update('Building the package');
	await npm(['run', 'build'], {
		cwd: projectDir,
		logFile: join(logDir, 'build.log'),
	}).succeeded();
	const packed: string[] = [];
	await npm(['pack', '--json', '--ignore-scripts', `--pack-destination=${runDir}`], {
		cwd: projectDir,
		logFile: join(logDir, 'pack.log'),
		onLine: (line) => packed.push(line),
	}).succeeded();
	const [{ filename }] = JSON.parse(packed.join('\n')) as Array<{ filename: string }>;
	const tarball = join(runDir, filename);
	await writeFile(recordFile, JSON.stringify({ inputs: hash, tarball } satisfies PackageRecord));
	progress.done(`Package built and packed in ${seconds(Date.now() - started)}: ${filename}`);
	return tarball;
}

async function readRecord(): Promise<PackageRecord | undefined> {
	const text = await readFile(recordFile, 'utf8').catch(() => undefined);
	return text === undefined ? undefined : (JSON.parse(text) as PackageRecord);
}

async function hashInputs(): Promise<string> {
	const hash = createHash('sha256');
	for (const file of (await Promise.all(inputs.map(filesUnder))).flat().sort()) {
		const content = await readFile(join(projectDir, file));
		hash.update(`${file}\0${content.length}\0`).update(content);
	}
	return hash.digest('hex');
}

/** The files at or under a path of the project, relative to it; none when it does not exist. */
async function filesUnder(path: string): Promise<string[]> {
	const full = join(projectDir, path);
	if (!existsSync(full)) return [];
	const entries = await readdir(full, { recursive: true, withFileTypes: true }).catch(() => null);
	if (entries === null) return [path];
	return entries
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name).slice(projectDir.length + 1));
}
