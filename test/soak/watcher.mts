import type { INodeParameters } from 'n8n-workflow';

import type { Credential } from '../engine/engine.mts';
import { TriggerHost } from '../engine/triggerHost.mts';

/** The trigger as n8n runs it, and what it emitted. */

/** Small pages, so that polls and re-reads take several requests and faults can hit each. */
const PARAMETERS: INodeParameters = {
	options: { lateHours: 2, reReadMinutes: 10, pageSize: 200, timeout: 2 },
};

export class Watcher {
	polls = 0;
	failed = 0;
	quiet = 0;
	restarts = 0;
	/** Ids in the order in which they came. */
	readonly emitted: string[] = [];
	readonly #host: TriggerHost;

	private constructor(credential: Credential) {
		this.#host = new TriggerHost({ credential, parameters: PARAMETERS });
	}

	static async start(credential: Credential): Promise<Watcher> {
		const watcher = new Watcher(credential);
		await watcher.#host.activate();
		return watcher;
	}

	/** One poll; n8n goes on polling after one that failed. */
	async poll(): Promise<number> {
		this.polls++;
		this.#host.logged.length = 0;
		try {
			const items = await this.#host.poll();
			for (const { id } of items) this.emitted.push(String(id));
			if (items.length === 0) this.quiet++;
			return items.length;
		} catch {
			this.failed++;
			return 0;
		}
	}

	/** n8n is killed and starts again: what it had not saved since the last emission is gone. */
	restart(): void {
		this.restarts++;
		this.#host.restart();
	}
}

/** Ids that are not where they should be, exactly once. */
export function balance(created: string[], emitted: string[]) {
	const counts = new Map<string, number>();
	for (const id of emitted) counts.set(id, (counts.get(id) ?? 0) + 1);
	const known = new Set(created);
	return {
		missing: created.filter((id) => !counts.has(id)),
		repeated: [...counts].filter(([, count]) => count > 1).map(([id]) => id),
		strange: [...counts.keys()].filter((id) => !known.has(id)),
	};
}
