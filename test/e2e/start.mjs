// Entry of `npm start` and `npm run test:e2e`: start.mjs SCRIPT ARGUMENTS. The command's shell may have looked `node`
// up before Node 24 was installed (test/node24.mjs), so this runs on Node 20 or newer and hands over to Node 24.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

if (Number(process.versions.node.split('.')[0]) >= 24) {
	const [script, ...args] = process.argv.slice(2);
	const { main } = await import(`./${script}`);
	process.exitCode = await main(args);
} else {
	const node24 = fileURLToPath(new URL('../../node_modules/node/bin/node', import.meta.url));
	const child = spawn(node24, process.argv.slice(1), { stdio: 'inherit' });
	// Ctrl-C reaches the child by itself. Should this process end otherwise, the child notices.
	process.on('SIGINT', () => {});
	process.on('SIGTERM', () => child.kill('SIGTERM'));
	child.on('exit', (code) => process.exit(code ?? 1));
}
