import { table } from '../screen.mts';
import type { Proof } from './proof.mts';

/** What became of every entry. Lists of ids. */
export interface Balance {
	/** In no execution. */
	missing: string[];
	/** In more than one execution, or twice in one. */
	repeated: string[];
	/** In an execution, but not an entry that came into the log while the trigger watched it. */
	strange: string[];
	/** Emitted, and not received by the next node's receiver. */
	undelivered: string[];
	/** … not even when the executions that n8n was killed in were retried. */
	lost: string[];
	/** Received more often than emitted. */
	redelivered: string[];
	/** In executions that did not end well: n8n was killed while they ran. */
	crashed: string[];
}

export function balance({ created, executions, received, afterRetries }: Proof): Balance {
	const emitted = countsOf(executions.flatMap(({ ids }) => ids));
	const delivered = countsOf(received);
	const inTheEnd = new Set(afterRetries);
	const known = new Set(created);
	const ids = [...emitted.keys()];
	return {
		missing: created.filter((id) => !emitted.has(id)),
		repeated: ids.filter((id) => emitted.get(id)! > 1),
		strange: ids.filter((id) => !known.has(id)),
		undelivered: ids.filter((id) => !delivered.has(id)),
		lost: ids.filter((id) => !inTheEnd.has(id)),
		redelivered: [...delivered.keys()].filter((id) => delivered.get(id)! > (emitted.get(id) ?? 0)),
		crashed: executions.flatMap(({ status, ids: its }) => (status === 'success' ? [] : its)),
	};
}

function countsOf(ids: string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
	return counts;
}

/** Everything in one table, for each kind of host. */
export function summary(
	columns: Array<{ name: string; proof: Proof; durationMs: number }>,
): string {
	const row = (label: string, value: (proof: Proof, sum: Balance) => number | string) => [
		label,
		...columns.map(({ proof }) => String(value(proof, balance(proof)))),
	];
	const failed = ({ executions }: Proof) =>
		executions.filter(({ status, ids }) => status !== 'success' && ids.length > 0).length;
	return table(
		['', ...columns.map(({ name }) => name)],
		[
			row('Kills in a request of a poll', ({ kills }) => kills.inRequest),
			row('Kills at other moments', ({ kills }) => kills.others),
			row('Requests of polls', ({ polls }) => polls.requests),
			row('… of which answered with a fault', ({ polls }) =>
				Object.values(polls.faults).reduce((sum, count) => sum + count, 0),
			),
			row('Entries created', ({ created }) => created.length),
			row(
				'Entries emitted by the trigger',
				({ executions }) => new Set(executions.flatMap(({ ids }) => ids)).size,
			),
			row('… missing', (_, { missing }) => missing.length),
			row(
				'… of which n8n had stored the cursor, not the execution',
				({ hostLost }, { missing }) => missing.filter((id) => hostLost.has(id)).length,
			),
			row('… emitted more than once', (_, { repeated }) => repeated.length),
			row(
				'… of which n8n had stored the execution, not the cursor',
				(proof, { repeated }) => repeated.filter((id) => proof.hostRolledBack.has(id)).length,
			),
			row('Executions that n8n was killed in', (proof) => failed(proof)),
			row('… entries in them', (_, { crashed }) => crashed.length),
			row('Entries received downstream', ({ received }) => new Set(received).size),
			row('… not received', (_, { undelivered }) => undelivered.length),
			row('… nor when those executions were retried', (_, { lost }) => lost.length),
			row('… received more often than emitted', (_, { redelivered }) => redelivered.length),
			['Time', ...columns.map(({ durationMs }) => `${Math.round(durationMs / 1000)} s`)],
		],
	);
}
