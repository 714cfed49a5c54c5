import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NodeProcess, StepError } from './child.mts';
import { connectControls, type RemoteControls } from '../sandbox/admin.mts';
import { projectDir } from './paths.mts';

export interface SandboxProcessOptions {
	/** The API key it takes. */
	key: string;
	logFile: string;
	/** The company it is seeded with; the same number gives the same company. */
	seed: number;
	/** A free one unless given. */
	port?: number;
	/** Whether people keep working in it. */
	live?: boolean;
	/** Keeps the state across restarts. */
	stateFile?: string;
}

export interface SandboxProcess {
	/** Base URL for the credential. */
	url: string;
	/** The page that shows what is in it. */
	page: string;
	key: string;
	admin: RemoteControls;
	process: NodeProcess;
}

const START_TIMEOUT_MS = 30_000;

/** What test/sandbox/main.mts prints, as one line of JSON, when it serves. */
interface Ready {
	url: string;
	adminUrl: string;
	page: string;
}

/** Starts the sandbox of the service in a process of its own and waits until it serves. */
export async function startSandboxProcess(options: SandboxProcessOptions): Promise<SandboxProcess> {
	let announce: (ready: Ready) => void;
	const ready = new Promise<Ready>((resolve) => (announce = resolve));
	const sandbox = new NodeProcess({
		name: 'The sandbox',
		args: [
			join(projectDir, 'test', 'sandbox', 'main.mts'),
			...['--port', String(options.port ?? 0)],
			...['--key', options.key],
			...['--seed', String(options.seed)],
			...(options.live ? ['--live'] : []),
			...(options.stateFile ? ['--state', options.stateFile] : []),
		],
		cwd: projectDir,
		logFile: options.logFile,
		onLine: (line) => {
			if (line.startsWith('{')) announce(JSON.parse(line) as Ready);
		},
	});
	const first = await Promise.race([
		ready,
		sandbox.exited.then((exit) => sandbox.failure(exit)),
		sleep(START_TIMEOUT_MS, undefined, { ref: false }),
	]);
	if (first instanceof StepError) throw first;
	if (first === undefined) {
		await sandbox.kill9();
		throw new StepError('The sandbox did not start in time.', sandbox.logTail());
	}
	return {
		url: first.url,
		page: first.page,
		key: options.key,
		admin: connectControls(first.adminUrl),
		process: sandbox,
	};
}
