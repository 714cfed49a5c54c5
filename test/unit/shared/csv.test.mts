import { parse } from 'csv-parse/sync';
import fc from 'fast-check';

import { csvCell, csvLine } from '../../../nodes/shared/csv';

const strictly = { relax_quotes: false, relax_column_count: true, record_delimiter: '\r\n' };

/** Texts made of what matters to a table, mixed with any others. */
const text = fc.oneof(
	fc.string({ unit: fc.constantFrom(...'",;\t\r\n=+-@＝＋－＠\'a0 é😀') }),
	fc.string({ unit: 'binary' }),
);

test('another reader of RFC 4180 finds every text as it was', () => {
	fc.assert(
		fc.property(
			fc.array(fc.array(text, { minLength: 2, maxLength: 5 }), { minLength: 1 }),
			(rows) => {
				const file = rows.map((row) => csvLine(row, false)).join('');
				expect(parse(file, strictly)).toEqual(rows);
			},
		),
		{ numRuns: 500 },
	);
});

test('with formulas escaped, no cell begins as one, and only those that did are changed', () => {
	fc.assert(
		fc.property(fc.array(text, { minLength: 2, maxLength: 5 }), (row) => {
			const [cells] = parse(csvLine(row, true), strictly) as string[][];
			for (const [index, cell] of cells.entries()) {
				expect(cell).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
				expect([row[index], `'${row[index]}`]).toContain(cell);
			}
		}),
		{ numRuns: 500 },
	);
});

test.each([
	['=1+1', `"'=1+1"`],
	['+49 30', `"'+49 30"`],
	['-2', `"'-2"`],
	['@SUM(A1)', `"'@SUM(A1)"`],
	['\t=1', `"'\t=1"`],
	['\r=1', `"'\r=1"`],
	['＝1', `"'＝1"`],
	['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
	['a=1', 'a=1'],
	["'=1", "'=1"],
	[-2, '-2'],
	[0, '0'],
	[false, 'false'],
	['', ''],
	[null, ''],
	[undefined, ''],
	['say "hi"', '"say ""hi"""'],
	['a,b', '"a,b"'],
	['a;b', '"a;b"'],
	['two\nlines', '"two\nlines"'],
	[{ id: null }, '"{""id"":null}"'],
	[['x'], '"[""x""]"'],
])('%j is the cell %s', (value, cell) => {
	expect(csvCell(value, true)).toBe(cell);
});

test('a line ends with CR and LF', () => {
	expect(csvLine(['a', 1, null], true)).toBe('a,1,\r\n');
});
