import { parse } from 'csv-parse/sync';

import type { CsvOptions } from '../../../nodes/shared/auditExport';
import { csv, ndjson } from '../../../nodes/shared/auditExport';
import type { AuditLogEntry } from '../../../nodes/shared/auditLog';

const ENTRY: AuditLogEntry = {
	action: 'CREATE_MURAL',
	actor: { company: 'acme', email: 'ann@example.com', id: 'u1', name: 'Ann', type: 'USER' },
	date: '2026-09-01 12:00:00.841',
	id: 'e1',
	ip: '203.0.113.7',
	affected: { company: 'acme', id: 'm1', type: 'MURAL' },
};

const HEADER =
	'date,action,actor.id,actor.email,actor.name,actor.type,actor.company,' +
	'affected.id,affected.type,affected.company,ip,id,other';

const table = (options: Partial<CsvOptions> = {}) =>
	csv({ columns: [], byteOrderMark: false, escapeFormulas: true, ...options });

const record = (entry: AuditLogEntry, options: Partial<CsvOptions> = {}) => {
	const { header, line } = table(options);
	const [found] = parse(header + line(entry), { columns: true }) as Array<Record<string, string>>;
	return found;
};

describe('CSV', () => {
	test('has the fields of the spec, flattened, in one order', () => {
		expect(table().header).toBe(`${HEADER}\r\n`);
		expect(table().line(ENTRY)).toBe(
			'2026-09-01 12:00:00.841,CREATE_MURAL,u1,ann@example.com,Ann,USER,acme,m1,MURAL,acme,203.0.113.7,e1,\r\n',
		);
	});

	test('keeps its columns and loses nothing when entries carry unknown fields', () => {
		const entry = {
			...ENTRY,
			snapshotDate: '2026-09-01 12:00:01.841',
			origin: null,
			destination: { id: null, type: 'MURAL' },
			actor: { ...ENTRY.actor, department: 'R&D', tags: ['a'] },
			count: 0,
			isNew: false,
		};
		const { other, ...known } = record(entry);
		expect(JSON.parse(other)).toEqual({
			snapshotDate: '2026-09-01 12:00:01.841',
			origin: null,
			destination: { id: null, type: 'MURAL' },
			actor: { department: 'R&D', tags: ['a'] },
			count: 0,
			isNew: false,
		});
		expect(known['actor.email']).toBe('ann@example.com');
		expect(Object.keys(known)).toEqual(HEADER.split(',').slice(0, -1));
	});

	test.each([
		[{}, {}],
		[{ actor: null, affected: null, date: null, ip: null }, {}],
		[
			{ actor: 'Ann', affected: ['m1'] },
			{ actor: 'Ann', affected: ['m1'] },
		],
		[
			JSON.parse('{"__proto__":{"a":1},"constructor":2}'),
			JSON.parse('{"__proto__":{"a":1},"constructor":2}'),
		],
	])('%j is a row as long as any', (entry: AuditLogEntry, rest) => {
		const { other, ...known } = record(entry);
		expect(Object.values(known).every((cell) => cell === '')).toBe(true);
		expect(other === '' ? {} : JSON.parse(other)).toEqual(rest);
	});

	test('takes the columns chosen, in their order, at any depth', () => {
		const entry = { ...ENTRY, destination: { room: { id: 7 } }, flag: false };
		const columns = ['id', 'destination.room.id', 'destination', 'flag', 'nothing.there', 'actor'];
		expect(record(entry, { columns })).toEqual({
			id: 'e1',
			'destination.room.id': '7',
			destination: '{"room":{"id":7}}',
			flag: 'false',
			'nothing.there': '',
			actor: JSON.stringify(ENTRY.actor),
		});
		expect(JSON.parse(record(entry, { columns: ['other'] }).other)).toEqual({
			destination: { room: { id: 7 } },
			flag: false,
		});
	});

	test('escapes formulas that people put into names, unless told not to', () => {
		const entry = { ...ENTRY, actor: { ...ENTRY.actor, name: '=cmd|calc' } };
		expect(record(entry)['actor.name']).toBe("'=cmd|calc");
		expect(record(entry, { escapeFormulas: false })['actor.name']).toBe('=cmd|calc');
	});

	test('starts with a byte order mark when asked to', () => {
		expect(table({ byteOrderMark: true }).header).toBe(`\uFEFF${HEADER}\r\n`);
	});
});

test('NDJSON holds each entry as it came, one a line', () => {
	const entries: AuditLogEntry[] = [ENTRY, { id: 'e2', note: 'two\nlines', origin: null, n: 0 }];
	const text = ndjson.header + entries.map(ndjson.line).join('');
	expect(text.endsWith('\n')).toBe(true);
	expect(
		text
			.trimEnd()
			.split('\n')
			.map((line) => JSON.parse(line) as unknown),
	).toEqual(entries);
});
