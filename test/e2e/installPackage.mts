import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { npm, StepError } from './child.mts';
import type { N8nApi } from './n8nApi.mts';
import { hostDir, logDir } from './paths.mts';

interface Manifest {
	name: string;
	version: string;
	author?: { name?: string; email?: string };
	devDependencies?: object;
	peerDependencies?: object;
	optionalDependencies?: object;
}

export interface InstalledPackage {
	name: string;
	version: string;
	author: { name?: string; email?: string };
}

/**
 * Installs a packed community package into a user folder, file for file as n8n's own installer leaves it
 * (CommunityPackagesService.downloadPackage); that installer itself takes packages from a registry only.
 * Call before n8n starts, which loads whatever stands in `.n8n/nodes/node_modules`.
 */
export async function installPackage(
	userFolder: string,
	tarball: string,
): Promise<InstalledPackage> {
	const nodesFolder = join(userFolder, '.n8n', 'nodes');
	const staging = join(nodesFolder, 'staging');
	await rm(staging, { recursive: true, force: true });
	await mkdir(staging, { recursive: true });
	await promisify(execFile)('tar', ['-xzf', tarball, '-C', staging, '--strip-components=1']);

	const packageJson = join(staging, 'package.json');
	const { devDependencies, peerDependencies, optionalDependencies, ...manifest } = JSON.parse(
		await readFile(packageJson, 'utf8'),
	) as Manifest;
	await writeFile(packageJson, JSON.stringify(manifest, null, 2));

	const folder = join(nodesFolder, 'node_modules', manifest.name);
	const checksum = createHash('sha256')
		.update(await readFile(tarball))
		.digest('hex');
	const checksumFile = join(nodesFolder, `${manifest.name}.sha256`);
	const same = (await readFile(checksumFile, 'utf8').catch(() => '')) === checksum;
	if (same && existsSync(folder)) {
		await rm(staging, { recursive: true });
	} else {
		await npm(
			[
				'install',
				'--audit=false',
				'--fund=false',
				'--bin-links=false',
				'--install-strategy=shallow',
				'--ignore-scripts=true',
				'--package-lock=false',
			],
			{ cwd: staging, logFile: join(logDir, 'install-package.log') },
		).succeeded();
		await rm(folder, { recursive: true, force: true });
		await mkdir(join(nodesFolder, 'node_modules'), { recursive: true });
		await rename(staging, folder);
		await writeFile(checksumFile, checksum);
	}
	const ledger = {
		name: 'installed-nodes',
		private: true,
		dependencies: { [manifest.name]: manifest.version },
	};
	await writeFile(join(nodesFolder, 'package.json'), JSON.stringify(ledger, null, 2));
	assertHostModules(folder);
	return { name: manifest.name, version: manifest.version, author: manifest.author ?? {} };
}

/** Throws unless the package meets the host's `n8n-workflow`, or none and so the host's through NODE_PATH. */
function assertHostModules(folder: string): void {
	let found: string;
	try {
		found = createRequire(join(folder, 'package.json')).resolve('n8n-workflow');
	} catch {
		return;
	}
	if (!found.startsWith(hostDir + sep)) {
		throw new StepError(
			`A package in ${folder} would load ${found} instead of the host's n8n-workflow: choose a user folder outside this project or inside .run/host.`,
		);
	}
}

/**
 * Writes the records n8n keeps of an installed package, from what the running n8n says of the nodes it loaded, so that
 * Settings → Community nodes lists it. SQLite only.
 */
export async function registerPackage(
	userFolder: string,
	installed: InstalledPackage,
	api: N8nApi,
): Promise<void> {
	const types = (await api.nodeTypes()).filter(({ name }) => name.startsWith(`${installed.name}.`));
	const names = new Set(types.map(({ name }) => name));
	// n8n derives an agent tool from a node that allows it; the tool is no node of the package.
	const isTool = (name: string) =>
		name.endsWith('Tool') && names.has(name.slice(0, -'Tool'.length));
	const nodes = types.filter(({ name }) => !isTool(name));
	if (nodes.length === 0) throw new StepError(`n8n loaded no node of ${installed.name}.`);
	const database = new DatabaseSync(join(userFolder, '.n8n', 'database.sqlite'), {
		timeout: 10_000,
	});
	try {
		database.exec('PRAGMA foreign_keys = ON; BEGIN IMMEDIATE');
		database.prepare('DELETE FROM installed_packages WHERE packageName = ?').run(installed.name);
		database
			.prepare(
				`INSERT INTO installed_packages
					(packageName, installedVersion, authorName, authorEmail, createdAt, updatedAt)
				SELECT ?, ?, ?, ?, now, now FROM (SELECT strftime('%Y-%m-%d %H:%M:%f', 'now') AS now)`,
			)
			.run(
				installed.name,
				installed.version,
				installed.author.name ?? null,
				installed.author.email ?? null,
			);
		const insert = database.prepare(
			'INSERT INTO installed_nodes (name, type, latestVersion, package) VALUES (?, ?, ?, ?)',
		);
		for (const { displayName, name, version } of nodes) {
			insert.run(displayName, name, Math.max(...[version].flat()), installed.name);
		}
		database.exec('COMMIT');
	} finally {
		database.close();
	}
}
