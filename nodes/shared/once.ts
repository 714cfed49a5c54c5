import type { Client } from './client';

const memories = new WeakMap<Client, Map<string, Promise<unknown>>>();

/**
 * Looks something up once for the life of a client, which is one run of a node: whoever asks while the answer is on
 * its way waits for it. A failure goes to the one who asked and is forgotten; the others then ask themselves.
 * @param key names the question; equal keys get equal answers
 */
export async function once<T>(client: Client, key: string, ask: () => Promise<T>): Promise<T> {
	let memory = memories.get(client);
	if (!memory) memories.set(client, (memory = new Map<string, Promise<unknown>>()));
	for (;;) {
		const known = memory.get(key) as Promise<T> | undefined;
		if (!known) break;
		const answer = await known.then(
			(value) => ({ value }),
			() => undefined,
		);
		if (answer) return answer.value;
	}
	const asked = ask();
	memory.set(key, asked);
	asked.catch(() => memory.delete(key));
	return await asked;
}
