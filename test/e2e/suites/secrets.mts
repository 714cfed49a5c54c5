import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { logDir } from '../paths.mts';
import { freePorts } from '../ports.mts';
import type { Fault, LoggedRequest } from '../../sandbox/index.mts';
import type { CredentialName } from '../secrets/failures.mts';
import { CREDENTIALS, failures, ODD_KEY } from '../secrets/failures.mts';
import { startOtherHost } from '../secrets/otherHost.mts';
import { exported, lookAtDatabaseFiles, lookAtWritten } from '../secrets/written.mts';
import {
	errorWorkflow,
	failingWorkflow,
	httpWorkflow,
	MANUAL,
	pollingWorkflow,
	STOPPING,
	tellingWorkflow,
} from '../secrets/workflows.mts';
import { SecretScan } from '../secretScan.mts';
import { CREDENTIAL_TYPE } from '../stack.mts';
import { suiteStack } from '../suite.mts';
import type { CredentialRef } from '../workflows.mts';

/**
 * Everything fails that can, with n8n logging all it has to say; then every byte that n8n keeps, logs, answers or
 * exports is looked through for the keys. A text that is no secret is handed to n8n as well: where it is not found, the
 * search would not find a key either.
 */

const stack = await suiteStack('secrets', {
	N8N_LOG_LEVEL: 'debug',
	N8N_LOG_OUTPUT: 'console,file',
	N8N_LOG_FILE_LOCATION: 'n8n-debug.log',
	N8N_PUBLIC_API_DISABLED: 'false',
	N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
	EXECUTIONS_DATA_SAVE_ON_PROGRESS: 'true',
});
const { host, sandbox, userFolder } = stack;
const { api } = host;
const { admin } = sandbox;
const other = await startOtherHost();
const [closedPort] = await freePorts(1);

const random = () => randomBytes(24).toString('hex');
const keys = {
	good: sandbox.key,
	odd: ODD_KEY,
	wrong: `wrong-${random()}`,
	unscoped: `unscoped-${random()}`,
	spaced: `spaced-${random()}`,
};
await admin.createKey({ key: keys.odd });
await admin.createKey({ key: keys.unscoped, scopes: ['audit'] });
const told = `told-${random()}`;
const scan = new SecretScan({ ...keys, told });

const errorRuns = async () => await api.allExecutions(errorWorkflowId);

async function eventually(what: string, isSo: () => Promise<boolean>): Promise<void> {
	for (let left = 600; !(await isSo()); left--) {
		assert.ok(left > 0, `Not in time: ${what}`);
		await sleep(200);
	}
}

/** Looks through what n8n answers, well or not. */
async function ask(path: string, body?: unknown): Promise<string> {
	const method = body === undefined ? 'GET' : 'POST';
	const answer = await api.text(method, path, body).catch((error: Error) => error.message);
	scan.look('answers of the editor’s API', path, answer);
	return answer;
}

/** Starts a workflow in production. n8n activates it some moments after it has said so. */
async function callWebhook(path: string): Promise<void> {
	let text = '';
	await eventually(`a webhook for ${path}`, async () => {
		const answer = await fetch(`${host.url}/webhook/${path}`);
		text = await answer.text();
		return answer.status !== 404;
	});
	scan.look('answers of webhooks', path, text);
}

const data: Record<CredentialName, { apiKey: string; baseUrl: string }> = {
	good: { apiKey: keys.good, baseUrl: sandbox.url },
	odd: { apiKey: keys.odd, baseUrl: sandbox.url },
	wrong: { apiKey: keys.wrong, baseUrl: sandbox.url },
	unscoped: { apiKey: keys.unscoped, baseUrl: sandbox.url },
	spaced: { apiKey: `${keys.spaced} ${keys.spaced}`, baseUrl: sandbox.url },
	refused: { apiKey: keys.odd, baseUrl: `http://127.0.0.1:${closedPort}` },
	tls: { apiKey: keys.odd, baseUrl: sandbox.url.replace('http:', 'https:') },
	elsewhere: { apiKey: keys.odd, baseUrl: other.url },
};
const credentials = {} as Record<CredentialName, CredentialRef>;
for (const name of CREDENTIALS) {
	const id = await api.saveCredential(CREDENTIAL_TYPE, name, data[name]);
	credentials[name] = { id, name, type: CREDENTIAL_TYPE };
}
await api.saveCredential(CREDENTIAL_TYPE, `named ${told}`, data.good);

const { id: errorWorkflowId } = await api.createWorkflow(errorWorkflow());
await api.activate(errorWorkflowId);

test('every way to fail, by hand and in production, in each of On Error’s settings', async () => {
	const cases = failures(other.url);
	for (const { name, fault } of cases) {
		if (fault) await admin.fault({ ...fault, path: `^/scim/Users/${name}$`, count: null });
	}
	const runs = cases.map(async ({ name, credential, message }) => {
		const workflow = failingWorkflow(name, credentials[credential], errorWorkflowId);
		const { id } = await api.createWorkflow(workflow);
		await api.activate(id);
		const [manual] = await Promise.all([api.run(id, MANUAL), callWebhook(name)]);
		const [production] = (await api.executions(id)).filter(({ mode }) => mode === 'webhook');
		for (const executionId of [manual, production.id]) {
			const { status, resultData } = await api.waitForExecution(executionId);
			assert.equal(status, 'error', name);
			const { error, runData } = resultData;
			assert.match(error?.message ?? '', message, name);
			assert.equal(error?.node?.name, STOPPING, name);
			// Both others have failed before it, each in its way.
			assert.equal(runData['Goes on'][0].data?.main?.[0]?.length, 1, name);
			assert.ok(runData['Goes on'][0].data?.main?.[0]?.[0].json.error, name);
			assert.equal(runData['Puts errors apart'][0].data?.main?.[1]?.length, 1, name);
		}
	});
	const failed = (await Promise.allSettled(runs)).filter(({ status }) => status === 'rejected');
	assert.deepEqual(failed, []);
	const all = async () => (await errorRuns()).length >= cases.length;
	await eventually('the error workflow has run for each', all);
});

test('n8n’s HTTP Request node with the credential', async () => {
	const { origin } = new URL(sandbox.url);
	const at = (name: string) => `${sandbox.url}/scim/Users/${name}`;
	const arm = async (name: string, fault: Fault) =>
		await admin.fault({ ...fault, path: `^/scim/Users/${name}$`, count: null });
	await arm('http-500', { kind: 'status', status: 500 });
	await arm('http-redirect', { kind: 'redirect', location: other.url });
	await arm('http-reset', { kind: 'reset' });
	const cases: Array<[string, string, RegExp]> = [
		[
			'http-elsewhere',
			`${other.url}/enterprise/v1/audit-log`,
			new RegExp(`only sent to ${origin}`),
		],
		['http-redirect', at('http-redirect'), /127\.0\.0\.2|domain/],
		['http-404', at('http-404'), /not be found|404/],
		['http-500', at('http-500'), /not able to process/],
		['http-reset', at('http-reset'), /connection|reset|aborted/i],
		['http-refused', `http://127.0.0.1:${closedPort}/`, new RegExp(`only sent to ${origin}`)],
	];
	for (const [name, url, message] of cases) {
		const workflow = httpWorkflow(name, url, credentials.odd, errorWorkflowId);
		const { id } = await api.createWorkflow(workflow);
		await api.activate(id);
		await callWebhook(name);
		const { status, resultData } = await api.waitForExecution(await api.run(id, MANUAL));
		assert.equal(status, 'error', name);
		assert.match(resultData.error?.message ?? '', message, name);
	}
});

test('the trigger fails to start, and in polls', async () => {
	const polling = async (name: string, credential: CredentialName) =>
		(await api.createWorkflow(pollingWorkflow(name, credentials[credential], errorWorkflowId))).id;
	const reasons: Array<[CredentialName, RegExp]> = [
		['wrong', /did not accept the API key/],
		['spaced', /API Key holds a space/],
		['refused', /connection was refused/],
		['tls', /No secure connection/],
	];
	const starts = reasons.map(async ([name, reason]) => {
		const id = await polling(`Never starts: ${name}`, name);
		await api.activate(id);
		const answer = async () => await ask(`/rest/workflows/${id}/publication-status`);
		await eventually(`why ${name} fails`, async () => reason.test(await answer()));
		await api.deactivate(id);
	});
	const failed = (await Promise.allSettled(starts)).filter(({ status }) => status === 'rejected');
	assert.deepEqual(failed, []);
	const id = await polling('Polls in vain', 'odd');
	await api.activate(id);
	const before = (await errorRuns()).length;
	const polls = async (isFit: (request: LoggedRequest) => boolean) =>
		(await admin.requests()).filter((each) => each.path === '/audit-log' && isFit(each)).length;
	await eventually('n8n polls', async () => (await polls(({ status }) => status === 200)) > 1);
	// n8n waits longer and longer, longest after what does not pass by itself.
	for (const [status, requests] of [
		[500, 6],
		[400, 1],
	]) {
		const fault = await admin.fault({ kind: 'echo', status, path: '^/audit-log', count: null });
		const enough = (each: LoggedRequest) => each.status === status;
		await eventually(`polls get ${status}`, async () => (await polls(enough)) >= requests);
		await admin.clearFaults(fault);
	}
	await eventually('the error workflow runs', async () => (await errorRuns()).length > before);
	await api.deactivate(id);
});

test('lists and credential tests of the editor fail', async () => {
	const parameters = { resource: 'user', operation: 'get' };
	for (const name of CREDENTIALS) {
		const { id } = credentials[name];
		const nodeTypeAndVersion = {
			name: 'n8n-nodes-mural-enterprise.muralEnterprise',
			version: 1,
		};
		const list = {
			path: 'parameters.userId',
			nodeTypeAndVersion,
			methodName: 'searchUsers',
			currentNodeParameters: parameters,
			credentials: { [CREDENTIAL_TYPE]: { id, name } },
		};
		const kinds = name === 'odd' ? (['echo', 'redirect'] as const) : (['none'] as const);
		for (const kind of kinds) {
			const location = `${other.url}/login?key=${encodeURIComponent(ODD_KEY)}&to=`;
			if (kind === 'echo') await admin.fault({ kind, status: 400, path: '^/scim', count: null });
			if (kind === 'redirect') await admin.fault({ kind, location, path: '^/scim', count: null });
			const answer = await ask('/rest/dynamic-node-parameters/resource-locator-results', list);
			if (name !== 'good') assert.match(answer, /n8n answered|"error"|message/, name);
			const credential = { id, type: CREDENTIAL_TYPE, name, data: data[name] };
			const tested = await ask('/rest/credentials/test', { credentials: credential });
			assert.match(tested, name === 'good' ? /"OK"/ : /"Error"/, name);
			await admin.clearFaults();
		}
	}
});

test('what is no secret is told everywhere', async () => {
	const { id } = await api.createWorkflow(tellingWorkflow(told, errorWorkflowId));
	await api.activate(id);
	await callWebhook('telling');
	const { status } = await api.waitForExecution(await api.run(id, MANUAL));
	assert.equal(status, 'error');
});

test('n8n’s interfaces are read to the end', async () => {
	const workflows = await api.request<Array<{ id: string }>>('GET', '/rest/workflows');
	let executions = 0;
	for (const workflow of workflows) {
		await ask(`/rest/workflows/${workflow.id}`);
		for (const { id } of await api.allExecutions(workflow.id)) {
			executions++;
			await ask(`/rest/executions/${id}`);
		}
	}
	assert.ok(executions >= 3 * failures('').length, `${executions} executions`);
	for (const { id } of await api.credentials())
		await ask(`/rest/credentials/${id}?includeData=true`);
	const scopes = ['execution:list', 'execution:read', 'workflow:list', 'workflow:read'];
	const label = 'scan';
	const { rawApiKey } = await api.request<{ rawApiKey: string }>('POST', '/rest/api-keys', {
		label,
		scopes,
		expiresAt: null,
	});
	for (const path of ['executions?includeData=true&limit=250', 'workflows?limit=250']) {
		const answer = await fetch(`${host.url}/api/v1/${path}`, {
			headers: { 'x-n8n-api-key': rawApiKey },
		});
		assert.equal(answer.status, 200, path);
		scan.look('answers of the public API', path, await answer.text());
	}
});

test('n8n ends; what it has written and what it exports is looked through', async () => {
	await lookAtDatabaseFiles(scan, userFolder);
	await host.process.stop();
	await lookAtWritten(scan, userFolder);
	scan.look('log files', 'output', await readFile(host.process.logFile));
	for (const what of ['workflow', 'credentials'] as const) {
		scan.look('exports', what, await exported(what, userFolder, join(logDir, 'secrets')));
	}
});

test('no key is found anywhere', () => {
	const found = scan.findings.filter(({ secret }) => secret !== 'told');
	assert.deepEqual(found, []);
});

test('what is no secret is found in every kind of place', () => {
	const kinds = new Set(scan.placesOf('told').map((place) => place.split(': ')[0]));
	for (const kind of scan.bytes.keys()) {
		if (kind !== 'other files') assert.ok(kinds.has(kind), `not in ${kind}`);
	}
	for (const [kind, bytes] of scan.bytes) console.log(`  ${kind}: ${bytes} bytes`);
});

test('no key has gone anywhere but to the service, in its header', async () => {
	const requests = await admin.requests();
	assert.ok(requests.some(({ fault }) => fault === 'redirect'));
	assert.deepEqual(
		requests.filter(({ keyLeaked }) => keyLeaked),
		[],
	);
	assert.deepEqual(other.received, []);
});
