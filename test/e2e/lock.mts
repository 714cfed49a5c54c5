import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A lock file that names its holder's process; one left behind by a process that is gone counts as free. */
export class Lock {
	readonly #file: string;

	constructor(file: string) {
		this.#file = file;
	}

	/** Takes the lock; returns undefined, or the pid of the process that holds it. */
	tryAcquire(): number | undefined {
		mkdirSync(dirname(this.#file), { recursive: true });
		for (;;) {
			try {
				writeFileSync(this.#file, String(process.pid), { flag: 'wx' });
				process.once('exit', () => this.release());
				return undefined;
			} catch (error) {
				if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
			}
			const holder = this.#holder();
			if (holder !== undefined && isAlive(holder)) return holder;
			rmSync(this.#file, { force: true });
		}
	}

	async acquire(onWait: (holder: number) => void): Promise<void> {
		for (let holder = this.tryAcquire(); holder !== undefined; holder = this.tryAcquire()) {
			onWait(holder);
			await sleep(1000);
		}
	}

	release(): void {
		if (this.#holder() === process.pid) rmSync(this.#file, { force: true });
	}

	#holder(): number | undefined {
		try {
			return Number(readFileSync(this.#file, 'utf8')) || undefined;
		} catch {
			return undefined;
		}
	}
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}
