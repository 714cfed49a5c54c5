import fc from 'fast-check';

import { listEntries } from '../../../../nodes/MuralEnterprise/actions/several';

const name = fc.string({ minLength: 1 }).filter((text) => /^[^\s,;[]+$/.test(text));

test.each([
	['nothing', undefined, []],
	['null', null, []],
	['an empty text', '', []],
	['separators only', ' , ;\n', []],
	['one', 'ann@example.com', ['ann@example.com']],
	['commas', 'a,b , c', ['a', 'b', 'c']],
	['semicolons, lines, tabs', 'a;b\nc\td\r\ne', ['a', 'b', 'c', 'd', 'e']],
	['a trailing comma', 'a,b,', ['a', 'b']],
	['a number', 7, ['7']],
	['an array', ['a', ' b ', 3], ['a', 'b', '3']],
	['an empty array', [], []],
	['a JSON array as text', '["a", {"id": "b"}]', ['a', 'b']],
	['something that only looks like JSON', '[a', ['[a']],
	['one object', { id: 'a' }, ['a']],
	['users of the service', [{ id: 'u1', userName: 'a@x.com' }], ['u1']],
	['members of a group', [{ value: 'u1' }, { value: 'u2' }], ['u1', 'u2']],
	['rows of a sheet', [{ email: 'a@x.com', name: 'Ann' }], ['a@x.com']],
	['what a change tells', [{ id: 'u1', email: 'a@x.com' }], ['u1']],
	['workspaces of a simplified mapping', [{ workspaceId: 'w1', admin: true }], ['w1']],
	['entries that name nothing', ['a', '', null, true, {}, [], { id: '' }], ['a', ...Array(6)]],
])('%s', (_, value, entries) => {
	expect(listEntries(value)).toEqual(entries);
});

test('a joined text, an array and JSON name the same', () => {
	fc.assert(
		fc.property(fc.array(name), fc.constantFrom(',', ', ', ';', '\n', ' '), (names, separator) => {
			expect(listEntries(names.join(separator))).toEqual(names);
			expect(listEntries(names)).toEqual(names);
			expect(listEntries(JSON.stringify(names))).toEqual(names);
			expect(listEntries(names.map((id) => ({ id })))).toEqual(names);
		}),
	);
});
