// The sandbox by itself: node test/sandbox/main.mts --help
import { parseArgs } from 'node:util';
import { startSandbox } from './index.mts';

const HELP = `Options
  --port N          port on 127.0.0.1 (default: any free one)
  --key K           API key with every scope (default: sandbox-key)
  --seed N          which company (default 1)
  --users N --groups N --workspaces N --entries N   its size
  --live            people keep working
  --rate N          their entries per minute (default 20)
  --state FILE      keep the state in FILE over restarts
  --frozen          start with a frozen clock`;

const { values } = parseArgs({
	options: {
		port: { type: 'string' },
		key: { type: 'string' },
		seed: { type: 'string' },
		users: { type: 'string' },
		groups: { type: 'string' },
		workspaces: { type: 'string' },
		entries: { type: 'string' },
		live: { type: 'boolean' },
		rate: { type: 'string' },
		state: { type: 'string' },
		frozen: { type: 'boolean' },
		help: { type: 'boolean' },
	},
});

if (values.help) {
	console.log(HELP);
	process.exit(0);
}

function integer(name: keyof typeof values): number | undefined {
	const text = values[name];
	if (text === undefined) return undefined;
	if (!/^\d+$/.test(String(text))) {
		console.error(`--${name} needs a whole number`);
		process.exit(2);
	}
	return Number(text);
}

const sizes = Object.fromEntries(
	(['users', 'groups', 'workspaces', 'entries'] as const)
		.map((name) => [name, integer(name)] as const)
		.filter(([, size]) => size !== undefined),
);

const sandbox = await startSandbox({
	port: integer('port'),
	key: values.key,
	seed: integer('seed'),
	sizes,
	frozen: values.frozen,
	stateFile: values.state,
	live: values.live || values.rate !== undefined ? { perMinute: integer('rate') ?? 20 } : undefined,
}).catch((error: Error) => {
	console.error(`The sandbox could not start: ${error.message}`);
	process.exit(1);
});

const { url, adminUrl } = sandbox;
console.log(JSON.stringify({ url, adminUrl, page: `${adminUrl}/` }));

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
	process.once(signal, () => {
		void sandbox.close().then(() => process.exit(0));
	});
}
