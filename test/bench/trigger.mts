import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { connectControls, startSandbox } from '../sandbox/index.mts';
import { TriggerHost } from '../engine/triggerHost.mts';

/**
 * 100,000 entries between two polls of the trigger: polls, requests, time, memory, and the size of what is kept. The
 * sandbox runs in a process of its own.
 */

const ENTRIES = 100_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MB = 1024 * 1024;

if (process.argv[2] === 'sandbox') {
	const sizes = { users: 50, groups: 1, workspaces: 5, entries: 0 };
	const { adminUrl, key, url } = await startSandbox({ sizes, frozen: true });
	process.on('disconnect', () => process.exit(0));
	process.send?.({ adminUrl, key, url });
} else {
	await measure('over a day, 10,000 a poll (default)', 24 * HOUR, {});
	await measure('over a day, 100,000 a poll', 24 * HOUR, { options: { maxEntries: 100_000 } });
	await measure('within a minute, 10,000 a poll (default)', MINUTE, {});
}

async function measure(title: string, span: number, parameters: object): Promise<void> {
	const child = fork(fileURLToPath(import.meta.url), ['sandbox']);
	try {
		const address = await new Promise<{ adminUrl: string; key: string; url: string }>((resolve) =>
			child.once('message', resolve as never),
		);
		const admin = await connectControls(address.adminUrl);
		const credential = { apiKey: address.key, baseUrl: address.url };
		const host = new TriggerHost({ credential, parameters: parameters as never });
		await host.activate();
		const from = await admin.now();
		await admin.advance(span + MINUTE);
		await admin.bulkInsert({ count: ENTRIES, from, to: from + span });

		console.log(`\n${ENTRIES} entries ${title}`);
		await admin.clearRequests();
		globalThis.gc?.();
		const idle = process.memoryUsage.rss() / MB;
		let peak = idle;
		const seen = new Set<unknown>();
		let polls = 0;
		let emitted = 0;
		const started = performance.now();
		while (emitted < ENTRIES) {
			if (++polls > 200) throw new Error(`${emitted} after 200 polls`);
			const items = await host.poll();
			emitted += items.length;
			for (const { id } of items) seen.add(id);
			peak = Math.max(peak, process.memoryUsage.rss() / MB);
		}
		const ms = performance.now() - started;
		const requests = (await admin.requests()).length;
		if (seen.size !== ENTRIES) throw new Error(`${seen.size} different ones`);
		const kept = Buffer.byteLength(host.saved);
		console.log(`  emitted once each in ${polls} polls, ${requests} requests, ${seconds(ms)}`);
		console.log(`  memory ${idle.toFixed(0)} MB before, ${peak.toFixed(0)} MB at the peak`);
		console.log(
			`  state ${(kept / MB).toFixed(2)} MB, ${(kept / ENTRIES).toFixed(2)} bytes an entry`,
		);
		for (const [what, ms] of [
			['quiet poll', 0],
			['re-read of the late-entries window', HOUR],
		] as const) {
			await admin.advance(ms);
			await admin.clearRequests();
			const started = performance.now();
			const items = await host.poll();
			const took = performance.now() - started;
			if (items.length > 0) throw new Error(`${items.length} emitted again`);
			console.log(`  ${what}: ${(await admin.requests()).length} requests, ${seconds(took)}`);
		}
	} finally {
		child.disconnect();
	}
}

function seconds(ms: number): string {
	return `${(ms / 1000).toFixed(2)} s`;
}
