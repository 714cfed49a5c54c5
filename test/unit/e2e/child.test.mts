import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { NodeProcess, StepError } from '../../e2e/child.mts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'child-test-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function start(script: string, onLine?: (line: string) => void): NodeProcess {
	return new NodeProcess({
		name: 'The script',
		args: ['--eval', script],
		cwd: folder,
		logFile: join(folder, 'log'),
		onLine,
	});
}

/** Starts a script and waits for its first line. */
async function started(script: string): Promise<[NodeProcess, string]> {
	return await new Promise((resolve) => {
		const child: NodeProcess = start(script, (line) => resolve([child, line]));
	});
}

function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

async function gone(pid: number): Promise<boolean> {
	for (let i = 0; i < 100 && isAlive(pid); i++) await sleep(100);
	return !isAlive(pid);
}

const FOREVER = 'setInterval(() => {}, 1e6);';

test('succeeded resolves for exit code 0', async () => {
	await expect(start('console.log(1)').succeeded()).resolves.toBeUndefined();
});

test('a failed process is an error with the end of its log, without terminal codes', async () => {
	const script = "console.log('first'); console.error('\\x1b[31mlast\\x1b[0m'); process.exit(3)";
	const error = (await start(script)
		.succeeded()
		.catch((reason: unknown) => reason)) as StepError;
	expect(error).toBeInstanceOf(StepError);
	expect(error.message).toContain('The script ended with exit code 3');
	expect(error.logTail.split('\n').sort()).toEqual(['first', 'last']);
});

test('stop asks first', async () => {
	const [child] = await started(
		`process.on('SIGTERM', () => process.exit(7)); ${FOREVER} console.log('up')`,
	);
	expect(await child.stop()).toEqual({ code: 7, signal: null });
});

test('stop ends what does not listen, and its children', async () => {
	const grandchild = `require('child_process').spawn(process.execPath, ['-e', '${FOREVER}'])`;
	const [child, line] = await started(
		`process.on('SIGTERM', () => {}); ${FOREVER} console.log(${grandchild}.pid)`,
	);
	expect(await child.stop(200)).toEqual({ code: null, signal: 'SIGKILL' });
	expect(await gone(Number(line))).toBe(true);
});

test('a process ends when the launcher is killed', async () => {
	const launcher = join(folder, 'launcher.mts');
	const module = JSON.stringify(join(__dirname, '../../e2e/child.mts'));
	writeFileSync(
		launcher,
		`import { NodeProcess } from ${module};
		const child = new NodeProcess({ name: 'x', args: ['--eval', ${JSON.stringify(FOREVER)}],
			cwd: '.', logFile: 'child.log' });
		console.log(child.pid);
		${FOREVER}`,
	);
	const parent = spawn(process.execPath, [launcher], { cwd: folder });
	const [line] = (await once(createInterface(parent.stdout), 'line')) as [string];
	const pid = Number(line);
	await sleep(500);
	expect(isAlive(pid)).toBe(true);
	parent.kill('SIGKILL');
	expect(await gone(pid)).toBe(true);
});
