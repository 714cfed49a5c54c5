import fc from 'fast-check';

import type { AuditLogEntry } from '../../../nodes/shared/auditLog';
import { entryKey, SeenEntries } from '../../../nodes/MuralEnterpriseTrigger/seen';
import { decodeState, encodeState, newState } from '../../../nodes/MuralEnterpriseTrigger/state';

const NOW = Date.UTC(2026, 2, 1, 12);

describe('what tells one entry from another', () => {
	test('the id, whatever else changes', () => {
		expect(entryKey({ id: 'a', action: 'X' })).toBe(entryKey({ id: 'a', snapshotDate: 'later' }));
		expect(entryKey({ id: 'a' })).not.toBe(entryKey({ id: 'b' }));
		expect(entryKey({ id: 0 } as unknown as AuditLogEntry)).not.toBe(entryKey({}));
		expect(entryKey({ id: 'a' })).toHaveLength(8);
	});

	test('without an id the content, in any order of the fields', () => {
		const entry = { action: 'X', date: 'd', actor: { id: '1', name: 'n' }, list: [1, 2] };
		const turned = { list: [1, 2], actor: { name: 'n', id: '1' }, date: 'd', action: 'X' };
		for (const id of [undefined, null, '']) {
			expect(entryKey({ ...entry, id })).toBe(entryKey({ id, ...turned }));
		}
		expect(entryKey(entry)).not.toBe(entryKey({ ...entry, list: [2, 1] }));
		expect(entryKey(entry)).not.toBe(entryKey({ ...entry, extra: false }));
		expect(entryKey(entry)).not.toBe(entryKey({ ...entry, actor: { id: '1', name: null } }));
	});

	test('without an id every difference counts', () => {
		for (const id of [undefined, null, '']) {
			expect(entryKey({ id, action: 'X' })).not.toBe(entryKey({ id, action: 'Y' }));
		}
		expect(entryKey({ list: [1, 2] })).not.toBe(entryKey({ list: [12] }));
		expect(entryKey({ list: ['a'] })).not.toBe(entryKey({ list: { 0: 'a' } }));
		expect(entryKey({ action: 'X', ip: undefined })).toBe(entryKey({ action: 'X' }));
	});

	test('an id is no content', () => {
		expect(entryKey({ id: '{"action":"X"}' })).not.toBe(entryKey({ action: 'X' }));
	});
});

describe('what is remembered', () => {
	const key = fc
		.uint8Array({ minLength: 8, maxLength: 8 })
		.map((bytes) => Buffer.from(bytes).toString('latin1'));
	const kept = fc.array(fc.tuple(key, fc.integer({ min: 0, max: 100 * 24 * 3600 })));

	test('comes back as it was, in at most 16 characters an entry', () => {
		fc.assert(
			fc.property(kept, (pairs) => {
				const seen = SeenEntries.none();
				for (const [each, seconds] of pairs) seen.set(each, NOW + seconds * 1000);
				const text = seen.encode(NOW);
				expect(text.length).toBeLessThanOrEqual(16 * seen.size);
				const again = SeenEntries.decode(text, NOW) as SeenEntries;
				expect(again.size).toBe(seen.size);
				for (const [each] of pairs) expect(again.get(each)).toBe(seen.get(each));
				expect(again.encode(NOW)).toBe(text);
			}),
		);
	});

	test('a key is found before anything is unpacked as well as after, and only as a whole record', () => {
		// Of few different bytes, so that keys are also met across the borders of records.
		const close = fc
			.array(fc.constantFrom(0, 1), { minLength: 8, maxLength: 8 })
			.map((bytes) => Buffer.from(bytes).toString('latin1'));
		const pairs = fc.array(fc.tuple(close, fc.integer({ min: 0, max: 257 })), { maxLength: 40 });
		fc.assert(
			fc.property(pairs, fc.array(close, { maxLength: 30 }), (known, asked) => {
				const expected = new Map(known.map(([each, seconds]) => [each, NOW + seconds * 1000]));
				const seen = SeenEntries.none();
				for (const [each, until] of expected) seen.set(each, until);
				const again = SeenEntries.decode(seen.encode(NOW), NOW) as SeenEntries;
				for (const each of asked) expect(again.get(each)).toBe(expected.get(each));
				expect(again.size).toBe(expected.size);
				const later = SeenEntries.decode(again.encode(NOW - 5000), NOW - 5000) as SeenEntries;
				for (const each of asked) expect(later.get(each)).toBe(expected.get(each));
			}),
		);
	});

	test('is forgotten when it is no longer needed, and not before', () => {
		const seen = SeenEntries.none();
		seen.set('aaaaaaaa', NOW);
		seen.set('bbbbbbbb', NOW + 1000);
		seen.forgetBefore(NOW);
		expect(seen.size).toBe(2);
		seen.forgetBefore(NOW + 1000);
		expect([seen.get('aaaaaaaa'), seen.get('bbbbbbbb')]).toEqual([undefined, NOW + 1000]);
	});

	test('a time outside what can be written stays within it', () => {
		const seen = SeenEntries.none();
		seen.set('aaaaaaaa', NOW - 5000);
		seen.set('bbbbbbbb', NOW + 2 ** 40);
		const again = SeenEntries.decode(seen.encode(NOW), NOW) as SeenEntries;
		expect(again.get('aaaaaaaa')).toBe(NOW);
		expect(again.get('bbbbbbbb')).toBe(NOW + (2 ** 24 - 1) * 1000);
	});

	test.each(['*', 'AAAA', 'AAAAAAAAAAAAAAA', ' ', 'AAAAAAAAAAAAAA==', 'AAAAAAAAAAAAAAA=****'])(
		'%j is not such a text',
		(text) => {
			expect(SeenEntries.decode(text, NOW)).toBeUndefined();
		},
	);
});

describe('the state', () => {
	const state = () => {
		const working = newState('f', NOW - 1, NOW);
		working.seen.set('aaaaaaaa', NOW + 1000);
		working.backlog = { at: NOW, goal: NOW + 5000, length: 1000 };
		working.sweep = { at: NOW, goal: NOW + 5000, length: 2000, start: NOW + 7 };
		working.heldUntil = NOW + 9;
		return encodeState(working);
	};

	test('comes back from JSON as it was, and is a copy', () => {
		const json = JSON.stringify(state());
		const stored = JSON.parse(json) as Record<string, unknown>;
		const working = decodeState(stored);
		expect(encodeState(working as never)).toEqual(state());
		(working?.backlog as { at: number }).at = 0;
		working?.seen.set('bbbbbbbb', NOW);
		expect(JSON.stringify(stored)).toBe(json);
	});

	test.each([undefined, null, 5, 'text', [], {}, { version: 1 }, [state()]])(
		'%j is none',
		(value) => {
			expect(decodeState(value)).toBeUndefined();
		},
	);

	const moment = [undefined, null, '5', -1, 1.5, NaN, Infinity, 9e15];
	test.each<[string, unknown[]]>([
		['version', [undefined, 0, 2, '1']],
		['fingerprint', [undefined, 5, null]],
		['floor', moment],
		['boundary', moment],
		['horizon', [...moment, NOW + 1]],
		['swept', moment],
		['covered', moment],
		['heldUntil', moment.slice(1)],
		['seen', [undefined, 5, '*', 'AAAA']],
		['backlog', [null, 5, [], {}, { at: NOW, goal: NOW }, { at: NOW, goal: NOW, length: 0 }]],
		[
			'backlog',
			[
				{ at: NOW + 1, goal: NOW, length: 1000 },
				{ at: NOW, goal: 'x', length: 1000 },
			],
		],
		['sweep', [null, { at: NOW, goal: NOW, length: 1000 }]],
	])('one whose %s is not right is none', (field, values) => {
		for (const value of values) expect(decodeState({ ...state(), [field]: value })).toBeUndefined();
	});
});
