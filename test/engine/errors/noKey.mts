import { inspect } from 'node:util';

/** A key that appears nowhere by chance. */
export const KEY = 'k3y-that-must-not-leak-Zq81';

const METHODS = ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const;

/** Watches everything that is printed from now on; the function it gives returns the texts. */
export function watchOutput(): () => string[] {
	const texts: string[] = [];
	const keep = (...values: unknown[]) => void texts.push(values.map((v) => inspect(v)).join(' '));
	for (const method of METHODS) jest.spyOn(console, method).mockImplementation(keep);
	for (const stream of [process.stdout, process.stderr]) {
		const write = stream.write.bind(stream) as (...all: unknown[]) => boolean;
		jest.spyOn(stream, 'write').mockImplementation(((...all: unknown[]) => {
			keep(all[0]);
			return write(...all);
		}) as never);
	}
	return () => texts;
}

/** As a person or a log can come to see a value: stacks, causes and hidden fields included. */
export function expectNoKey(...values: unknown[]): void {
	for (const value of values) {
		expect(JSON.stringify(value)).not.toContain(KEY);
		expect(inspect(value, { depth: 12, showHidden: true, maxStringLength: null })).not.toContain(
			KEY,
		);
	}
}
