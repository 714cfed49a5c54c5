import {
	closeSync,
	existsSync,
	fsyncSync,
	openSync,
	readFileSync,
	renameSync,
	writeSync,
} from 'node:fs';
import { RETENTION_MS } from './auditStore.mts';
import type { Service } from './service.mts';
import type { AuditRow, State } from './types.mts';

const VERSION = 1;

/** Maps and sets as tagged arrays. */
function pack(_: string, value: unknown): unknown {
	if (value instanceof Map) return { $map: [...value] };
	if (value instanceof Set) return { $set: [...value] };
	return value;
}

function unpack(_: string, value: unknown): unknown {
	const tagged = value as { $map?: Array<[unknown, unknown]>; $set?: unknown[] } | null;
	if (Array.isArray(tagged?.$map)) return new Map(tagged.$map);
	if (Array.isArray(tagged?.$set)) return new Set(tagged.$set);
	return value;
}

interface Head {
	version: number;
	clock: ReturnType<Service['clock']['save']>;
	state: State;
}

interface Line {
	row: AuditRow;
	/** When the row becomes visible; absent when it is. */
	at?: number;
}

/** One line for the state, then one a log entry; entries past their retention are left behind. Atomic. */
export function save(service: Service, file: string): void {
	const temporary = `${file}.writing`;
	const out = openSync(temporary, 'w', 0o600);
	const head: Head = { version: VERSION, clock: service.clock.save(), state: service.state };
	let lines = [JSON.stringify(head, pack)];
	const flush = () => {
		writeSync(out, lines.join('\n') + '\n');
		lines = [];
	};
	const add = (line: Line) => {
		lines.push(JSON.stringify(line));
		if (lines.length === 10_000) flush();
	};
	const oldest = service.clock.now() - RETENTION_MS;
	for (const row of service.log.all()) if (row.date >= oldest) add({ row });
	for (const { at, row } of service.log.allPending()) add({ row, at });
	flush();
	fsyncSync(out);
	closeSync(out);
	renameSync(temporary, file);
}

/** @returns false when there is no file yet. @throws {Error} when the file is none of ours. */
export function load(service: Service, file: string): boolean {
	if (!existsSync(file)) return false;
	const [first, ...rest] = readFileSync(file, 'utf8').split('\n');
	const head = JSON.parse(first, unpack) as Head;
	if (head.version !== VERSION) throw new Error(`${file} is no state of this sandbox`);
	service.state = head.state;
	service.clock.restore(head.clock);
	service.log.clear();
	const visible: AuditRow[] = [];
	for (const text of rest) {
		if (text === '') continue;
		const { row, at } = JSON.parse(text) as Line;
		row.actor = service.shared(row.actor);
		row.affected = service.shared(row.affected);
		if (at === undefined) visible.push(row);
		else service.log.insert(row, at);
	}
	service.log.insertMany(visible);
	return true;
}

/** Saves to `file` every second in which something changed. @returns saves once more and stops. */
export function keepSaved(service: Service, file: string): () => void {
	let saved = '';
	const saveIfChanged = () => {
		const version = `${service.version} ${service.log.version} ${service.log.waiting}`;
		if (version === saved) return;
		try {
			save(service, file);
			saved = version;
		} catch (error) {
			console.error(`The state was not saved: ${(error as Error).message}`);
		}
	};
	const timer = setInterval(saveIfChanged, 1000);
	timer.unref();
	return () => {
		clearInterval(timer);
		save(service, file);
	};
}
