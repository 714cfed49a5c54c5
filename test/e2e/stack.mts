import { join } from 'node:path';
import { installPackage, registerPackage } from './installPackage.mts';
import type { InstalledPackage } from './installPackage.mts';
import { startHost, type Host } from './n8nHost.mts';
import { startSandboxProcess, type SandboxProcess } from './sandboxProcess.mts';
import { secretsOf, type Secrets } from './secrets.mts';
import type { CredentialRef } from './workflows.mts';

/** The company every sandbox of the launcher is seeded with; the examples name people of it. */
export const SEED = 1;

export const CREDENTIAL_TYPE = 'muralEnterpriseApi';
const CREDENTIAL_NAME = 'Mural sandbox';

export interface StackOptions {
	userFolder: string;
	tarball: string;
	logDir: string;
	/** Whether people keep working in the sandbox and its state outlives it. */
	live: boolean;
	env?: Record<string, string>;
}

export interface Stack {
	host: Host;
	sandbox: SandboxProcess;
	credential: CredentialRef;
	installed: InstalledPackage;
	secrets: Secrets;
}

/** Starts the sandbox and n8n with the package in it, and gives n8n a credential for the sandbox. */
export async function startStack(options: StackOptions): Promise<Stack> {
	const { userFolder, logDir, live } = options;
	const secrets = await secretsOf(userFolder);
	const [sandbox, { host, installed }] = await Promise.all([
		startSandboxProcess({
			key: secrets.sandboxKey,
			logFile: join(logDir, 'sandbox.log'),
			seed: SEED,
			live,
			stateFile: live ? join(userFolder, 'sandbox.state') : undefined,
		}),
		startHostWithPackage(options, secrets),
	]);
	const data = { apiKey: secrets.sandboxKey, baseUrl: sandbox.url };
	const id = await host.api.saveCredential(CREDENTIAL_TYPE, CREDENTIAL_NAME, data);
	const credential = { id, name: CREDENTIAL_NAME, type: CREDENTIAL_TYPE };
	return { host, sandbox, credential, installed, secrets };
}

async function startHostWithPackage(options: StackOptions, { owner }: Secrets) {
	const { userFolder, tarball, logDir, env } = options;
	const installed = await installPackage(userFolder, tarball);
	const logFile = join(logDir, 'n8n.log');
	const host = await startHost({ userFolder, logFile, owner, env });
	await registerPackage(userFolder, installed, host.api);
	return { host, installed };
}

/** Throws when n8n or the sandbox ends, with the end of its log; runs as long as both do. */
export async function oneEnds({ host, sandbox }: Stack): Promise<never> {
	const processes = [host.process, sandbox.process];
	throw await Promise.race(processes.map(async (child) => child.failure(await child.exited)));
}
