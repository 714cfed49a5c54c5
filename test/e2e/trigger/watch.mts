import { setTimeout as sleep } from 'node:timers/promises';
import type { Host } from '../n8nHost.mts';
import type { SandboxProcess } from '../sandboxProcess.mts';

type Admin = SandboxProcess['admin'];

/** The requests of polls, and the faults they met, by kind. */
export class Tally {
	requests = 0;
	faults: Record<string, number> = {};

	/** Adds what the sandbox has logged, and clears that. */
	async take(admin: Admin): Promise<void> {
		for (const { fault } of await admin.requests()) {
			this.requests++;
			if (fault !== undefined) this.faults[fault] = (this.faults[fault] ?? 0) + 1;
		}
		await admin.clearRequests();
	}
}

/** Waits until n8n has asked for the newest entries so many times. */
export async function untilPolled(admin: Admin, polls: number): Promise<void> {
	const begun = async () =>
		(await admin.requests()).filter(({ query }) => query.nextToken === undefined).length;
	const wanted = (await begun()) + polls;
	while ((await begun()) < wanted) await sleep(100);
}

/** Several polls at the shortest interval. */
const QUIET_MS = 10_000;

/** Waits until polls have brought nothing for a while and all executions have ended. */
export async function untilQuiet(admin: Admin, { api }: Host, workflowId: string): Promise<void> {
	const newest = async () => (await api.executions(workflowId, 1)).at(0);
	for (let since = Date.now(), last = await newest(); Date.now() - since < QUIET_MS; ) {
		await untilPolled(admin, 1);
		const now = await newest();
		if (now?.id !== last?.id || now?.stoppedAt === null) since = Date.now();
		last = now;
	}
}
