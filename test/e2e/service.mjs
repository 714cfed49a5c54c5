// Runs one program that is no Node script so that `NodeProcess` can look after it: node service.mjs USER COMMAND ARG …
// USER is the system user to run it as, or `-` for this one.
import { execFileSync, spawn } from 'node:child_process';

const [user, command, ...args] = process.argv.slice(2);
const id = (flag) => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
const as = user === '-' ? {} : { uid: id('-u'), gid: id('-g') };
const child = spawn(command, args, { ...as, stdio: ['ignore', 'inherit', 'inherit'] });

// PostgreSQL waits for its clients on SIGTERM and ends at once on SIGINT; Redis takes both alike.
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill('SIGINT'));
child.once('error', (error) => {
	console.error(`${command}: ${error.message}`);
	process.exitCode = 127;
});
child.once('exit', (code) => {
	process.exitCode = code ?? 1;
});
