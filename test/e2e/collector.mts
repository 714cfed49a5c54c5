import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface Collector<T> {
	url: string;
	/** The JSON bodies posted so far, in the order in which they came. */
	received: T[];
	close(): Promise<void>;
}

/** A server on 127.0.0.1 that keeps the JSON that is posted to it. */
export async function startCollector<T>(): Promise<Collector<T>> {
	const received: T[] = [];
	const server = createServer((request, response) => {
		json(request).then(
			(body) => {
				received.push(body as T);
				response.end('{}');
			},
			// The sender has gone.
			() => response.destroy(),
		);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	// A test that fails before it closes this one still ends.
	server.unref();
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/`,
		received,
		async close() {
			server.closeAllConnections();
			await once(server.close(), 'close');
		},
	};
}
