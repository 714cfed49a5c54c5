import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { hostDir } from './paths.mts';

/** Looks for secrets in everything that n8n keeps or tells. */

/** The texts by which a secret can be recognised, by the name of the form. */
export function formsOf(secret: string): Map<string, string> {
	const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
	const forms = new Map([
		['plain', secret],
		['in a URL', encodeURIComponent(secret)],
		['in JSON', inJson(secret)],
		['in JSON in JSON', inJson(inJson(secret))],
		['hex', Buffer.from(secret).toString('hex')],
	]);
	// Three bytes make four characters, so what a text looks like depends on where it begins.
	for (const before of [0, 1, 2]) {
		const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
		const [first, last] = [before === 0 ? 0 : 4, Math.floor(bytes.length / 3) * 4];
		forms.set(`base64 ${before}`, bytes.toString('base64').slice(first, last));
		forms.set(`base64url ${before}`, bytes.toString('base64url').slice(first, last));
	}
	return forms;
}

export interface Finding {
	secret: string;
	form: string;
	place: string;
}

export class SecretScan {
	readonly findings: Finding[] = [];
	/** Bytes looked through, by kind of place. */
	readonly bytes = new Map<string, number>();
	readonly #needles: Array<{ secret: string; form: string; needle: Buffer }>;

	/** @param secrets by the names they are reported by */
	constructor(secrets: Record<string, string>) {
		this.#needles = Object.entries(secrets).flatMap(([secret, text]) =>
			[...formsOf(text)].map(([form, needle]) => ({ secret, form, needle: Buffer.from(needle) })),
		);
	}

	/** @param kind of place, such as `database file`; @param name which one */
	look(kind: string, name: string, content: string | Uint8Array): void {
		const bytes = Buffer.from(content as string);
		this.bytes.set(kind, (this.bytes.get(kind) ?? 0) + bytes.length);
		for (const { secret, form, needle } of this.#needles) {
			if (bytes.includes(needle)) this.findings.push({ secret, form, place: `${kind}: ${name}` });
		}
	}

	/** Every file below the folder. @param kindOf the kind of place by the file's path; undefined leaves it out */
	async lookAtFiles(folder: string, kindOf: (path: string) => string | undefined): Promise<void> {
		const entries = await readdir(folder, { withFileTypes: true, recursive: true });
		for (const entry of entries) {
			const path = join(entry.parentPath, entry.name);
			const kind = entry.isFile() ? kindOf(path) : undefined;
			if (kind !== undefined) this.look(kind, path.slice(folder.length + 1), await readFile(path));
		}
	}

	/** Every row of every table, as it stands there and with the data of executions unpacked. */
	lookAtDatabase(file: string): void {
		const { parse } = createRequire(join(hostDir, 'package.json'))('flatted') as {
			parse(text: string): unknown;
		};
		const database = new DatabaseSync(file, { readOnly: true });
		try {
			const tables = database
				.prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
				.all() as Array<{ name: string }>;
			for (const { name } of tables) {
				for (const row of database.prepare(`SELECT * FROM "${name}"`).iterate()) {
					for (const [column, value] of Object.entries(row)) {
						if (typeof value !== 'string' && !(value instanceof Uint8Array)) continue;
						this.look('database rows', `${name}.${column}`, value);
						if (typeof value !== 'string' || !value.startsWith('[')) continue;
						this.look('database rows, unpacked', `${name}.${column}`, unpacked(parse, value));
					}
				}
			}
		} finally {
			database.close();
		}
	}

	/** The places, of those looked at, in which a secret was found. */
	placesOf(secret: string): string[] {
		const found = this.findings.filter((finding) => finding.secret === secret);
		return [...new Set(found.map(({ place }) => place))];
	}
}

/** All texts in flattened JSON, one a line; nothing when it is none. */
function unpacked(parse: (text: string) => unknown, text: string): string {
	const texts: string[] = [];
	const seen = new Set<unknown>();
	const walk = (value: unknown): void => {
		if (typeof value === 'string') texts.push(value);
		if (typeof value !== 'object' || value === null || seen.has(value)) return;
		seen.add(value);
		for (const [name, field] of Object.entries(value)) {
			texts.push(name);
			walk(field);
		}
	};
	try {
		walk(parse(text));
	} catch {
		return '';
	}
	return texts.join('\n');
}
