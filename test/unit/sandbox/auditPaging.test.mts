import fc from 'fast-check';
import { AuditStore } from '../../sandbox/auditStore.mts';
import { decodeToken, encodeToken } from '../../sandbox/auditToken.mts';
import { entryJson } from '../../sandbox/entryJson.mts';
import type { AuditRow } from '../../sandbox/types.mts';

const actor = { company: 'c', email: 'e', id: 'a', name: 'n', type: 'USER' };
const affected = { company: 'c', id: 'c', type: 'COMPANY' };

const row = (date: number, key: string, action = 'A'): AuditRow => ({
	date,
	key,
	action,
	actor,
	affected,
	ip: null,
});

// Few dates and ids: ties are common.
const rows = (maxLength: number) =>
	fc.uniqueArray(
		fc.record({
			date: fc.integer({ min: 0, max: 20 }),
			key: fc.string({ minLength: 1, maxLength: 2, unit: fc.constantFrom('a', 'b', 'Z', '0') }),
			action: fc.constantFrom('A', 'B'),
		}),
		{ maxLength, selector: ({ date, key }) => `${date} ${key}` },
	);

const newestFirst = (a: AuditRow, b: AuditRow) =>
	b.date - a.date || (a.key < b.key ? 1 : a.key > b.key ? -1 : 0);

test('pages under inserts: nothing twice, everything that sorts after the position', () => {
	fc.assert(
		fc.property(
			rows(40),
			fc.array(rows(6), { maxLength: 8 }),
			fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 20 }),
			fc.integer({ min: 0, max: 20 }),
			fc.integer({ min: 0, max: 25 }),
			fc.option(fc.constantFrom('A', 'B'), { nil: undefined }),
			fc.boolean(),
			(initial, inserts, limits, low, span, action, bulk) => {
				const store = new AuditStore();
				const range = { since: low, until: low + span, action };
				const inRange = (r: AuditRow) =>
					r.date >= range.since && r.date <= range.until && (!action || r.action === action);
				const known = new Map<string, AuditRow>();
				const put = (specs: typeof initial) => {
					const fresh = specs
						.map(({ date, key, action: a }) => row(date, key, a))
						.filter((r) => !known.has(`${r.date} ${r.key}`));
					for (const r of fresh) known.set(`${r.date} ${r.key}`, r);
					if (bulk) store.insertMany(fresh);
					else for (const r of fresh) store.insert(r);
				};
				put(initial);

				const seen: AuditRow[] = [];
				let after: AuditRow | null = null;
				for (let page = 0; ; page++) {
					const limit = limits[page % limits.length];
					// What the service must answer now, by definition.
					const position: AuditRow | null = after;
					const expected = [...known.values()]
						.filter(inRange)
						.filter((r) => position === null || newestFirst(position, r) < 0)
						.sort(newestFirst);
					const slice = store.slice(range, after, limit);
					expect(slice.rows).toEqual(expected.slice(0, limit));
					expect(slice.more).toBe(expected.length > limit);
					if (slice.rows.length === 0) break;
					seen.push(...slice.rows);
					after = slice.rows.at(-1)!;
					if (page < inserts.length) put(inserts[page]);
				}
				expect(new Set(seen).size).toBe(seen.length);
				expect(seen).toEqual([...seen].sort(newestFirst));
				expect(store.size).toBe(known.size);
			},
		),
		{ numRuns: 2000 },
	);
});

test('late rows appear once, in their place, when their moment has come', () => {
	fc.assert(
		fc.property(
			fc.array(fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 50 }))),
			fc.array(fc.integer({ min: 0, max: 10 }), { maxLength: 12 }),
			(entries, steps) => {
				const store = new AuditStore();
				entries.forEach(([date, at], i) => store.insert(row(date, `k${i}`), at));
				let now = 0;
				for (const step of steps) {
					now += step;
					store.settle(now);
					const due = entries
						.map(([date, at], i) => ({ ...row(date, `k${i}`), at }))
						.filter(({ at }) => at <= now);
					expect(store.size).toBe(due.length);
					expect(store.waiting).toBe(entries.length - due.length);
					const all = store.slice({ since: 0, until: 50 }, null, 1000).rows;
					expect(all.map(({ key }) => key)).toEqual(due.sort(newestFirst).map(({ key }) => key));
				}
			},
		),
	);
});

test('a token holds what it was made of', () => {
	fc.assert(
		fc.property(
			fc.integer(),
			fc.option(fc.integer(), { nil: Infinity }),
			fc.option(fc.string(), { nil: undefined }),
			fc.option(fc.record({ date: fc.integer(), key: fc.string() })),
			fc.integer(),
			(since, until, action, after, at) => {
				const token = { range: { since, until, action }, after, at };
				expect(decodeToken(encodeToken(token))).toEqual(token);
			},
		),
	);
});

test('an entry is JSON whatever its text, and its date is right', () => {
	const text = fc.string({ unit: 'binary', maxLength: 12 });
	fc.assert(
		fc.property(
			fc.date({
				min: new Date('1970-01-01'),
				max: new Date('2100-01-01'),
				noInvalidDate: true,
			}),
			text,
			text,
			fc.option(text),
			text,
			(when, key, action, ip, name) => {
				const entry: AuditRow = {
					...row(when.getTime(), key, action),
					ip,
					actor: { ...actor, name },
				};
				const read = (dateStyle: 'space' | 'iso') =>
					JSON.parse(entryJson(entry, { dateStyle, extraFields: false })) as object;
				const iso = when.toISOString();
				const expected = { action, actor: entry.actor, id: key, ip, affected };
				expect(read('iso')).toEqual({ ...expected, date: iso });
				const date = iso.replace('T', ' ').replace('Z', '');
				expect(read('space')).toEqual({ ...expected, date });
			},
		),
	);
});
