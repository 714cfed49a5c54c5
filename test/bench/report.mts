import { plot } from './plot.mts';
import type { Row } from './reads.mts';
import type { RealRow } from './realN8n.mts';
import type { Target } from './targets.mts';
import type { TriggerMeasured } from './triggerChild.mts';

export interface Results {
	date: string;
	package: string;
	machine: string;
	/** Load average of the machine: far above the work of one contender and one sandbox, times mean little. */
	loadBefore: number;
	loadAfter: number;
	rounds: number;
	tables: Array<{ title: string; rows: Row[] }>;
	/** With few entries remembered, and with many. */
	triggers: TriggerMeasured[];
	real: Array<{ title: string; rows: RealRow[] }>;
	targets: Target[];
}

const whole = (value: number) => Math.round(value).toLocaleString('en');
const short = (value: number) => (value >= 100 ? whole(value) : String(+value.toPrecision(3)));

function table(head: string[], rows: string[][]): string {
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	const rule = head.map((_, index) => (index === 0 ? '---' : '---:'));
	return [line(head), line(rule), ...rows.map(line)].join('\n');
}

const HEAD = ['', 'ms', 'entries/s', 'CPU ms', 'idle MB', 'peak MB', 'over idle', 'requests'];

const cells = (row: Row) => [
	row.contender,
	whole(row.ms),
	whole(row.entriesPerSecond),
	whole(row.cpuMs),
	whole(row.idleMb),
	whole(row.peakMb),
	whole(row.peakMb - row.idleMb),
	whole(row.requests),
];

/** The results for people. */
export function markdown(results: Results): string {
	const { tables, triggers, real, targets } = results;
	const load = `${results.loadBefore.toFixed(1)} before, ${results.loadAfter.toFixed(1)} after`;
	const parts = [
		'# Bench',
		`${results.package}, ${results.date.slice(0, 10)}. ${results.machine}; load average ${load}. ` +
			`Best of ${results.rounds}. Each contender runs in a process of its own against the sandbox in another; ` +
			'requests include a short run beforehand.',
		'## Targets',
		table(
			['', 'measured', 'target', ''],
			targets.map(({ what, value, bound, limit, isMet }) => [
				what,
				short(value),
				`${bound} ${limit}`,
				isMet ? 'met' : '**missed**',
			]),
		),
		...tables.flatMap(({ title, rows }) => [`## ${title}`, table(HEAD, rows.map(cells))]),
	];
	for (const { title, rows } of real) {
		parts.push(
			`## ${title}`,
			table(
				['', 'ms', 'CPU ms', 'idle MB', 'peak MB', 'all runs'],
				rows.map(({ contender, ms, cpuMs, idleMb, peakMb, runs }) => [
					contender,
					...[ms, cpuMs, idleMb, peakMb].map(whole),
					runs.join(', '),
				]),
			),
		);
	}
	for (const { quiet, reRead, remembered, stateBytes } of triggers) {
		parts.push(
			`## Trigger, ${whole(remembered)} entries remembered in ${whole(stateBytes)} bytes`,
			table(
				['', 'ms', 'CPU ms', 'requests'],
				[
					['quiet poll', short(quiet.ms), short(quiet.cpuMs), short(quiet.requests)],
					['hourly re-read', short(reRead.ms), short(reRead.cpuMs), short(reRead.requests)],
				],
			),
		);
	}
	if (tables.length > 0) parts.push('![Time and memory](results.svg)');
	return `${parts.join('\n\n')}\n`;
}

/** Time and memory of every table as SVG. */
export function picture({ tables }: Results): string {
	const panels = tables.flatMap(({ title, rows }) => [
		{
			title: `${title}: time`,
			unit: 's',
			bars: rows.map(({ contender, ms }) => ({ label: contender, value: ms / 1000 })),
		},
		{
			title: `${title}: peak memory`,
			unit: 'MB',
			bars: rows.map(({ contender, peakMb }) => ({ label: contender, value: peakMb })),
		},
	]);
	return plot('Reading the audit log', panels, (label) => /^(Get Many|Export)/.test(label));
}
