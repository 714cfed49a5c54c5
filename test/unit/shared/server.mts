import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A real HTTP server that answers by a script, for what the sandbox never does. */

export interface Received {
	method: string;
	url: string;
	headers: IncomingHttpHeaders;
	body: string;
}

export interface Answer {
	status?: number;
	headers?: Record<string, string>;
	/** Text as it is, anything else as JSON. */
	body?: unknown;
}

export type Step = Answer | ((request: IncomingMessage, response: ServerResponse) => void);

export interface ScriptedServer {
	/** Base URL of the API, `/enterprise/v1` included. */
	url: string;
	origin: string;
	received: Received[];
	/** Answers in turn; the last one again and again. */
	script: Step[];
	close(): Promise<void>;
}

function answer(response: ServerResponse, { status = 200, headers, body }: Answer): void {
	const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
	response.writeHead(status, { 'content-type': 'application/json', ...headers });
	response.end(text);
}

export async function startServer(script: Step[] = [{ body: {} }]): Promise<ScriptedServer> {
	const received: Received[] = [];
	const server = createServer((request, response) => {
		let body = '';
		request.on('data', (chunk: Buffer) => (body += chunk.toString()));
		request.on('end', () => {
			const { method = '', url = '', headers } = request;
			received.push({ method, url, headers, body });
			const step = started.script[Math.min(received.length, started.script.length) - 1];
			if (typeof step === 'function') step(request, response);
			else answer(response, step);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const started: ScriptedServer = {
		url: `${origin}/enterprise/v1`,
		origin,
		received,
		script,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
	return started;
}
