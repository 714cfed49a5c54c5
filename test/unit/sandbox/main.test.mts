import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const MAIN = join(__dirname, '../../sandbox/main.mts');
const running: ChildProcess[] = [];

function run(...options: string[]): ChildProcess {
	const child = spawn(process.execPath, [MAIN, ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
	running.push(child);
	return child;
}

async function ready(child: ChildProcess) {
	const [line] = (await once(createInterface(child.stdout!), 'line')) as [string];
	return JSON.parse(line) as { url: string; adminUrl: string; page: string };
}

async function stop(child: ChildProcess, signal: NodeJS.Signals) {
	child.kill(signal);
	const [code] = (await once(child, 'exit')) as [number];
	return code;
}

afterEach(() => {
	for (const child of running.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
});

test('prints its addresses, serves its key, keeps its state, stops on a signal', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
	const options = ['--key', 'k-1', '--users', '20', '--state', join(folder, 'state.ndjson')];
	const first = run(...options, '--seed', '3', '--live');
	const { url, adminUrl, page } = await ready(first);
	expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/enterprise\/v1$/);
	expect([adminUrl, page]).toEqual([
		url.replace('/enterprise/v1', '/__sandbox'),
		url.replace('/enterprise/v1', '/__sandbox/'),
	]);
	const read = async (base: string, key: string) =>
		fetch(`${base}/scim/Users`, { headers: { authorization: `apikey ${key}` } });
	expect((await read(url, 'sandbox-key')).status).toBe(401);
	const before = (await (await read(url, 'k-1')).json()) as { totalResults: number };
	expect(before.totalResults).toBe(20);
	expect(await stop(first, 'SIGTERM')).toBe(0);

	const second = run(...options, '--seed', '4');
	const again = await ready(second);
	expect(await (await read(again.url, 'k-1')).json()).toEqual(before);
	expect(await stop(second, 'SIGINT')).toBe(0);
	rmSync(folder, { recursive: true });
});

test.each([
	[['--port', 'many'], 2, '--port needs a whole number'],
	[['--state', '/nowhere/at/all/state'], 1, 'could not start'],
])('%j ends with %d', async (options, code, message) => {
	const child = run(...options);
	let errors = '';
	child.stderr!.on('data', (text: Buffer) => (errors += text.toString()));
	const [exit] = (await once(child, 'close')) as [number];
	expect([exit, errors]).toEqual([code, expect.stringContaining(message)]);
});

test('a taken port is said', async () => {
	const first = run();
	const { url } = await ready(first);
	const second = run('--port', new URL(url).port);
	let errors = '';
	second.stderr!.on('data', (text: Buffer) => (errors += text.toString()));
	const [exit] = (await once(second, 'close')) as [number];
	expect([exit, errors]).toEqual([1, expect.stringContaining('EADDRINUSE')]);
});
