import { isDeepStrictEqual } from 'node:util';
import { StepError } from './child.mts';
import { EXAMPLE_FILE, EXAMPLE_TRIGGER, readRun, type ExampleRun } from './example.mts';
import type { Execution } from './n8nApi.mts';
import { seconds, table, type Progress } from './screen.mts';
import { CREDENTIAL_TYPE, oneEnds, startStack, type Stack } from './stack.mts';
import { readWorkflow, withCredential } from './workflows.mts';

export interface CheckOptions {
	/** For everything that is written; the caller removes it. */
	folder: string;
	tarball: string;
	progress: Progress;
}

/** What was expected, and whether it was so. */
type Finding = [what: string, ok: boolean, seen: string];

/**
 * Runs the example workflow in real n8n against the sandbox, prints what it did, and compares it with the sandbox's own
 * record; returns the exit code.
 */
export async function check({ folder, tarball, progress }: CheckOptions): Promise<number> {
	const started = Date.now();
	progress.update('Starting n8n and the sandbox');
	const stack = await startStack({ userFolder: folder, tarball, logDir: folder, live: false });
	progress.done(`n8n and the sandbox started in ${seconds(Date.now() - started)}`);
	return await Promise.race([runAndVerify(stack, progress), oneEnds(stack)]);
}

async function runAndVerify(stack: Stack, progress: Progress): Promise<number> {
	const { host, sandbox } = stack;
	const hostFindings = await checkHost(stack);
	const before = await sandbox.admin.dump();
	await sandbox.admin.clearRequests();

	const workflow = withCredential(await readWorkflow(EXAMPLE_FILE), stack.credential);
	const { id } = await host.api.createWorkflow(workflow);
	const startedRun = Date.now();
	const execution = await host.api.waitForExecution(await host.api.run(id, EXAMPLE_TRIGGER));
	progress.done(`“${workflow.name}” ran in ${seconds(Date.now() - startedRun)}`);
	if (execution.status !== 'success') throw new StepError(failure(execution));

	const run = readRun(execution);
	console.log(`\n${story(run)}\n`);
	const findings = [...hostFindings, ...(await compare(stack, before, run))];
	console.log(
		table(
			['Check', '', 'Seen'],
			findings.map(([what, ok, seen]) => [what, ok ? 'ok' : 'FAILED', seen]),
		),
	);
	const failed = findings.filter(([, ok]) => !ok).length;
	console.log(`\n${failed === 0 ? 'All checks passed.' : `${failed} checks failed.`}`);
	return failed === 0 ? 0 : 1;
}

function failure({ status, resultData: { error, lastNodeExecuted } }: Execution): string {
	const details = [error?.message, error?.description].filter(Boolean).join('\n');
	return `The workflow ended with status ${status} at “${lastNodeExecuted}”:\n${details}`;
}

/** What the workflow did, in its own data. */
function story({ members, suspended, results }: ExampleRun): string {
	const active = members.filter((member) => member.active).length;
	return table(
		['Step', 'Result'],
		[
			['Members read', `${members.length}, of which ${active} active`],
			...suspended.map(({ userName, active: now, id }) => [
				'Suspended',
				`${userName} (${id}), active: ${now}`,
			]),
			...results.map(({ action, date, actor, entryId }) => [
				'Audit log entry',
				`${action} at ${date} by ${actor} (${entryId})`,
			]),
		],
	);
}

async function checkHost({ host, installed, credential }: Stack): Promise<Finding[]> {
	const listed = (await host.api.communityPackages()).find(
		({ packageName }) => packageName === installed.name,
	);
	const test = await host.api.testCredential(credential.id, CREDENTIAL_TYPE, credential.name);
	return [
		[
			'n8n lists the package as installed and loaded',
			listed?.installedVersion === installed.version && listed.failedLoading !== true,
			`${listed?.packageName} ${listed?.installedVersion}`,
		],
		["The credential's own test", test.status === 'OK', test.message],
	];
}

type Dump = Awaited<ReturnType<Stack['sandbox']['admin']['dump']>>;

/** The run against the sandbox's own record. */
async function compare({ sandbox }: Stack, before: Dump, run: ExampleRun): Promise<Finding[]> {
	const after = await sandbox.admin.dump();
	const requests = await sandbox.admin.requests();
	const [suspended] = run.suspended;
	const [result] = run.results;
	const was = before.users.find(({ id }) => id === suspended?.id);
	const is = after.users.find(({ id }) => id === suspended?.id);
	const others = (dump: Dump) => dump.users.filter(({ id }) => id !== suspended?.id);
	const entry = after.log.entries.find(({ id }) => id === result?.entryId);
	const affected = entry?.affected as { id?: string; type?: string } | undefined;
	const wrong = requests.filter(({ status, keyMatched, keyLeaked }) => {
		return status !== 200 || !keyMatched || keyLeaked;
	});
	const changes = requests.filter(({ method }) => method !== 'GET');
	const ids = (users: Array<{ id: string }>) => users.map(({ id }) => id).sort();
	return [
		[
			'Every member was read',
			isDeepStrictEqual(ids(run.members), ids(before.users)),
			`${run.members.length} of ${before.users.length}`,
		],
		[
			'One member was suspended, who was active',
			run.suspended.length === 1 && was?.active === true && is?.active === false,
			was ? `${was.userName}: active ${was.active} → ${is?.active}` : 'nobody was suspended',
		],
		[
			'No other member changed',
			isDeepStrictEqual(others(before), others(after)),
			`${others(after).length} as before`,
		],
		[
			'The audit log grew by the entry the workflow read',
			after.log.total === before.log.total + 1 &&
				run.results.length === 1 &&
				!before.log.entries.some(({ id }) => id === result?.entryId) &&
				entry?.action === result?.action &&
				affected?.id === suspended?.id,
			entry ? `${entry.action} of ${affected?.type} ${affected?.id}` : 'no entry was read',
		],
		[
			'The service was asked to change one thing',
			changes.length === 1 && changes[0].path.endsWith(`/Users/${suspended?.id}`),
			changes.map(({ method, path }) => `${method} ${path}`).join(', '),
		],
		[
			'Every request had the key, in its place, and was answered 200',
			requests.length > 0 && wrong.length === 0,
			`${requests.length} requests`,
		],
	];
}
