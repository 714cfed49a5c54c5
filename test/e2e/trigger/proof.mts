import { join } from 'node:path';
import { startCollector } from '../collector.mts';
import type { ExecutionStatus } from '../n8nApi.mts';
import { n8nProcess, startHost } from '../n8nHost.mts';
import { freePorts } from '../ports.mts';
import type { SuiteStack } from '../suite.mts';
import { downtimePasses } from './downtime.mts';
import { killInPoll } from './killer.mts';
import { readExecutions, Ledger } from './ledger.mts';
import { Traffic } from './traffic.mts';
import { Tally, untilPolled, untilQuiet } from './watch.mts';
import { collectingWorkflow } from './workflow.mts';

export interface ProofOptions {
	/** Kills that have to cut a request of a poll. */
	kills: number;
	/** Added to n8n's settings, as for the stack. */
	env: Record<string, string>;
	logDir: string;
}

export interface Proof {
	/** Kills that cut a request of a poll, and the others. */
	kills: { inRequest: number; others: number };
	polls: Tally;
	/** Ids of the entries that came into the log since the trigger began to watch it. */
	created: string[];
	/** Ids that the trigger emitted in each execution that n8n has at the end. */
	executions: Array<{ status: ExecutionStatus; ids: string[] }>;
	/** Ids as they came to the receiver that the next node posts to. */
	received: string[];
	/** The same when the executions that n8n was killed in had been retried, as a person does with n8n's button. */
	afterRetries: string[];
	/**
	 * Without durable cursors: entries of which n8n was seen, when it was dead, to have stored only one of the two
	 * that belong together, the trigger's state and the execution.
	 */
	hostLost: Set<string>;
	hostRolledBack: Set<string>;
}

/** Every fourth kill is aimed at the moment after the last answer. */
const momentOf = (kill: number) => (kill % 4 === 3 ? 'emission' : 'request');

/** How long n8n may poll before the kill, in turn. The first poll after a start is one of those that are hit. */
const POLLING_MS = [0, 3500, 0, 3500, 7000];

/**
 * Kills n8n in polls, starts it again on the same user folder each time, and tells what became of every entry.
 * @param stack just started; its n8n has ended afterwards
 */
export async function prove(stack: SuiteStack, options: ProofOptions): Promise<Proof> {
	const { userFolder, host, credential, secrets } = stack;
	const { admin } = stack.sandbox;
	const { env, logDir } = options;
	const collector = await startCollector<string[]>();
	const { id } = await host.api.createWorkflow(collectingWorkflow(credential, collector.url));
	await host.api.activate(id);
	await untilPolled(admin, 3);
	const before = new Set(await admin.entryIds());
	const created = async () => (await admin.entryIds()).filter((entry) => !before.has(entry));
	const traffic = await Traffic.start(admin);
	const ledger = new Ledger(userFolder, id);
	const proof: Pick<Proof, 'kills' | 'polls' | 'hostLost' | 'hostRolledBack'> = {
		kills: { inRequest: 0, others: 0 },
		polls: new Tally(),
		hostLost: new Set(),
		hostRolledBack: new Set(),
	};

	const restart = async (kill: number) => {
		const [port] = await freePorts(1);
		const logFile = join(logDir, `n8n-${kill}.log`);
		return await n8nProcess('start', { userFolder, port, logFile, env });
	};
	const lookAtDead = async () => {
		const { stored, remembers } = ledger.snapshot();
		for (const entry of await created()) {
			if (remembers(entry) && !stored.has(entry)) proof.hostLost.add(entry);
			if (!remembers(entry) && stored.has(entry)) proof.hostRolledBack.add(entry);
		}
	};

	try {
		for (let kill = 0; proof.kills.inRequest < options.kills; kill++) {
			const n8n = kill === 0 ? host.process : await restart(kill);
			const pollingMs = POLLING_MS[kill % POLLING_MS.length];
			const isCut = await killInPoll(n8n, admin, momentOf(kill), pollingMs);
			proof.kills[isCut ? 'inRequest' : 'others']++;
			await lookAtDead();
			await proof.polls.take(admin);
			await traffic.pass();
			await downtimePasses(userFolder);
		}
		const logFile = join(logDir, 'n8n-last.log');
		const last = await startHost({ userFolder, logFile, owner: secrets.owner, env });
		await untilPolled(admin, 2);
		await traffic.stop();
		await untilQuiet(admin, last, id);
		await proof.polls.take(admin);
		const executions = await readExecutions(last.api, id);
		const received = collector.received.flat();
		const broken = executions.filter(({ status, ids }) => status !== 'success' && ids.length > 0);
		for (const execution of broken) await last.api.retryExecution(execution.id);
		await last.process.stop();
		const afterRetries = collector.received.flat();
		return { ...proof, created: await created(), executions, received, afterRetries };
	} finally {
		traffic.end();
		await collector.close();
	}
}
