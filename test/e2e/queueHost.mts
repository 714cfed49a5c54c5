import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NodeProcess } from './child.mts';
import { installPackage } from './installPackage.mts';
import { n8nProcess, startHost, untilReady, type Host } from './n8nHost.mts';
import { freePorts } from './ports.mts';
import { secretsOf, type Secrets } from './secrets.mts';
import { hostModule, startServices, type Postgres, type Redis } from './services.mts';

/** The queue's lock: how soon n8n notices that a worker has gone, and how long one may be too busy to renew it. */
const QUEUE_SETTINGS = {
	QUEUE_WORKER_LOCK_DURATION: '20000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '5000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
};

/** What `bull`, which comes with n8n, is used for. */
interface Bull {
	pause(): Promise<void>;
	resume(): Promise<void>;
	getJobCounts(): Promise<Record<'active' | 'paused' | 'waiting', number>>;
	close(): Promise<void>;
}

export interface Worker {
	name: string;
	process: NodeProcess;
}

/** n8n in queue mode: mains and workers on one PostgreSQL and one Redis. */
export class QueueHost {
	readonly postgres: Postgres;
	readonly queue: Bull;
	readonly secrets: Secrets;
	readonly #redis: Redis;
	readonly #folder: string;
	readonly #logDir: string;
	readonly #env: Record<string, string>;
	readonly #started: NodeProcess[] = [];

	private constructor(
		{ redis, postgres }: { redis: Redis; postgres: Postgres },
		settings: { folder: string; logDir: string; secrets: Secrets },
	) {
		this.postgres = postgres;
		this.secrets = settings.secrets;
		this.#redis = redis;
		this.#folder = settings.folder;
		this.#logDir = settings.logDir;
		this.#env = {
			EXECUTIONS_MODE: 'queue',
			N8N_ENCRYPTION_KEY: randomBytes(16).toString('hex'),
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(postgres.port),
			DB_POSTGRESDB_USER: postgres.user,
			DB_POSTGRESDB_PASSWORD: postgres.password,
			DB_POSTGRESDB_DATABASE: postgres.database,
			DB_POSTGRESDB_POOL_SIZE: '10',
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redis.port),
			QUEUE_BULL_REDIS_PASSWORD: redis.password,
			OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
			...QUEUE_SETTINGS,
		};
		const Queue = hostModule<new (name: string, options: object) => Bull>('bull');
		const { port, password } = redis;
		this.queue = new Queue('jobs', {
			prefix: 'bull',
			redis: { host: '127.0.0.1', port, password },
		});
	}

	/** Starts Redis and PostgreSQL. */
	static async start(options: { tarball: string; logDir: string }): Promise<QueueHost> {
		const folder = await mkdtemp(join(tmpdir(), 'mural-enterprise-queue-'));
		process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
		const [services, secrets] = await Promise.all([
			startServices(options.logDir),
			secretsOf(folder),
			installPackage(join(folder, 'package'), options.tarball),
		]);
		return new QueueHost(services, { ...options, folder, secrets });
	}

	/** Another main instance. */
	async startMain(name: string, env: Record<string, string> = {}): Promise<Host> {
		const userFolder = await this.#userFolder(name);
		const host = await startHost({
			userFolder,
			logFile: this.#logFile(name),
			owner: this.secrets.owner,
			env: { ...this.#env, ...env },
		});
		this.#started.push(host.process);
		return host;
	}

	/** A main instance that is not waited for. */
	async spawnMain(name: string, env: Record<string, string>): Promise<NodeProcess> {
		const [port] = await freePorts(1);
		const child = await n8nProcess('start', {
			userFolder: await this.#userFolder(name),
			port,
			logFile: this.#logFile(name),
			env: { ...this.#env, ...env },
		});
		this.#started.push(child);
		return child;
	}

	/** @param concurrency executions at a time */
	async startWorker(name: string, concurrency: number): Promise<Worker> {
		const userFolder = await this.#userFolder(name);
		const [port, healthPort] = await freePorts(2);
		const child = await n8nProcess('worker', {
			userFolder,
			port,
			logFile: this.#logFile(name),
			env: {
				...this.#env,
				N8N_CONCURRENCY_PRODUCTION_LIMIT: String(concurrency),
				QUEUE_HEALTH_CHECK_ACTIVE: 'true',
				QUEUE_HEALTH_CHECK_PORT: String(healthPort),
				N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
			},
		});
		this.#started.push(child);
		await untilReady(child, `http://127.0.0.1:${healthPort}/healthz/readiness`);
		return { name, process: child };
	}

	/** Ends n8n first, so that it can say goodbye to the services. */
	async stop(): Promise<void> {
		await Promise.all(this.#started.map(async (child) => await child.stop()));
		await this.queue.close();
		await Promise.all([this.postgres.stop(), this.#redis.process.stop()]);
	}

	/** With the package in it, as every instance needs it. */
	async #userFolder(name: string): Promise<string> {
		const userFolder = join(this.#folder, name);
		await mkdir(userFolder);
		await cp(join(this.#folder, 'package'), userFolder, { recursive: true });
		return userFolder;
	}

	#logFile(name: string): string {
		return join(this.#logDir, `${name}.log`);
	}
}

/** The executions a worker's log says it has started and not ended. */
export async function inFlight({
	process: child,
}: Worker): Promise<{ ids: string[]; all: string[] }> {
	const log = await readFile(child.logFile, 'utf8');
	const ids = (word: string) =>
		[...log.matchAll(new RegExp(`Worker ${word} execution (\\d+)`, 'g'))].map(([, id]) => id);
	const finished = new Set(ids('finished'));
	const all = ids('started');
	return { ids: all.filter((id) => !finished.has(id)), all };
}
