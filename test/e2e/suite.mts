import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { stopAll } from './child.mts';
import { logDir } from './paths.mts';
import { startStack, type Stack } from './stack.mts';

/** How run.mts tells a suite's process which tarball to test. */
export const TARBALL_VARIABLE = 'MURAL_ENTERPRISE_TARBALL';

/** The packed package that is tested. */
export function tarball(): string {
	const path = process.env[TARBALL_VARIABLE];
	if (path === undefined) throw new Error('Start the suites with `npm run test:e2e`.');
	return path;
}

export interface SuiteStack extends Stack {
	userFolder: string;
}

/**
 * n8n with the package, and a sandbox, for all tests of the file that calls this; both end after its last test. Their
 * logs stay in .run/log/NAME.
 * @param env added to n8n's settings
 */
export async function suiteStack(
	name: string,
	env: Record<string, string> = {},
): Promise<SuiteStack> {
	const userFolder = await mkdtemp(join(tmpdir(), `mural-enterprise-${name}-`));
	process.once('exit', () => rmSync(userFolder, { recursive: true, force: true, maxRetries: 3 }));
	after(stopAll);
	const options = { userFolder, tarball: tarball(), logDir: join(logDir, name), live: false, env };
	return { ...(await startStack(options)), userFolder };
}
