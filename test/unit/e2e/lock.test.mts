import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Lock } from '../../e2e/lock.mts';

let folder: string;
let file: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'lock-test-'));
	file = join(folder, 'x.lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('the second taker learns who holds it, and gets it after the release', async () => {
	const first = new Lock(file);
	const second = new Lock(file);
	expect(first.tryAcquire()).toBeUndefined();
	expect(second.tryAcquire()).toBe(process.pid);
	const waits: number[] = [];
	setTimeout(() => first.release(), 100);
	await second.acquire((holder) => waits.push(holder));
	expect(waits).toEqual([process.pid]);
	second.release();
	expect(existsSync(file)).toBe(false);
});

test('a lock of a process that is gone is free', () => {
	const { pid } = spawnSync(process.execPath, ['--eval', '']);
	writeFileSync(file, String(pid));
	expect(new Lock(file).tryAcquire()).toBeUndefined();
});

test('a release leaves the lock of another process alone', () => {
	writeFileSync(file, String(process.ppid));
	new Lock(file).release();
	expect(existsSync(file)).toBe(true);
});
