import { Progress, seconds, table } from '../../e2e/screen.mts';

function progressOn(isTTY: boolean, columns = 20): { progress: Progress; written: string[] } {
	const written: string[] = [];
	const out = { isTTY, columns, write: (text: string) => written.push(text) };
	return { progress: new Progress(out as unknown as NodeJS.WriteStream), written };
}

test('a terminal shows one line in place, no longer than it is wide', () => {
	const { progress, written } = progressOn(true);
	progress.update('Step: 1 of 2 packages and more');
	progress.update('Step: 2 of 2');
	progress.done('Done');
	expect(written).toEqual([
		'\r\x1b[2KStep: 1 of 2 packag',
		'\r\x1b[2KStep: 2 of 2',
		'\r\x1b[2KDone\n',
	]);
});

test('elsewhere a step is told every 15 s, a new step at once', () => {
	jest.useFakeTimers();
	const { progress, written } = progressOn(false);
	for (let second = 0; second < 31; second++) {
		progress.update(`Step: ${second} s`);
		jest.advanceTimersByTime(1000);
	}
	progress.update('Other');
	jest.useRealTimers();
	expect(written).toEqual(['Step: 0 s\n', 'Step: 15 s\n', 'Step: 30 s\n', 'Other\n']);
});

test.each([
	[0, '0.0 s'],
	[12_345, '12.3 s'],
	[60_000, '1 min 0 s'],
	[245_400, '4 min 5 s'],
])('%i ms is %s', (milliseconds, text) => {
	expect(seconds(milliseconds)).toBe(text);
});

test('a table has columns as wide as their longest cell', () => {
	expect(table(['A', 'Long'], [['first', 'x']])).toBe(
		['  A      Long', '  ─────  ────', '  first  x'].join('\n'),
	);
});
