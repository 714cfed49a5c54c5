import type { INodeParameters } from 'n8n-workflow';
import type { Job, Measured } from './job.mts';
import { httpRequest, muralEnterprise } from './job.mts';
import type { Service } from './processes.mts';
import { runChild } from './processes.mts';

/** Contenders that read the whole log. */

export interface Row extends Measured {
	contender: string;
	requests: number;
	entriesPerSecond: number;
	/** All runs, milliseconds; the fastest one counts. */
	runs: number[];
}

export type Contender = Pick<Job, 'kind' | 'steps'> & { name: string };

export const FETCH = 'fetch loop';
export const HTTP_REQUEST = 'HTTP Request + Split Out';
export const GET_MANY = 'Get Many';
export const GET_MANY_RAW = 'Get Many, raw';
export const GET_MANY_WINDOWS = 'Get Many, 8 windows';
export const EXPORT_NDJSON = 'Export, NDJSON';
export const EXPORT_CSV = 'Export, CSV';
export const EXPORT_CSV_WINDOWS = 'Export, CSV, 8 windows';

export function contenders(service: Service, packageFolder: string): Record<string, Contender> {
	const own = (name: string, parameters: INodeParameters): [string, Contender] => [
		name,
		{ name, kind: 'steps', steps: muralEnterprise(packageFolder, parameters) },
	];
	const getMany = { operation: 'getAll', returnAll: true };
	const windows = { options: { parallelWindows: 8 } };
	return {
		[FETCH]: { name: FETCH, kind: 'fetch', steps: [] },
		[HTTP_REQUEST]: {
			name: HTTP_REQUEST,
			kind: 'steps',
			steps: httpRequest(service.credential),
		},
		...Object.fromEntries([
			own(GET_MANY, getMany),
			own(GET_MANY_RAW, { ...getMany, output: 'raw' }),
			own(GET_MANY_WINDOWS, { ...getMany, ...windows }),
			own(EXPORT_NDJSON, { operation: 'export', format: 'ndjson' }),
			own(EXPORT_CSV, { operation: 'export', format: 'csv' }),
			own(EXPORT_CSV_WINDOWS, { operation: 'export', format: 'csv', ...windows }),
		]),
	};
}

/**
 * Lets every contender read the log, all of them in each round, so that what else the machine does meets them alike.
 * The fastest run counts, and the least memory of any.
 */
export async function race(
	service: Service,
	packageFolder: string,
	names: string[],
	rounds: number,
	progress: (text: string) => void,
): Promise<Row[]> {
	const known = contenders(service, packageFolder);
	const rows = new Map<string, Row>();
	for (let round = 1; round <= rounds; round++) {
		for (const name of names) {
			const { kind, steps } = known[name];
			const { credential, warmUpSince } = service;
			const job: Job = { kind, steps, credential, packageFolder, warmUpSince };
			await service.requests();
			const run = await runChild<Measured>('child.mts', name, job);
			const requests = await service.requests();
			progress(`${name}, round ${round}: ${Math.round(run.ms)} ms`);
			rows.set(name, better(rows.get(name), run, name, requests));
		}
	}
	return [...rows.values()];
}

function better(best: Row | undefined, run: Measured, contender: string, requests: number): Row {
	const fastest = best && best.ms < run.ms ? best : run;
	return {
		contender,
		entries: run.entries,
		ms: fastest.ms,
		cpuMs: Math.min(run.cpuMs, best?.cpuMs ?? run.cpuMs),
		idleMb: fastest.idleMb,
		peakMb: Math.min(run.peakMb, best?.peakMb ?? run.peakMb),
		requests: best?.requests ?? requests,
		entriesPerSecond: Math.round(run.entries / (fastest.ms / 1000)),
		runs: [...(best?.runs ?? []), Math.round(run.ms)],
	};
}
