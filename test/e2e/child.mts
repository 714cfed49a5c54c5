import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { tetherUrl } from './paths.mts';

/** A step that failed, with what a person needs to see of its log. */
export class StepError extends Error {
	readonly logTail: string;

	constructor(message: string, logTail = '') {
		super(message);
		this.name = 'StepError';
		this.logTail = logTail;
	}
}

export interface NodeProcessOptions {
	/** What the process is called in messages. */
	name: string;
	/** The script and its arguments; it runs on the Node that runs this. */
	args: string[];
	cwd: string;
	env?: NodeJS.ProcessEnv;
	logFile: string;
	/** Called with every line of standard output. */
	onLine?: (line: string) => void;
}

export interface Exit {
	code: number | null;
	signal: NodeJS.Signals | null;
}

const running = new Set<NodeProcess>();
process.once('exit', () => running.forEach((child) => child.signal('SIGKILL')));

/** Ends every process that was started here. */
export async function stopAll(): Promise<void> {
	await Promise.all([...running].map(async (child) => await child.stop()));
}

/** A Node process in a process group of its own, tethered to this one, its output in a log file. */
export class NodeProcess {
	readonly name: string;
	readonly logFile: string;
	readonly exited: Promise<Exit>;
	readonly #child: ChildProcess;

	constructor(options: NodeProcessOptions) {
		this.name = options.name;
		this.logFile = options.logFile;
		mkdirSync(dirname(options.logFile), { recursive: true });
		const log = createWriteStream(options.logFile);
		this.#child = spawn(process.execPath, ['--import', tetherUrl, ...options.args], {
			cwd: options.cwd,
			env: options.env ?? process.env,
			detached: process.platform !== 'win32',
			stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
		});
		this.#child.stdout!.pipe(log, { end: false });
		this.#child.stderr!.pipe(log, { end: false });
		if (options.onLine) createInterface(this.#child.stdout!).on('line', options.onLine);
		running.add(this);
		const closed = once(this.#child, 'close');
		this.exited = once(this.#child, 'exit').then(async ([code, signal]) => {
			running.delete(this);
			// A grandchild may hold the output open; what the process itself wrote arrives well before this.
			await Promise.race([closed, sleep(500)]);
			await new Promise<void>((done) => log.end(done));
			return { code, signal } as Exit;
		});
	}

	get pid(): number {
		return this.#child.pid!;
	}

	/** Signals the whole group, which outlives its leader when a grandchild is still there. */
	signal(signal: NodeJS.Signals): void {
		try {
			if (process.platform === 'win32') this.#child.kill(signal);
			else process.kill(-this.pid, signal);
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
		}
	}

	/** Asks the process to end, and ends it and its group after `graceMs`. */
	async stop(graceMs = 10_000): Promise<Exit> {
		this.signal('SIGTERM');
		const cancel = new AbortController();
		const timeout = sleep(graceMs, 'timeout' as const, { signal: cancel.signal }).catch(() => {});
		await Promise.race([this.exited, timeout]);
		cancel.abort();
		return await this.kill9();
	}

	/** Ends the group at once, as a crash or a power cut would. */
	async kill9(): Promise<Exit> {
		this.signal('SIGKILL');
		return await this.exited;
	}

	/** The last `lines` lines of the log. */
	logTail(lines = 30): string {
		const text = stripVTControlCharacters(readFileSync(this.logFile, 'utf8'));
		return text.trimEnd().split('\n').slice(-lines).join('\n');
	}

	/** An error that says how the process ended and shows the end of its log. */
	failure({ code, signal }: Exit): StepError {
		const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
		return new StepError(`${this.name} ${how}. Log: ${this.logFile}`, this.logTail());
	}

	/** Resolves when the process ends well; throws a StepError otherwise. */
	async succeeded(): Promise<void> {
		const exit = await this.exited;
		if (exit.code !== 0) throw this.failure(exit);
	}
}

/** Runs npm on the Node that runs this. */
export function npm(
	args: string[],
	options: Omit<NodeProcessOptions, 'args' | 'name'>,
): NodeProcess {
	return new NodeProcess({
		// Steps log plain lines when they think that nobody watches.
		env: { ...process.env, CI: 'true', NO_COLOR: '1' },
		...options,
		name: `npm ${args.slice(0, args[0] === 'run' ? 2 : 1).join(' ')}`,
		args: [npmCli(), ...args],
	});
}

/** The script of the npm that runs this, or else of the first one on PATH. */
function npmCli(): string {
	const candidates = [
		process.env.npm_execpath ?? '',
		...(process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'npm')),
	];
	for (const candidate of candidates) {
		if (!existsSync(candidate)) continue;
		const script = realpathSync(candidate);
		if (basename(script) === 'npm-cli.js') return script;
	}
	throw new StepError('npm was not found. Start this with `npm start`.');
}
