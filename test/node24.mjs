// test/node24.mjs [SCRIPT ARGUMENTS]. Runs on whatever Node the machine has (20 or newer). The package `node` brings
// Node 24, which n8n needs; its install script is the only one this project runs (.npmrc switches the others off).
// A script named here runs on Node 24, also when this command's shell had looked `node` up before it was there.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const node24 = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));
if (!existsSync(node24)) {
	execFileSync('npm', ['rebuild', '--ignore-scripts=false', 'node'], { stdio: 'inherit' });
}
if (!existsSync(node24)) {
	console.error('Node 24 could not be installed from the npm package "node".');
	process.exit(1);
}
if (process.argv.length > 2) {
	const child = spawn(node24, process.argv.slice(2), { stdio: 'inherit' });
	// Ctrl-C reaches the child by itself.
	process.on('SIGINT', () => {});
	process.on('SIGTERM', () => child.kill('SIGTERM'));
	child.on('exit', (code) => process.exit(code ?? 1));
}
