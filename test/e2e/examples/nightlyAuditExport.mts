import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { DateTime } from 'luxon';
import { FILES_FOLDER } from '../n8nHost.mts';
import { outputOf, type Example } from './example.mts';

interface Saved {
	file: string;
	entries: number;
	oldest: string;
	newest: string;
}

const DAYS_BACK = 3;
const SCHEDULE_TIMEOUT_MS = 30_000;

export async function nightlyAuditExport(example: Example, t: TestContext): Promise<void> {
	const { sandbox, host, userFolder } = example.stack;
	const day = DateTime.now().minus({ days: DAYS_BACK });
	const name = `audit-log-${day.toISODate()}-001.csv`;
	const folder = join(userFolder, FILES_FOLDER);
	const { log } = await sandbox.admin.dump({ log: 1_000_000 });
	const wanted = log.entries.filter(({ date }) => {
		const moment = DateTime.fromSQL(date as string, { zone: 'utc' });
		return moment >= day.startOf('day') && moment <= day.endOf('day');
	});
	const ids = wanted.map(({ id }) => id as string).sort();
	assert.ok(ids.length > 50, `${ids.length} entries on ${day.toISODate()}`);
	const checkFile = async (file: string) => {
		const rows = parse(await readFile(file, 'utf8'), { columns: true }) as Array<{ id: string }>;
		assert.deepEqual(rows.map(({ id }) => id).sort(), ids);
	};

	await t.test('by hand', async () => {
		const execution = await example.run('Run now');
		const [saved, ...more] = outputOf<Saved>(execution, 'Saved');
		assert.deepEqual(more, []);
		assert.deepEqual([saved.file, saved.entries], [`${FILES_FOLDER}/${name}`, ids.length]);
		assert.deepEqual(await readdir(folder), [name]);
		await checkFile(join(folder, name));
		const inDay = (date: string) =>
			DateTime.fromISO(date).setZone('local').toISODate() === day.toISODate();
		assert.ok(inDay(saved.oldest) && inDay(saved.newest) && saved.oldest <= saved.newest);
	});

	await t.test('by its schedule', async () => {
		// The same schedule trigger, at the next second of every minute instead of at two in the night.
		const { id } = await example.import({}, ({ nodes }) => {
			const trigger = nodes.find((node) => node.name === 'Every night')!;
			assert.deepEqual(trigger.parameters.rule, { interval: [{ triggerAtHour: 2 }] });
			trigger.parameters.rule = { interval: [{ field: 'seconds', secondsInterval: 2 }] };
		});
		await host.api.activate(id);
		const deadline = Date.now() + SCHEDULE_TIMEOUT_MS;
		let ended;
		do {
			assert.ok(Date.now() < deadline, 'The schedule did not start the workflow');
			await sleep(200);
			ended = (await host.api.executions(id)).find(({ stoppedAt }) => stoppedAt !== null);
		} while (!ended);
		await host.api.deactivate(id);
		assert.deepEqual([ended.mode, ended.status], ['trigger', 'success']);
		const [saved] = outputOf<Saved>(await host.api.execution(ended.id), 'Saved');
		assert.equal(saved.entries, ids.length);
		await checkFile(join(folder, name));
	});
}
