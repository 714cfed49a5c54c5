import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buildPackage } from './buildPackage.mts';
import { ensureHost } from './installHost.mts';
import { Lock } from './lock.mts';
import { runDir } from './paths.mts';
import type { Progress } from './screen.mts';

/** The installed host and the packed package; one launcher at a time makes them. Returns the tarball's path. */
export async function prepare(progress: Progress): Promise<string> {
	await mkdir(runDir, { recursive: true });
	const lock = new Lock(join(runDir, 'prepare.lock'));
	await lock.acquire((holder) => progress.update(`Waiting for process ${holder} to build`));
	try {
		await ensureHost(progress);
		return await buildPackage(progress);
	} finally {
		lock.release();
	}
}
