import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { launch } from './launch.mts';
import { prepare } from './prepare.mts';
import { Progress, seconds, table } from './screen.mts';
import { TARBALL_VARIABLE } from './suite.mts';

/** In the order in which they run. Each is a file in suites/, written for Node's own test runner. */
const SUITES = ['scan', 'package', 'mcp', 'secrets', 'examples', 'trigger', 'queue', 'browser'];

/** A suite that is still running then hangs. */
const SUITE_TIMEOUT_MS = 20 * 60_000;

const USAGE = `npm run test:e2e               all suites: ${SUITES.join(', ')}
npm run test:e2e -- NAME …     these suites
`;

/** The end-to-end tests; returns the exit code. Everything they have started has ended when it returns. */
export async function main(names: string[]): Promise<number> {
	const unknown = names.filter((name) => !SUITES.includes(name));
	if (unknown.length > 0) {
		console.error(`There is no suite ${unknown.join(', ')}.\n\n${USAGE}`);
		return 2;
	}
	const chosen = names.length === 0 ? SUITES : SUITES.filter((name) => names.includes(name));
	return await launch(async (signal) => {
		process.env[TARBALL_VARIABLE] = await prepare(new Progress());
		const results: SuiteResult[] = [];
		for (const name of chosen) results.push(await runSuite(name, signal));
		console.log(`\n${report(results)}\n`);
		const failed = results.filter(({ ok }) => !ok).map(({ name }) => name);
		console.log(failed.length === 0 ? 'All suites passed.' : `Failed: ${failed.join(', ')}`);
		return failed.length === 0 ? 0 : 1;
	});
}

interface SuiteResult {
	name: string;
	passed: number;
	failed: number;
	ok: boolean;
	durationMs: number;
}

/** Runs one file in a process of its own and prints its tests as they end. */
async function runSuite(name: string, signal: AbortSignal): Promise<SuiteResult> {
	console.log(`\n── ${name} ${'─'.repeat(60 - name.length)}`);
	const started = Date.now();
	const counts = { passed: 0, failed: 0 };
	const events = run({
		files: [join(import.meta.dirname, 'suites', `${name}.mts`)],
		timeout: SUITE_TIMEOUT_MS,
		signal,
	});
	events.on('test:pass', ({ skip, todo, details }) => {
		if (skip === undefined && todo === undefined && details.type !== 'suite') counts.passed++;
	});
	events.on('test:fail', () => counts.failed++);
	const lines = events.compose(new spec());
	lines.pipe(process.stdout, { end: false });
	await finished(lines);
	// A file that defines no test proves nothing.
	const ok = counts.failed === 0 && counts.passed > 0;
	return { name, ...counts, ok, durationMs: Date.now() - started };
}

function report(results: SuiteResult[]): string {
	return table(
		['Suite', '', 'Passed', 'Failed', 'Time'],
		results.map(({ name, ok, passed, failed, durationMs }) => [
			name,
			ok ? 'ok' : 'FAILED',
			String(passed),
			String(failed),
			seconds(durationMs),
		]),
	);
}
