import { mkdir } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NodeProcess, StepError } from './child.mts';
import { N8nApi, type Owner } from './n8nApi.mts';
import { hostDir } from './paths.mts';
import { freePorts } from './ports.mts';

const START_TIMEOUT_MS = 120_000;

/** In the user folder: the only one that workflows can read and write. n8n's own default, but in the home folder. */
export const FILES_FOLDER = '.n8n-files';

export interface HostOptions {
	/** Holds `.n8n` (database, key, community packages). Must lie outside this project or inside `.run/host`. */
	userFolder: string;
	logFile: string;
	owner: Owner;
	/** Added to, or put in place of, the settings below. */
	env?: Record<string, string>;
	/** A free one unless given. */
	port?: number;
}

export interface Host {
	url: string;
	/** Signed in as the owner. */
	api: N8nApi;
	process: NodeProcess;
}

/** Settings that keep n8n local, silent towards the outside, and quick to start. */
function settings(userFolder: string, port: number, brokerPort: number): Record<string, string> {
	return {
		NODE_ENV: 'production',
		N8N_USER_FOLDER: userFolder,
		N8N_RESTRICT_FILE_ACCESS_TO: join(userFolder, FILES_FOLDER),
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: '127.0.0.1',
		N8N_PORT: String(port),
		N8N_PROTOCOL: 'http',
		// The editor is served over plain http on the loopback address.
		N8N_SECURE_COOKIE: 'false',
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		GENERIC_TIMEZONE: Intl.DateTimeFormat().resolvedOptions().timeZone,
		// Nothing is sent to or fetched from n8n's makers.
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
		N8N_DISABLED_MODULES: 'agents,chat-hub,instance-ai,mcp,mcp-registry',
		// The editor goes straight to the workflows.
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_COMMUNITY_PACKAGES_ENABLED: 'true',
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		// Settings → Community nodes asks npm for updates; without a network it must not retry for a minute.
		npm_config_fetch_retries: '0',
	};
}

/** The environment without what would steer n8n, and without a proxy between n8n and the sandbox. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
	const steering =
		/^(N8N_|DB_|QUEUE_|EXECUTIONS_|CREDENTIALS_|WORKFLOWS_|E2E_|NODE_OPTIONS$|NODE_PATH$)/;
	const inherited = Object.entries(process.env).filter(([name]) => !steering.test(name));
	return {
		...Object.fromEntries(inherited),
		NO_PROXY: '127.0.0.1,localhost',
		// n8n starts its task runner as `node`; that must be this Node, which n8n supports.
		PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
	};
}

/** One of n8n's commands (`start`, `worker`, …) as a process with these settings. */
export async function n8nProcess(
	command: string,
	{ userFolder, port, env, logFile }: Omit<HostOptions, 'owner' | 'port'> & { port: number },
): Promise<NodeProcess> {
	const [brokerPort] = await freePorts(1);
	await mkdir(join(userFolder, FILES_FOLDER), { recursive: true });
	return new NodeProcess({
		name: 'n8n',
		args: [join(hostDir, 'node_modules', 'n8n', 'bin', 'n8n'), command],
		// n8n reads a .env file from where it starts, and takes relative paths of files from there.
		cwd: userFolder,
		env: { ...cleanEnvironment(), ...settings(userFolder, port, brokerPort), ...env },
		logFile,
	});
}

/** Starts n8n, waits until it serves, and signs in. */
export async function startHost(options: HostOptions): Promise<Host> {
	for (let attempt = 1; ; attempt++) {
		try {
			return await tryStart(options);
		} catch (error) {
			// Another program may have taken the free port in the meantime.
			const portTaken = error instanceof StepError && /already in use/i.test(error.logTail);
			if (!portTaken || options.port !== undefined || attempt === 3) throw error;
		}
	}
}

async function tryStart(options: HostOptions): Promise<Host> {
	const port = options.port ?? (await freePorts(1))[0];
	const url = `http://127.0.0.1:${port}`;
	const n8n = await n8nProcess('start', { ...options, port });
	try {
		await untilReady(n8n, `${url}/healthz/readiness`);
		const api = new N8nApi(url);
		await api.signIn(options.owner);
		return { url, api, process: n8n };
	} catch (error) {
		await n8n.kill9();
		if (error instanceof StepError) throw error;
		throw new StepError(`n8n did not start well: ${(error as Error).message}`, n8n.logTail());
	}
}

/** Waits until the address answers well. Throws a StepError when the process ends or takes too long. */
export async function untilReady(n8n: NodeProcess, readinessUrl: string): Promise<void> {
	const deadline = Date.now() + START_TIMEOUT_MS;
	for (;;) {
		const ended = await Promise.race([n8n.exited, sleep(100)]);
		if (ended) throw n8n.failure(ended);
		const ready = await fetch(readinessUrl).then(
			({ ok }) => ok,
			() => false,
		);
		if (ready) return;
		if (Date.now() > deadline) {
			throw new StepError(`n8n was not ready after ${START_TIMEOUT_MS / 1000} s.`, n8n.logTail());
		}
	}
}
