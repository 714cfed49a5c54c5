import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

import type { NodeApiError } from 'n8n-workflow';

import type { ServiceRequest } from '../../../nodes/shared/client';
import { Client } from '../../../nodes/shared/client';
import { executeContext, loadOptionsContext } from '../../engine/contexts.mts';
import { resetSleeps, sleeps } from './fakeSleep.mts';
import type { ScriptedServer, Step } from './server.mts';
import { startServer } from './server.mts';

/** Timeouts and cancellation: connections have to end for real, so these wait for some tenths of a second. */

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('./fakeSleep.mts')>('./fakeSleep.mts').mockedWorkflow(),
);

let server: ScriptedServer;
let responses: ServerResponse[];
beforeEach(async () => {
	server = await startServer();
	responses = [];
	resetSleeps();
});
afterEach(async () => await server.close());

const READ: ServiceRequest = { method: 'GET', path: ['audit-log'] };
const CHANGE: ServiceRequest = { method: 'POST', path: ['scim', 'Users'], body: { a: 1 } };

const credential = () => ({ apiKey: 'secret-key-1', baseUrl: server.url });
const settled = async (work: Promise<unknown>) =>
	await work.then(
		() => undefined,
		(error: NodeApiError) => error,
	);

const hang: Step = (_, response) => void responses.push(response);
/** A space every 20 ms, for ever: each one would start the HTTP library's timeout anew. */
const trickle: Step = (_, response) => {
	responses.push(response);
	response.writeHead(200, { 'content-type': 'application/json' });
	const timer = setInterval(() => response.write(' '), 20);
	response.on('close', () => clearInterval(timer));
};

describe.each([
	['an execution', () => executeContext(credential())],
	['the editor', () => loadOptionsContext(credential())],
])('timeout in %s', (_, context) => {
	test.each([
		['no answer', hang],
		['a body that trickles', trickle],
	])('%s: a read is sent again, then told', async (_, step) => {
		server.script = [step];
		const client = await Client.create(context(), 100);
		const error = await settled(client.request(READ));
		expect(error?.message).toBe('The service did not answer in time');
		expect(error?.description).toBe(
			"Raise 'Timeout' under Options, or try again later. (ETIMEDOUT)",
		);
		expect(error?.failure).toEqual({ cause: 'temporarily-unavailable' });
		// Five attempts; counted here since a busy machine may end one before it arrives.
		expect(sleeps).toHaveLength(4);
		// Nothing goes on in the background.
		await Promise.all(responses.map(async (r) => r.destroyed || (await once(r, 'close'))));
	});

	test.each([
		['no answer', hang],
		['a body that trickles', trickle],
	])('%s: a change is not sent again', async (_, step) => {
		server.script = [step];
		const client = await Client.create(context(), 100);
		const error = await settled(client.request(CHANGE));
		expect(error?.message).toBe('The service did not answer in time');
		expect(error?.description).toContain('The change may have been carried out all the same');
		expect(sleeps).toEqual([]);
	});
});

test('a slow answer within the timeout is fine', async () => {
	server.script = [(_, response) => void setTimeout(() => response.end('{"a":1}'), 100)];
	const client = await Client.create(executeContext(credential()), 2000);
	await expect(client.request(READ)).resolves.toEqual({ a: 1 });
});

describe('cancelling the execution', () => {
	test.each([
		['that waits for an answer', hang],
		['that reads a body', trickle],
	])('ends a request %s', async (_, step) => {
		const controller = new AbortController();
		server.script = [
			(request, response) => {
				(step as (...all: unknown[]) => void)(request, response);
				setTimeout(() => controller.abort(new Error('cancelled by the user')), 50);
			},
		];
		const client = await Client.create(executeContext(credential(), controller.signal));
		const error = await settled(client.request(READ));
		expect(error?.message).toBe('cancelled by the user');
		expect(server.received).toHaveLength(1);
		await Promise.all(responses.map(async (r) => r.destroyed || (await once(r, 'close'))));
	});

	test.each([429, 503])('ends the wait after %i', async (status) => {
		const controller = new AbortController();
		resetSleeps(() => controller.abort(new Error('cancelled by the user')));
		server.script = [{ status, body: {} }];
		const client = await Client.create(executeContext(credential(), controller.signal));
		const error = await settled(client.request(READ));
		expect(error?.message).toBe('cancelled by the user');
		expect(sleeps).toHaveLength(1);
		expect(server.received).toHaveLength(1);
	});

	test('before a request: it is not sent', async () => {
		const signal = AbortSignal.abort(new Error('cancelled by the user'));
		const client = await Client.create(executeContext(credential(), signal));
		const error = await settled(client.request(CHANGE));
		expect(error?.message).toBe('cancelled by the user');
		expect(server.received).toEqual([]);
	});
});
