import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostDir } from './paths.mts';

/** A tool as a model sees it. */
export interface ToolShown {
	name: string;
	description?: string;
	inputSchema: {
		properties?: Record<string, { type?: string; description?: string }>;
		required?: string[];
	};
}

export interface ToolAnswer {
	isError: boolean;
	text: string;
}

interface SdkClient {
	connect(transport: object): Promise<void>;
	listTools(): Promise<{ tools: ToolShown[] }>;
	callTool(call: { name: string; arguments: object }): Promise<{
		isError?: boolean;
		content: Array<{ type: string; text: string }>;
	}>;
	close(): Promise<void>;
}

/** The official SDK, in the version that n8n itself brings. */
const fromHost = createRequire(join(hostDir, 'package.json'));

const READY_TIMEOUT_MS = 15_000;

/** The official MCP client, over streamable HTTP. */
export class McpClient {
	readonly #client: SdkClient;

	private constructor(client: SdkClient) {
		this.#client = client;
	}

	/** Connects as soon as the address is served: n8n registers it a moment after it answers an activation. */
	static async connect(url: string): Promise<McpClient> {
		const { Client } = fromHost('@modelcontextprotocol/sdk/client/index.js') as {
			Client: new (info: { name: string; version: string }) => SdkClient;
		};
		const { StreamableHTTPClientTransport } = fromHost(
			'@modelcontextprotocol/sdk/client/streamableHttp.js',
		) as { StreamableHTTPClientTransport: new (url: URL) => object };
		const deadline = Date.now() + READY_TIMEOUT_MS;
		for (;;) {
			const client = new Client({ name: 'mural-enterprise-test', version: '1.0.0' });
			try {
				await client.connect(new StreamableHTTPClientTransport(new URL(url)));
				return new McpClient(client);
			} catch (error) {
				await client.close();
				if ((error as { code?: number }).code !== 404 || Date.now() > deadline) throw error;
				await sleep(100);
			}
		}
	}

	async tools(): Promise<ToolShown[]> {
		return (await this.#client.listTools()).tools;
	}

	async call(name: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> {
		const { isError, content } = await this.#client.callTool({ name, arguments: args });
		return { isError: isError === true, text: content.map(({ text }) => text).join('\n') };
	}

	async close(): Promise<void> {
		await this.#client.close();
	}
}
