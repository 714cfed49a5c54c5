import { randomBytes, randomInt } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Owner } from './n8nApi.mts';

export interface Secrets {
	owner: Owner;
	/** The sandbox's API key. */
	sandboxKey: string;
}

/** What is made up once for a user folder and then kept in it. */
export async function secretsOf(userFolder: string): Promise<Secrets> {
	const file = join(userFolder, 'secrets.json');
	const kept = await readFile(file, 'utf8').catch(() => undefined);
	if (kept !== undefined) return JSON.parse(kept) as Secrets;
	const secrets: Secrets = {
		// n8n asks for eight characters, a capital and a digit; the rest is easy to type.
		owner: { email: 'owner@example.com', password: `Mural${randomInt(10 ** 8, 10 ** 9)}` },
		sandboxKey: randomBytes(24).toString('hex'),
	};
	await mkdir(userFolder, { recursive: true });
	await writeFile(file, JSON.stringify(secrets, null, '\t'), { mode: 0o600 });
	return secrets;
}
