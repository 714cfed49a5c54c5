import type { TriggerMeasured } from './triggerChild.mts';
import type { Row } from './reads.mts';
import * as reads from './reads.mts';
import type { RealRow } from './realN8n.mts';

/** What the bench demands. */

export interface Target {
	what: string;
	value: number;
	/** At most, or at least. */
	bound: 'at least' | 'at most';
	limit: number;
	isMet: boolean;
}

export function target(what: string, value: number, bound: Target['bound'], limit: number): Target {
	const isMet = bound === 'at most' ? value <= limit : value >= limit;
	return { what, value, bound, limit, isMet };
}

const row = (rows: Row[], name: string) => rows.find(({ contender }) => contender === name) as Row;

export function readTargets(size: string, rows: Row[]): Target[] {
	const fetchLoop = row(rows, reads.FETCH);
	const http = row(rows, reads.HTTP_REQUEST);
	const getMany = row(rows, reads.GET_MANY);
	const exports = [reads.EXPORT_NDJSON, reads.EXPORT_CSV].map((name) => row(rows, name));
	return [
		target(`${size}: Get Many, time to HTTP Request's`, getMany.ms / http.ms, 'at most', 0.4),
		target(
			`${size}: Get Many, peak memory to HTTP Request's`,
			getMany.peakMb / http.peakMb,
			'at most',
			0.6,
		),
		...exports.flatMap(({ contender, ms, peakMb, idleMb }) => [
			target(`${size}: ${contender}, MB over idle`, peakMb - idleMb, 'at most', 150),
			target(`${size}: ${contender}, time to the fetch loop's`, ms / fetchLoop.ms, 'at most', 2),
		]),
	];
}

export function realTargets(size: string, rows: RealRow[]): Target[] {
	const [getMany, http] = [reads.GET_MANY, reads.HTTP_REQUEST].map(
		(name) => rows.find(({ contender }) => contender === name) as RealRow,
	);
	const where = `${size} in a real n8n: Get Many`;
	return [
		target(`${where}, time to HTTP Request's`, getMany.ms / http.ms, 'at most', 0.4),
		target(`${where}, peak memory to HTTP Request's`, getMany.peakMb / http.peakMb, 'at most', 0.6),
	];
}

export function latencyTargets(rows: Row[]): Target[] {
	const speedUp = row(rows, reads.GET_MANY).ms / row(rows, reads.GET_MANY_WINDOWS).ms;
	return [target('100 ms latency: 8 windows, times faster', speedUp, 'at least', 5)];
}

export function triggerTargets(few: TriggerMeasured, many: TriggerMeasured): Target[] {
	const { reRead, remembered, stateBytes } = many;
	return [
		target('Trigger: requests of a quiet poll', many.quiet.requests, 'at most', 1),
		target('Trigger: CPU of a quiet poll, ms', few.quiet.cpuMs, 'at most', 5),
		target('Trigger: CPU of a quiet poll, 100 k entries, ms', many.quiet.cpuMs, 'at most', 5),
		target('Trigger: CPU of the hourly re-read, 100 k entries, ms', reRead.cpuMs, 'at most', 2000),
		target('Trigger: entries emitted again', reRead.emitted, 'at most', 0),
		target('Trigger: state, bytes an entry', stateBytes / remembered, 'at most', 16),
	];
}
