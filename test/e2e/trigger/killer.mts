import { setTimeout as sleep } from 'node:timers/promises';
import { StepError, type NodeProcess } from '../child.mts';
import type { SandboxProcess } from '../sandboxProcess.mts';

/** `request`: while n8n waits for an answer of the log. `emission`: just after the last one, when n8n stores things. */
export type Moment = 'emission' | 'request';

const TIMEOUT_MS = 120_000;

/**
 * Ends n8n at once, in the middle of a poll.
 * @param letPassMs how long n8n may poll before, from its first request on
 * @returns whether a request of the poll was cut
 */
export async function killInPoll(
	n8n: NodeProcess,
	admin: SandboxProcess['admin'],
	moment: Moment,
	letPassMs: number,
): Promise<boolean> {
	const deadline = Date.now() + TIMEOUT_MS;
	const open = async () => (await admin.counters()).open;
	const until = async (isWanted: (open: number) => boolean) => {
		while (!isWanted(await open())) {
			if (Date.now() > deadline) {
				await n8n.kill9();
				throw new StepError('n8n does not poll.', n8n.logTail());
			}
			await sleep(5);
		}
	};
	await until((count) => count > 0);
	await sleep(letPassMs);
	for (;;) {
		await until((count) => count > 0);
		if (moment === 'request') {
			await sleep(Math.random() * 150);
			// It has been answered meanwhile; the next one then.
			if ((await open()) === 0) continue;
		} else {
			await until((count) => count === 0);
			await sleep(Math.random() * 60);
			// Another page was asked for.
			if ((await open()) > 0) continue;
		}
		await n8n.kill9();
		// An answer that was on its way is logged when its connection breaks.
		await sleep(500);
		const last = (await admin.requests()).at(-1);
		return last !== undefined && last.status === undefined && isWholeAnswer(last.fault);
	}
}

/** Faults after which a request is left without a status whatever the client does. */
const isWholeAnswer = (fault: string | undefined) => fault !== 'reset' && fault !== 'truncate';
