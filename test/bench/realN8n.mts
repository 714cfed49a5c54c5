import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostDir, logDir } from '../e2e/paths.mts';
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
	runs: number[];
}

const DAYS = 6;

export async function realN8n(
	entries: number,
	tarball: string,
	rounds: number,
	progress: (text: string) => void,
): Promise<RealRow[]> {
	const stack = await startStack({
		userFolder: join(hostDir, 'bench'),
		tarball,
		logDir: join(logDir, 'bench'),
		live: false,
	});
	const { host, sandbox, credential } = stack;
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
		const rows = new Map<string, RealRow>();
		const { pid } = host.process;
		for (let round = 1; round <= rounds; round++) {
			for (const [name, path] of paths) {
				const cpu = cpuMs(pid);
				const started = performance.now();
				const answer = await fetch(`${host.url}/webhook/${path}`);
				if (!answer.ok) throw new Error(`${name} in n8n: ${answer.status} ${await answer.text()}`);
				await answer.text();
				const ms = performance.now() - started;
				await sleep(2000);
				const used = cpuMs(pid) - cpu;
				progress(`${name} in a real n8n, round ${round}: ${Math.round(ms)} ms`);
				const best = rows.get(name);
				rows.set(name, {
					contender: name,
					ms: Math.min(ms, best?.ms ?? ms),
					cpuMs: Math.min(used, best?.cpuMs ?? used),
					runs: [...(best?.runs ?? []), Math.round(ms)],
				});
			}
		}
		return [...rows.values()];
	} finally {
		await Promise.all([host.process.stop(), sandbox.process.stop()]);
	}
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

/** CPU time of a process so far (Linux; 0 elsewhere). */
function cpuMs(pid: number): number {
	if (process.platform !== 'linux') return 0;
	const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
	return (Number(fields[11]) + Number(fields[12])) * 10;
}
