import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What this process holds: heap, sockets, whatever keeps it alive. */

const MB = 1024 * 1024;

/** Heap in use after a full garbage collection, MB. */
export async function heapMb(): Promise<number> {
	// Finalizers run between collections, and let go of more.
	for (let round = 0; round < 3; round++) {
		globalThis.gc?.();
		await sleep(5);
	}
	return process.memoryUsage().heapUsed / MB;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** Median of the first and of the last third. */
export function firstAndLast(samples: number[]): { first: number; last: number } {
	const third = Math.floor(samples.length / 3);
	return { first: median(samples.slice(0, third)), last: median(samples.slice(-third)) };
}

/** Median of what each sample has more than the one before; single jumps do not count. */
export function growthPerSample(samples: number[]): number {
	return median(samples.slice(1).map((sample, index) => sample - samples[index]));
}

/** Every client socket that this process opens from now on. */
export class Sockets {
	opened = 0;
	most = 0;
	readonly #open = new Set<Socket>();

	constructor() {
		subscribe('net.client.socket', (message) => {
			const { socket } = message as { socket: Socket };
			this.opened++;
			this.#open.add(socket);
			this.most = Math.max(this.most, this.#open.size);
			socket.once('close', () => this.#open.delete(socket));
		});
	}

	get open(): number {
		return this.#open.size;
	}

	/** Waits, at most so long, until all are closed: an agent closes idle ones after some seconds. */
	async allClosed(atMostMs: number): Promise<boolean> {
		for (let waited = 0; this.open > 0 && waited < atMostMs; waited += 100) await sleep(100);
		return this.open === 0;
	}
}

/** Node's fetch keeps idle connections for as long as the server offers, and only the sandbox's controls use it here. */
export async function closeFetch(): Promise<void> {
	const dispatcher = Symbol.for('undici.globalDispatcher.1');
	await (globalThis as unknown as Record<symbol, { close(): Promise<void> }>)[dispatcher].close();
}

/** Kinds of what would keep this process from ending, but for the terminal; it may take a moment to go. */
export async function leftovers(atMostMs: number): Promise<string[]> {
	const terminal = new Set(['PipeWrap', 'TTYWrap']);
	for (let waited = 0; ; waited += 100) {
		const left = process.getActiveResourcesInfo().filter((kind) => !terminal.has(kind));
		if (left.length === 0 || waited >= atMostMs) return left;
		await sleep(100);
	}
}
