import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NodeProcess } from '../e2e/child.mts';
import { cleanEnvironment } from '../e2e/n8nHost.mts';
import { logDir } from '../e2e/paths.mts';
import { startSandboxProcess } from '../e2e/sandboxProcess.mts';
import type { Credential } from './hostEngine.mts';

/** Contenders and sandboxes, each in a process of its own, so that none disturbs another. */

export const DAY_MS = 24 * 60 * 60 * 1000;
const KEY = 'bench-key';

/** Where contenders keep what n8n keeps; gone at the end. */
const userFolder = mkdtempSync(join(tmpdir(), 'mural-bench-'));
process.once('exit', () => rmSync(userFolder, { recursive: true, force: true, maxRetries: 3 }));

/** Runs a script of this folder with a job and returns the line of JSON it ends with. */
export async function runChild<T>(script: string, name: string, job: object): Promise<T> {
	let last = '';
	const child = new NodeProcess({
		name,
		args: ['--expose-gc', join(import.meta.dirname, script), JSON.stringify(job)],
		cwd: userFolder,
		env: { ...cleanEnvironment(), N8N_USER_FOLDER: userFolder },
		logFile: join(logDir, 'bench', `${name.replace(/\W+/g, '-')}.log`),
		onLine: (line) => {
			if (line.startsWith('{')) last = line;
		},
	});
	await child.succeeded();
	return JSON.parse(last) as T;
}

export interface Service {
	credential: Credential;
	adminUrl: string;
	/** ISO; about 3,000 of the entries are newer. */
	warmUpSince: string;
	/** Requests since the last call. */
	requests(): Promise<number>;
	stop(): Promise<void>;
}

/** A sandbox with so many entries more than it has anyway, spread evenly over the last days. */
export async function startService(entries: number, days: number, latencyMs = 0): Promise<Service> {
	const sandbox = await startSandboxProcess({
		key: KEY,
		logFile: join(logDir, 'bench', 'sandbox.log'),
		seed: 1,
	});
	const now = Date.now();
	const from = now - days * DAY_MS;
	if (entries > 0) await sandbox.admin.bulkInsert({ count: entries, from, to: now - 1000 });
	if (latencyMs > 0) await sandbox.admin.setLatency({ ms: latencyMs });
	let counted = 0;
	return {
		credential: { apiKey: KEY, baseUrl: sandbox.url },
		adminUrl: sandbox.page.replace(/\/$/, ''),
		warmUpSince: new Date(now - (days * DAY_MS * 3000) / Math.max(entries, 3000)).toISOString(),
		async requests() {
			const { total } = await sandbox.admin.counters();
			const since = total - counted;
			counted = total;
			return since;
		},
		async stop() {
			await sandbox.process.stop();
		},
	};
}
