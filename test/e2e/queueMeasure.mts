import type { RemoteControls } from '../sandbox/admin.mts';
import type { Outcome } from './queueWork.mts';
import { table } from './screen.mts';

/** How fast a run of work went, and how it kept the limit of transfer requests. */
export interface Measured {
	executions: number;
	/** From the first start of an execution to the last end. */
	seconds: number;
	quickPerSecond: number;
	transfersPerSecond: number;
	/** Transfer requests answered with 429. */
	refused: number;
	/** Those that arrived a second in the second half, when the workers had adapted to each other. */
	arrivedLater: number;
	/** Share of these that was refused. */
	refusedLater: number;
	/** Most that were let through within any second. */
	maxAccepted: number;
}

/** @param admin of the sandbox that has seen this run's requests only */
export async function measure(outcomes: Outcome[], admin: RemoteControls): Promise<Measured> {
	const isTransfer = ({ item }: Outcome) => item.kind === 'transfer';
	const requests = (await admin.requests()).filter(({ path }) => path.endsWith('/transfer'));
	const arrivals = requests.map(({ at }) => Date.parse(at));
	const [first, last] = [arrivals[0], arrivals.at(-1)!];
	const later = requests.filter(({ at }) => Date.parse(at) > (first + last) / 2);
	const isRefused = ({ status }: { status?: number }) => status === 429;
	const { transferPerSecond } = await admin.counters();
	return {
		executions: outcomes.length,
		seconds: duration(outcomes),
		quickPerSecond: perSecond(outcomes.filter((outcome) => !isTransfer(outcome))),
		transfersPerSecond: perSecond(outcomes.filter(isTransfer)),
		refused: requests.filter(isRefused).length,
		arrivedLater: later.length / ((last - first) / 2000),
		refusedLater: later.filter(isRefused).length / later.length,
		maxAccepted: transferPerSecond.maxAccepted,
	};
}

function duration(outcomes: Outcome[]): number {
	const started = outcomes.map(({ execution }) => execution.startedAt!.getTime());
	const ended = outcomes.map(({ execution }) => execution.stoppedAt!.getTime());
	return (Math.max(...ended) - Math.min(...started)) / 1000;
}

function perSecond(outcomes: Outcome[]): number {
	return outcomes.length / duration(outcomes);
}

const ROWS: Array<[string, (measured: Measured) => string]> = [
	['Executions', ({ executions }) => String(executions)],
	['Seconds', ({ seconds }) => seconds.toFixed(1)],
	['Executions a second', ({ executions, seconds }) => (executions / seconds).toFixed(1)],
	['Reads and suspends a second', ({ quickPerSecond }) => quickPerSecond.toFixed(1)],
	['Transfers a second', ({ transfersPerSecond }) => transfersPerSecond.toFixed(1)],
	['Transfer requests refused (429)', ({ refused }) => String(refused)],
	['Transfer requests a second, second half', ({ arrivedLater }) => arrivedLater.toFixed(1)],
	['Refused of them, per cent', ({ refusedLater }) => (refusedLater * 100).toFixed(1)],
	['Most let through within a second', ({ maxAccepted }) => String(maxAccepted)],
];

/** A column for each run. */
export function measuredTable(runs: Array<[string, Measured]>): string {
	const rows = ROWS.map(([label, show]) => [label, ...runs.map(([, measured]) => show(measured))]);
	return table(['', ...runs.map(([name]) => name)], rows);
}
