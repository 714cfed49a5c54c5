import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostDir, logDir } from '../e2e/paths.mts';
import { startHost } from '../e2e/n8nHost.mts';
import { startStack } from '../e2e/stack.mts';
import type { Step } from './hostEngine.mts';
import { GET_MANY, HTTP_REQUEST } from './reads.mts';
import { httpRequest, muralEnterprise } from './job.mts';
import { DAY_MS } from './processes.mts';

/** The same jobs as production executions of a real n8n, which saves them in its database as it does by default. */

export interface RealRow {
	contender: string;
	/** From the call of the webhook to its answer at the end of the execution, milliseconds. */
	ms: number;
	/** Of the whole n8n process until it is idle again. */
	cpuMs: number;
	/** Resident memory of the n8n process in MB: the most before the run, and the most by its end. */
	idleMb: number;
	peakMb: number;
	runs: number[];
}

const DAYS = 6;

/** Each run in an n8n started for it, so that memory is this run's. */
export async function realN8n(
	entries: number,
	tarball: string,
	rounds: number,
	progress: (text: string) => void,
): Promise<RealRow[]> {
	const userFolder = join(hostDir, 'bench');
	const folder = join(logDir, 'bench');
	const { host, sandbox, credential, secrets } = await startStack({
		userFolder,
		tarball,
		logDir: folder,
		live: false,
	});
	try {
		const now = Date.now();
		await sandbox.admin.bulkInsert({ count: entries, from: now - DAYS * DAY_MS, to: now - 1000 });
		const service = { apiKey: sandbox.key, baseUrl: sandbox.url };
		const jobs: Record<string, Step[]> = {
			[GET_MANY]: muralEnterprise('', { operation: 'getAll', returnAll: true }),
			[HTTP_REQUEST]: httpRequest(service),
		};
		const paths = new Map<string, string>();
		for (const [name, steps] of Object.entries(jobs)) {
			const path = `bench-${paths.size}-${now}`;
			const workflow = webhookWorkflow(path, steps, credential);
			const { id } = await host.api.createWorkflow(workflow as never);
			await host.api.activate(id);
			paths.set(name, path);
		}
		await host.process.stop();
		const rows = new Map<string, RealRow>();
		for (let round = 1; round <= rounds; round++) {
			for (const [name, path] of paths) {
				const logFile = join(folder, 'n8n.log');
				const fresh = await startHost({ userFolder, logFile, owner: secrets.owner });
				const run = await measure(fresh.process.pid, `${fresh.url}/webhook/${path}`).finally(
					async () => await fresh.process.stop(),
				);
				progress(`${name} in a real n8n, round ${round}: ${Math.round(run.ms)} ms`);
				rows.set(name, better(rows.get(name), { contender: name, ...run }));
			}
		}
		return [...rows.values()];
	} finally {
		await Promise.all([host.process.stop(), sandbox.process.stop()]);
	}
}

async function measure(pid: number, webhook: string): Promise<Omit<RealRow, 'contender'>> {
	// What n8n does after its start.
	await sleep(3000);
	const { cpuMs, peakMb: idleMb } = usage(pid);
	const started = performance.now();
	const answer = await fetch(webhook);
	if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
	await answer.text();
	const ms = performance.now() - started;
	await sleep(2000);
	const after = usage(pid);
	return {
		ms,
		cpuMs: after.cpuMs - cpuMs,
		idleMb,
		peakMb: after.peakMb,
		runs: [Math.round(ms)],
	};
}

function better(best: RealRow | undefined, run: RealRow): RealRow {
	if (!best) return run;
	const least = (key: 'ms' | 'cpuMs' | 'idleMb' | 'peakMb') => Math.min(best[key], run[key]);
	return {
		contender: run.contender,
		ms: least('ms'),
		cpuMs: least('cpuMs'),
		idleMb: least('idleMb'),
		peakMb: least('peakMb'),
		runs: [...best.runs, ...run.runs],
	};
}

function webhookWorkflow(path: string, steps: Step[], credential: { id: string; name: string }) {
	const webhook = {
		id: 'webhook',
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: path,
		position: [0, 0],
		parameters: { path, responseMode: 'lastNode', options: {} },
	};
	const nodes = [
		webhook,
		...steps.map(({ name, type, version = 1, parameters }, index) => ({
			id: name,
			name,
			type,
			typeVersion: version,
			position: [(index + 1) * 200, 0],
			parameters,
			credentials: { muralEnterpriseApi: { id: credential.id, name: credential.name } },
		})),
	];
	const links = nodes
		.slice(0, -1)
		.map(({ name }, index) => [
			name,
			{ main: [[{ node: nodes[index + 1].name, type: 'main', index: 0 }]] },
		]);
	return { name: path, nodes, connections: Object.fromEntries(links), settings: {} };
}

/** CPU time of a process and the most memory it has had so far (Linux; 0 elsewhere). */
function usage(pid: number): { cpuMs: number; peakMb: number } {
	if (process.platform !== 'linux') return { cpuMs: 0, peakMb: 0 };
	const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
	const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
	return {
		cpuMs: (Number(fields[11]) + Number(fields[12])) * 10,
		peakMb: Number(kilobytes) / 1024,
	};
}
