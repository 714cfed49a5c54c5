import { once } from 'node:events';
import { StepError, stopAll } from './child.mts';

/** Whether everything is up, so that being asked to end is no failure. */
let serving = false;

/** From now on, being asked to end is a good end. */
export function markServing(): void {
	serving = true;
}

/**
 * Runs a command to its end, or until the person or the system asks for the end; returns the exit code. Everything
 * started through `NodeProcess` has ended then; anything else ends by the signal.
 */
export async function launch(command: (signal: AbortSignal) => Promise<number>): Promise<number> {
	const asked = new AbortController();
	const interrupted = interruption(asked);
	const work = command(asked.signal);
	try {
		return await Promise.race([work, interrupted]);
	} catch (error) {
		if (!(error instanceof StepError)) throw error;
		console.error(`\n${error.message}`);
		if (error.logTail) console.error(`\n${error.logTail.replace(/^/gm, '  │ ')}`);
		return 1;
	} finally {
		// Ending a step's process makes the step fail; the reason is known already.
		work.catch(() => {});
		await stopAll();
	}
}

/** Settles when the person or the system asks for the end, or npm has gone. A second request does not wait. */
async function interruption(asked: AbortController): Promise<number> {
	const parent = process.ppid;
	const end = () => {
		if (asked.signal.aborted) process.exit(130);
		asked.abort();
	};
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
	// The shell between npm and this process does not pass SIGTERM on.
	setInterval(() => process.ppid !== parent && !asked.signal.aborted && end(), 500).unref();
	await once(asked.signal, 'abort');
	console.log('\nEnding …');
	return serving ? 0 : 130;
}
