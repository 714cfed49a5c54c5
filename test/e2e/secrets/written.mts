import { readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { NodeProcess } from '../child.mts';
import { cleanEnvironment } from '../n8nHost.mts';
import { hostDir } from '../paths.mts';
import type { SecretScan } from '../secretScan.mts';

/** What n8n has written in its folder, and what its export commands write. */

const isDatabase = (path: string) => path.includes(`${sep}database.sqlite`);

/** With what SQLite has not put into the database itself yet, as long as n8n runs. */
export async function lookAtDatabaseFiles(scan: SecretScan, userFolder: string): Promise<void> {
	const kindOf = (path: string) => (isDatabase(path) ? 'database files' : undefined);
	await scan.lookAtFiles(join(userFolder, '.n8n'), kindOf);
}

/** Everything but the code of the package. */
export async function lookAtWritten(scan: SecretScan, userFolder: string): Promise<void> {
	const folder = join(userFolder, '.n8n');
	await scan.lookAtFiles(folder, (path) => {
		if (path.includes(`${sep}node_modules${sep}`)) return undefined;
		if (isDatabase(path)) return 'database files';
		const isItem = [`${sep}binaryData${sep}`, `${sep}storage${sep}`].some((part) =>
			path.includes(part),
		);
		if (isItem) return 'files of items';
		return path.endsWith('.log') ? 'log files' : 'other files';
	});
	scan.lookAtDatabase(join(folder, 'database.sqlite'));
}

/** What `n8n export:workflow --all` or `export:credentials --all` writes. */
export async function exported(
	what: 'credentials' | 'workflow',
	userFolder: string,
	logFolder: string,
): Promise<Buffer> {
	const output = join(userFolder, `exported-${what}.json`);
	await new NodeProcess({
		name: `n8n export:${what}`,
		args: [
			join(hostDir, 'node_modules', 'n8n', 'bin', 'n8n'),
			...[`export:${what}`, '--all', `--output=${output}`],
		],
		cwd: userFolder,
		env: { ...cleanEnvironment(), N8N_USER_FOLDER: userFolder },
		logFile: join(logFolder, `export-${what}.log`),
	}).succeeded();
	return await readFile(output);
}
