import { sharedTexts } from '../../../nodes/shared/sharedTexts';

test('gives back every value as it was', () => {
	const share = sharedTexts();
	const object = { a: 1 };
	for (const value of ['', 'a', 'a', null, undefined, 0, false, object]) {
		expect(share(value)).toBe(value);
	}
	// More than it keeps.
	for (let i = 0; i < 25_000; i++) expect(share(`text ${i % 12_000}`)).toBe(`text ${i % 12_000}`);
});
