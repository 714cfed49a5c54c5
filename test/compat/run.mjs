// Installs the engine of the oldest supported n8n line (this folder's lock file) and runs the engine suite in it,
// with the package as it was built into dist.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const project = fileURLToPath(new URL('../..', import.meta.url));
const host = `${project}.run/compat/`;
const lock = 'package-lock.json';
const installed = `${host}node_modules/.${lock}`;
const run = (command, args, cwd) => execFileSync(command, args, { cwd, stdio: 'inherit' });

const isCurrent =
	existsSync(installed) && readFileSync(host + lock, 'utf8') === readFileSync(here + lock, 'utf8');
if (!isCurrent) {
	mkdirSync(host, { recursive: true });
	for (const file of ['package.json', lock]) copyFileSync(here + file, host + file);
	writeFileSync(`${host}.npmrc`, 'ignore-scripts=true\nlegacy-peer-deps=true\n');
	run('npm', ['ci'], host);
}
run('npm', ['run', 'build'], project);
// The old engine keeps sockets open.
run('npx', ['jest', '-c', 'test/compat/jest.config.js', '--forceExit'], project);
