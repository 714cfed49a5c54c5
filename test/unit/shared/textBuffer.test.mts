import fc from 'fast-check';

import { TextBuffer } from '../../../nodes/shared/textBuffer';

test('holds what was appended since it was cleared, as UTF-8, however long', () => {
	const text = fc.oneof(
		fc.string({ unit: 'grapheme' }),
		fc.string({ unit: fc.constantFrom('€', '😀', 'é') }),
		fc.integer({ min: 1, max: 60_000 }).map((length) => 'ẞ'.repeat(length)),
	);
	fc.assert(
		fc.property(fc.array(fc.array(text, { maxLength: 20 }), { maxLength: 4 }), (files) => {
			const buffer = new TextBuffer();
			for (const texts of files) {
				for (const each of texts) buffer.append(each);
				expect(buffer.content().equals(Buffer.from(texts.join('')))).toBe(true);
				buffer.clear();
			}
			expect(buffer.content()).toHaveLength(0);
		}),
		{ numRuns: 200 },
	);
});

test('takes bytes in pieces that cut characters', () => {
	const text = fc.string({ unit: fc.constantFrom('a', 'é', '€', '😀'), maxLength: 500 });
	fc.assert(
		fc.property(text, fc.integer({ min: 1, max: 7 }), (whole, size) => {
			const bytes = Buffer.from(whole);
			const buffer = new TextBuffer();
			buffer.append('→');
			for (let at = 0; at < bytes.length; at += size) {
				buffer.appendBytes(bytes.subarray(at, at + size));
			}
			expect(buffer.content().toString()).toBe(`→${whole}`);
		}),
	);
});
