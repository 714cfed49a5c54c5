import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { chown, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NodeProcess, StepError } from './child.mts';
import { hostDir } from './paths.mts';
import { freePorts } from './ports.mts';

/** Redis and PostgreSQL of the test's own: Debian's programs, free ports of 127.0.0.1, data in temporary folders. */

const POSTGRES_VERSIONS = '/usr/lib/postgresql';
const START_TIMEOUT_MS = 60_000;

/** What `pg`, which comes with n8n, is used for. */
interface PgClient {
	connect(): Promise<void>;
	query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
	end(): Promise<void>;
	on(event: 'error', listener: (error: Error) => void): void;
}

export interface Redis {
	port: number;
	password: string;
	process: NodeProcess;
}

export interface Postgres {
	port: number;
	user: string;
	password: string;
	database: string;
	process: NodeProcess;
	/** The rows that a statement gives. */
	query<Row>(text: string, values?: unknown[]): Promise<Row[]>;
	stop(): Promise<void>;
}

/** A module that comes with the installed n8n. */
export function hostModule<T>(name: string): T {
	return createRequire(join(hostDir, 'package.json'))(name) as T;
}

const isRoot = process.getuid?.() === 0;

/** Installs the Debian packages that are missing. Their own services are not used. */
async function ensurePackages(): Promise<void> {
	const missing = [
		...(existsSync('/usr/bin/redis-server') ? [] : ['redis-server']),
		...((await postgresBin()) === undefined ? ['postgresql'] : []),
	];
	if (missing.length === 0) return;
	const [command, ...before] = isRoot ? ['apt-get'] : ['sudo', '-n', 'apt-get'];
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	const install = ['install', '-y', '--no-install-recommends', ...missing];
	for (const args of [['update'], install]) {
		execFileSync(command, [...before, '-q', ...args], {
			env,
			stdio: ['ignore', 'ignore', 'inherit'],
		});
	}
}

/** Debian keeps each version's programs in a folder of its own, off PATH. */
async function postgresBin(): Promise<string | undefined> {
	const versions = await readdir(POSTGRES_VERSIONS).catch(() => []);
	const newest = versions.toSorted((a, b) => Number(b) - Number(a));
	return newest
		.map((version) => join(POSTGRES_VERSIONS, version, 'bin'))
		.find((folder) => existsSync(join(folder, 'initdb')));
}

async function temporaryFolder(name: string): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), `mural-enterprise-${name}-`));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
	return folder;
}

function service(name: string, user: string, command: string, args: string[], logFile: string) {
	const script = join(import.meta.dirname, 'service.mjs');
	return new NodeProcess({ name, args: [script, user, command, ...args], cwd: '/', logFile });
}

/** Repeats `attempt` until it succeeds; fails when the process ends or takes too long. */
async function untilUp<T>(child: NodeProcess, attempt: () => Promise<T>): Promise<T> {
	const deadline = Date.now() + START_TIMEOUT_MS;
	for (;;) {
		const ended = await Promise.race([child.exited, sleep(100)]);
		if (ended) throw child.failure(ended);
		try {
			return await attempt();
		} catch (error) {
			if (Date.now() < deadline) continue;
			throw new StepError(
				`${child.name} did not start: ${(error as Error).message}`,
				child.logTail(),
			);
		}
	}
}

async function startRedis(logDir: string): Promise<Redis> {
	const folder = await temporaryFolder('redis');
	const [port] = await freePorts(1);
	const password = randomBytes(16).toString('hex');
	const settings = { bind: '127.0.0.1', port, requirepass: password, dir: folder, save: '""' };
	const lines = Object.entries(settings).map(([name, value]) => `${name} ${value}`);
	const config = join(folder, 'redis.conf');
	await writeFile(config, lines.join('\n'), { mode: 0o600 });
	const child = service('Redis', '-', 'redis-server', [config], join(logDir, 'redis.log'));
	await untilUp(child, async () => {
		if (!child.logTail(100).includes('Ready to accept connections')) throw new Error('not ready');
	});
	return { port, password, process: child };
}

async function startPostgres(logDir: string): Promise<Postgres> {
	const bin = (await postgresBin())!;
	const folder = await temporaryFolder('postgres');
	const password = randomBytes(16).toString('hex');
	const passwordFile = join(folder, 'password');
	await writeFile(passwordFile, password, { mode: 0o600 });
	// PostgreSQL refuses to run as root.
	const systemUser = isRoot ? 'postgres' : '-';
	if (isRoot) {
		const id = (flag: string) =>
			Number(execFileSync('id', [flag, systemUser], { encoding: 'utf8' }));
		for (const path of [folder, passwordFile]) await chown(path, id('-u'), id('-g'));
	}
	const data = join(folder, 'data');
	const user = 'n8n';
	const initdb = [
		...['--pgdata', data, '--username', user, '--pwfile', passwordFile],
		...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--locale', 'C.UTF-8', '--no-sync'],
	];
	const logFile = (name: string) => join(logDir, `${name}.log`);
	await service('initdb', systemUser, join(bin, 'initdb'), initdb, logFile('initdb')).succeeded();

	const [port] = await freePorts(1);
	const settings = {
		port,
		listen_addresses: '127.0.0.1',
		unix_socket_directories: '',
		max_connections: 200,
		// The data need not outlive the test.
		fsync: 'off',
	};
	const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
	const child = service(
		'PostgreSQL',
		systemUser,
		join(bin, 'postgres'),
		['-D', data, ...args],
		logFile('postgres'),
	);
	const database = 'postgres';
	const { Client } = hostModule<{ Client: new (options: object) => PgClient }>('pg');
	const client = await untilUp(child, async () => {
		const candidate = new Client({ host: '127.0.0.1', port, user, password, database });
		// Without a listener a lost connection would end this process.
		candidate.on('error', () => {});
		await candidate.connect();
		return candidate;
	});
	return {
		...{ port, user, password, database, process: child },
		async query<Row>(text: string, values?: unknown[]) {
			return (await client.query(text, values)).rows as Row[];
		},
		async stop() {
			await client.end();
			await child.stop();
		},
	};
}

/** Starts both, installing them when they are missing. Their logs go to `logDir`. */
export async function startServices(logDir: string): Promise<{ redis: Redis; postgres: Postgres }> {
	await ensurePackages();
	const [redis, postgres] = await Promise.all([startRedis(logDir), startPostgres(logDir)]);
	return { redis, postgres };
}
