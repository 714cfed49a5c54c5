import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';

/** `count` different TCP ports that are free on 127.0.0.1 now. */
export async function freePorts(count: number): Promise<number[]> {
	// All are held at once, so that the same port is not handed out twice.
	const servers = await Promise.all(
		Array.from({ length: count }, async () => {
			const server = createServer().listen(0, '127.0.0.1');
			await once(server, 'listening');
			return server;
		}),
	);
	const ports = servers.map((server) => (server.address() as AddressInfo).port);
	await Promise.all(servers.map((server) => once(server.close(), 'close')));
	return ports;
}
