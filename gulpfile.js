const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { readdir, rm } = require('node:fs/promises');
const path = require('node:path');
const { build } = require('esbuild');
const { optimize } = require('svgo');

const pkg = require('./package.json');

// What `n8n-node build` leaves out: it compiles, and copies every picture it finds.

const THEMES = {
	'': {
		line: '#3b3f5c',
		note1: '#ffb020',
		note2: '#29b6a8',
		note3: '#f2617a',
		shield: '#4f5bd5',
		gap: '#ffffff',
		tick: '#ffffff',
	},
	'.dark': {
		line: '#c9cdea',
		note1: '#ffc450',
		note2: '#4ed1c3',
		note3: '#ff8499',
		shield: '#8a94ff',
		gap: '#2b2d42',
		tick: '#1c1e33',
	},
};

/** One source drawing to an optimised icon per theme. */
async function icons() {
	const source = readFileSync('icons/source/muralEnterprise.svg', 'utf8');
	for (const [suffix, colours] of Object.entries(THEMES)) {
		const themed = source.replace(/\{\{(\w+)\}\}/g, (placeholder, name) => {
			if (!(name in colours))
				throw new Error(`The icon's source uses ${placeholder}, which no theme defines`);
			return colours[name];
		});
		const { data } = optimize(themed, { multipass: true });
		writeFileSync(`icons/muralEnterprise${suffix}.svg`, `${data}\n`);
	}
}

const SHIPPED = new Set(['credentials', 'icons', 'nodes', 'package.json']);

/** Takes out of dist what is not part of the package: pictures of docs, the icon's source. */
async function prune() {
	for (const entry of await readdir('dist')) {
		if (!SHIPPED.has(entry)) await rm(path.join('dist', entry), { recursive: true });
	}
	await rm('dist/icons/source', { recursive: true, force: true });
}

const CODE = 'dist/code.js';

/**
 * One module in place of the eighty that tsc wrote: n8n loads it several times as fast at its start. What package.json
 * names stays, as a line that points there, so that both nodes share the pacing of a credential.
 */
async function bundle() {
	const entries = [...pkg.n8n.credentials, ...pkg.n8n.nodes];
	const sources = entries.map((file) => file.replace(/^dist\/(.+)\.js$/, './$1.ts'));
	await build({
		stdin: {
			contents: sources.map((file) => `export * from '${file}';`).join('\n'),
			resolveDir: __dirname,
		},
		outfile: CODE,
		bundle: true,
		platform: 'node',
		target: 'node20',
		packages: 'external',
		logLevel: 'warning',
	});
	for (const file of await readdir('dist', { recursive: true })) {
		const compiled = path.join('dist', file);
		if (compiled.endsWith('.js') && compiled !== CODE) await rm(compiled);
	}
	for (const file of entries) {
		const [name] = path.basename(file).split('.');
		const code = path.posix.relative(path.posix.dirname(file), CODE);
		writeFileSync(file, `exports.${name} = require('${code}').${name};\n`);
	}
}

/** Every file that package.json, the descriptions and the codex name exists in dist. */
async function verify() {
	const missing = [];
	const need = (file, by) => existsSync(file) || missing.push(`${file} (named by ${by})`);
	for (const file of [...pkg.n8n.nodes, ...pkg.n8n.credentials]) {
		need(file, 'package.json');
		const [Type] = Object.values(require(path.resolve(file)));
		const type = new Type();
		const { icon } = type.description ?? type;
		for (const variant of Object.values(icon)) {
			need(path.join(path.dirname(file), variant.replace(/^file:/, '')), file);
		}
		if (type.description) {
			const codex = file.replace(/\.js$/, '.json');
			need(codex, file);
			const named = existsSync(codex) && JSON.parse(readFileSync(codex, 'utf8')).node;
			const expected = `${pkg.name}.${type.description.name}`;
			if (named !== expected)
				missing.push(`${codex} names the node '${named}' instead of '${expected}'`);
		}
	}
	if (missing.length > 0) throw new Error(`dist is not complete:\n  ${missing.join('\n  ')}`);
}

async function series(...tasks) {
	for (const task of tasks) await task();
}

exports.icons = icons;
exports.dist = async () => await series(prune, bundle, verify);
exports.default = exports.dist;
