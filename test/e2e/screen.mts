import type { ImportedWorkflow } from './workflows.mts';
import type { Stack } from './stack.mts';
import { EXAMPLE_FILE } from './example.mts';

/** One line that tells how far a step is: in place on a terminal, else anew every 15 s. */
export class Progress {
	readonly #out: NodeJS.WriteStream;
	#lastPrinted = -Infinity;
	#lastText = '';

	constructor(out: NodeJS.WriteStream = process.stdout) {
		this.#out = out;
	}

	update(text: string): void {
		if (this.#out.isTTY) {
			// A line that wraps cannot be taken back.
			const width = (this.#out.columns || 80) - 1;
			this.#out.write(`\r\x1b[2K${text.slice(0, width)}`);
			return;
		}
		const now = performance.now();
		const sameStep = text.split(':')[0] === this.#lastText.split(':')[0];
		if (sameStep && now - this.#lastPrinted < 15_000) return;
		this.#lastPrinted = now;
		this.#lastText = text;
		this.#out.write(`${text}\n`);
	}

	/** Replaces the running line by a lasting one. */
	done(text: string): void {
		this.#out.write(this.#out.isTTY ? `\r\x1b[2K${text}\n` : `${text}\n`);
		this.#lastText = '';
	}
}

/** A duration in milliseconds as `12.3 s` or `4 min 5 s`. */
export function seconds(milliseconds: number): string {
	if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
	const whole = Math.round(milliseconds / 1000);
	return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** Rows as a table of aligned columns under a ruled heading. */
export function table(heading: string[], rows: string[][]): string {
	const widths = heading.map((name, column) =>
		Math.max(name.length, ...rows.map((row) => row[column].length)),
	);
	const line = (cells: string[]) =>
		`  ${cells.map((cell, column) => cell.padEnd(widths[column])).join('  ')}`.trimEnd();
	return [line(heading), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line)].join(
		'\n',
	);
}

/** What a person sees when everything runs. */
export function welcome({ host, sandbox, secrets }: Stack, workflows: ImportedWorkflow[]): string {
	const first = workflows.find(({ file }) => file === EXAMPLE_FILE);
	return `
  n8n editor     ${host.url}
    e-mail       ${secrets.owner.email}
    password     ${secrets.owner.password}

  Sandbox        ${sandbox.page}
    base URL     ${sandbox.url}
    API key      ${secrets.sandboxKey}

  Start here     1. Sign in to the editor.
                 2. Open “${first?.name}”:
                    ${host.url}/workflow/${first?.id}
                 3. Press “Execute workflow” and watch the member change on the sandbox's page.

  Workflows      ${workflows.map(({ name }) => name).join('\n                 ')}

  Ctrl-C ends everything. n8n keeps its data for the next start; --fresh forgets it.
`;
}
