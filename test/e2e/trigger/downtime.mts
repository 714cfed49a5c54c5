import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * What would else be waiting. n8n waits ten seconds when it finds its crash journal; and it holds leases of two minutes
 * on what it was doing, which a start after a longer downtime finds expired: on the activation of a workflow (its first
 * poll is a part of that) and on scheduled polls.
 */
export async function downtimePasses(userFolder: string): Promise<void> {
	const folder = join(userFolder, '.n8n');
	await rm(join(folder, 'crash.journal'), { force: true });
	const database = new DatabaseSync(join(folder, 'database.sqlite'), { timeout: 10_000 });
	try {
		database.exec(`
			UPDATE workflow_publication_outbox SET updatedAt = datetime(updatedAt, '-1 hour')
				WHERE status = 'in_progress';
			UPDATE scheduled_task SET leaseExpiresAt = datetime(leaseExpiresAt, '-1 hour')
				WHERE status = 'running';`);
	} finally {
		database.close();
	}
}
