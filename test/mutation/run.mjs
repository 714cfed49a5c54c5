// npm run test:mutation [-- NAME ...]. Mutates one source after the other (all, or those named) and prints a table;
// what survived is in .run/mutation/NAME.html. Ends with 1 when a source is below the threshold.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { SOURCES } from './sources.mjs';

const root = new URL('../../', import.meta.url);
const stryker = createRequire(import.meta.url).resolve('@stryker-mutator/core/package.json');
const { bin } = JSON.parse(readFileSync(stryker, 'utf8'));
const command = new URL(bin.stryker, `file://${stryker}`);

function counts(name) {
	const report = JSON.parse(readFileSync(new URL(`.run/mutation/${name}.json`, root), 'utf8'));
	const mutants = Object.values(report.files).flatMap((file) => file.mutants);
	const of = (...states) => mutants.filter(({ status }) => states.includes(status)).length;
	return { killed: of('Killed'), timeout: of('Timeout'), left: of('Survived', 'NoCoverage') };
}

function row(name, { killed, timeout, left }) {
	const share = ((100 * (killed + timeout)) / (killed + timeout + left)).toFixed(1);
	const cells = [killed + timeout + left, killed, timeout, left, `${share} %`];
	return `${name.padEnd(14)}${cells.map((cell) => String(cell).padStart(10)).join('')}`;
}

const asked = process.argv.slice(2);
const names = asked.length > 0 ? asked : Object.keys(SOURCES);
mkdirSync(new URL('.run/mutation/', root), { recursive: true });
let failed = false;
for (const name of names) {
	const env = { ...process.env, MUTATE: name };
	const { status } = spawnSync(process.execPath, [command.pathname, 'run'], {
		cwd: root,
		env,
		stdio: 'inherit',
	});
	failed ||= status !== 0;
}
const header = ['mutants', 'killed', 'timeout', 'survived', 'killed'];
console.log(`\n${' '.repeat(14)}${header.map((cell) => cell.padStart(10)).join('')}`);
const total = { killed: 0, timeout: 0, left: 0 };
for (const name of names) {
	const own = counts(name);
	for (const key of Object.keys(total)) total[key] += own[key];
	console.log(row(name, own));
}
console.log(row('all', total));
process.exitCode = failed ? 1 : 0;
