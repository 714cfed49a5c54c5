import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OtherHost {
	url: string;
	/** What came, headers included. */
	received: string[];
}

/** A host that redirects may lead to, on an address of this machine that is not the service's. */
export async function startOtherHost(): Promise<OtherHost> {
	const received: string[] = [];
	const server = createServer((request, response) => {
		received.push(`${request.method} ${request.url} ${JSON.stringify(request.rawHeaders)}`);
		response.end('{}');
	});
	server.listen(0, '127.0.0.2');
	await once(server, 'listening');
	server.unref();
	return { url: `http://127.0.0.2:${(server.address() as AddressInfo).port}`, received };
}
