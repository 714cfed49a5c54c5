import fc from 'fast-check';
import type { IDataObject, INode } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { Client, ServiceRequest } from '../../../nodes/shared/client';
import { serviceError } from '../../../nodes/shared/errors';
import type { TransferJob } from '../../../nodes/shared/transfer';
import {
	getTransfer,
	hasEnded,
	pollDelay,
	startTransfer,
	transferFailed,
	waitForTransfer,
} from '../../../nodes/shared/transfer';

const MINUTE = 60_000;
const node = { name: 'Mural Enterprise', type: 'test', parameters: {} } as unknown as INode;
const passing = () => serviceError(node, { status: 503 }, { mayHaveBeenApplied: false });
const refused = () =>
	serviceError(node, { status: 403, code: 'SCOPES' }, { mayHaveBeenApplied: false });

/** A client that answers from `answer` and keeps what it was asked, with the time. */
function fakeClient(answer: (reads: number) => unknown, signal?: AbortSignal) {
	const requests: Array<ServiceRequest & { at: number }> = [];
	const client = {
		node,
		signal,
		async request(request: ServiceRequest) {
			requests.push({ ...request, at: performance.now() });
			const result = answer(requests.length);
			if (result instanceof Error) throw result;
			return result;
		},
		unexpected: (_: unknown, what: string) => new Error(`unexpected: ${what}`),
	};
	return { client: client as unknown as Client, requests };
}

/** Settles `promise` on fake time; rejections come back as values. */
async function settle<T>(promise: Promise<T>, ms: number): Promise<T | Error | undefined> {
	let result: T | Error | undefined;
	void promise.then(
		(value) => (result = value),
		(error: Error) => (result = error),
	);
	await jest.advanceTimersByTimeAsync(ms);
	return result;
}

describe('pollDelay', () => {
	test('intervals grow from 1 s to 30 s', () => {
		const delays = Array.from({ length: 12 }, (_, reads) => pollDelay(reads, 0, 60 * MINUTE));
		const growing = [1000, 1500, 2250, 3375];
		expect(delays.slice(0, 4)).toEqual(growing);
		expect(delays.slice(9)).toEqual([30_000, 30_000, 30_000]);
		expect(pollDelay(1_000_000, 0, 60 * MINUTE)).toBe(30_000);
	});

	test('reads come at least every 30 s, the last one when the time is just up, and no more after it', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 200 * MINUTE }), fc.nat(5000), (timeout, readMs) => {
				let elapsed = 0;
				for (let reads = 0; ; reads++) {
					const delay = pollDelay(reads, elapsed, timeout);
					if (delay === undefined) break;
					expect(delay).toBeGreaterThan(0);
					expect(delay).toBeLessThanOrEqual(30_000);
					elapsed += delay;
					expect(elapsed).toBeLessThanOrEqual(timeout + 1e-6);
					if (elapsed >= timeout) continue;
					elapsed += readMs;
				}
				expect(elapsed).toBeGreaterThanOrEqual(timeout);
			}),
		);
	});
});

test('a job has ended when it is finished or failed; any other word means it goes on', () => {
	const job = (status: string): TransferJob => ({ jobId: 'j', status, finished: false });
	expect(
		['finished', 'failed', 'in-progress', 'queued', ''].filter((s) => hasEnded(job(s))),
	).toEqual(['finished', 'failed']);
});

test('Start sends both e-mails and gives the jobId', async () => {
	const { client, requests } = fakeClient(() => ({ jobId: 'j1' }));
	const transfer = { transferFromUser: 'a@x.io', transferToUser: 'b@x.io' };
	expect(await startTransfer(client, transfer, 3)).toBe('j1');
	expect(requests).toEqual([
		expect.objectContaining({
			method: 'POST',
			path: ['workspaces', 'contents', 'transfer'],
			body: transfer,
			lane: 'transfer',
			itemIndex: 3,
		}),
	]);
});

test.each([undefined, {}, { jobId: '' }, { jobId: null }, [], 'j1'])(
	'Start takes no answer without a jobId for a success: %j',
	async (body) => {
		const { client } = fakeClient(() => body);
		const transfer = { transferFromUser: 'a@x.io', transferToUser: 'b@x.io' };
		await expect(startTransfer(client, transfer)).rejects.toThrow('without a jobId');
	},
);

test('Get Status passes on what the service says', async () => {
	const failed = { status: 'failed', error: 'E', workspaceIds: ['w1'], since: 'then' };
	const { client, requests } = fakeClient(() => failed);
	expect(await getTransfer(client, 'a/b')).toEqual({ jobId: 'a/b', ...failed, finished: false });
	expect(requests[0]).toMatchObject({
		method: 'GET',
		path: ['workspaces', 'contents', 'transfer', 'a/b'],
		lane: 'transfer',
	});
	const { client: other } = fakeClient(() => ({ status: 'finished' }));
	expect(await getTransfer(other, 'j')).toEqual({ jobId: 'j', status: 'finished', finished: true });
	const { client: empty } = fakeClient(() => ({}));
	await expect(getTransfer(empty, 'j')).rejects.toThrow('without a status');
});

describe('waitForTransfer', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	test('reads until the job has ended, with growing intervals', async () => {
		const start = performance.now();
		const { client, requests } = fakeClient((reads) => ({
			status: reads < 4 ? 'in-progress' : 'finished',
		}));
		const job = await settle(waitForTransfer(client, 'j', MINUTE), MINUTE);
		expect(job).toEqual({ jobId: 'j', status: 'finished', finished: true });
		expect(requests.map(({ at }) => at - start)).toEqual([1000, 2500, 4750, 8125]);
	});

	test('a read that fails for a passing reason does not end the wait', async () => {
		const { client } = fakeClient((reads) => (reads < 3 ? passing() : { status: 'failed' }));
		const job = await settle(waitForTransfer(client, 'j', MINUTE), MINUTE);
		expect(job).toEqual({ jobId: 'j', status: 'failed', finished: false });
	});

	test('any other failure does, and carries the jobId and the last status', async () => {
		const { client } = fakeClient((reads) => (reads < 2 ? { status: 'in-progress' } : refused()));
		const error = (await settle(waitForTransfer(client, 'j1', MINUTE), MINUTE)) as NodeApiError;
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error.description).toContain('Get Status and Job ID j1');
		expect(error.context.data).toMatchObject({
			jobId: 'j1',
			jobStatus: 'in-progress',
			status: 403,
		});
	});

	test('when the time is up the error carries the jobId and the last status', async () => {
		const { client, requests } = fakeClient(() => ({ status: 'in-progress', moved: 4 }));
		const start = performance.now();
		const error = (await settle(
			waitForTransfer(client, 'j1', MINUTE, 2),
			2 * MINUTE,
		)) as NodeApiError;
		expect(error.message).toBe(
			"The transfer has not ended within 1 min; its last status is 'in-progress'",
		);
		expect(error.description).toContain('Get Status and Job ID j1');
		expect(error.context).toMatchObject({
			itemIndex: 2,
			data: { jobId: 'j1', status: 'in-progress', finished: false, moved: 4 },
		});
		expect((requests.at(-1)?.at ?? 0) - start).toBe(MINUTE);
	});

	test('when the status could never be read, the error says so', async () => {
		const { client } = fakeClient(() => passing());
		const error = (await settle(waitForTransfer(client, 'j1', MINUTE), 2 * MINUTE)) as NodeApiError;
		expect(error.message).toContain("'unknown'");
		expect(error.description).toContain('The service is failing right now');
		expect(error.context.data).toEqual({ jobId: 'j1', status: 'unknown' });
	});

	test('cancelling ends the wait at once', async () => {
		const controller = new AbortController();
		const { client, requests } = fakeClient(() => ({ status: 'in-progress' }), controller.signal);
		const waiting = settle(waitForTransfer(client, 'j', MINUTE), 0);
		await jest.advanceTimersByTimeAsync(3000);
		const reads = requests.length;
		const result = waitForTransfer(client, 'j', MINUTE);
		controller.abort(new Error('cancelled'));
		await expect(result).rejects.toThrow('cancelled');
		await waiting;
		await jest.advanceTimersByTimeAsync(MINUTE);
		expect(requests).toHaveLength(reads);
	});
});

describe('transferFailed', () => {
	const failed = (job: Partial<TransferJob>) =>
		transferFailed(
			{ node } as Client,
			{ jobId: 'j', status: 'failed', finished: false, ...job },
			1,
		) as NodeApiError & { context: { data: IDataObject } };

	test('names the reason and the workspaces', () => {
		const error = failed({ error: 'TO_USER_NOT_WORKSPACE_MEMBER', workspaceIds: ['w1', 'w2'] });
		expect(error.message).toContain("does not belong to all of the source's workspaces");
		expect(error.description).toContain('Workspaces: w1, w2.');
		expect(error.context).toMatchObject({
			itemIndex: 1,
			data: {
				jobId: 'j',
				status: 'failed',
				error: 'TO_USER_NOT_WORKSPACE_MEMBER',
				workspaceIds: ['w1', 'w2'],
			},
		});
	});

	test('a reason that nobody knows, or none at all', () => {
		expect(failed({ error: 'DISK_FULL' }).message).toBe('The transfer failed: DISK_FULL');
		expect(failed({}).message).toBe('The transfer failed');
		expect(failed({}).description).toContain('Job ID: j.');
	});
});
