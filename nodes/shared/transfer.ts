import type { IDataObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { Client, ServiceRequest } from './client';
import { pause } from './client';
import { serviceError, withProgress } from './errors';

/** Content ownership transfer: paths, types, waiting. Spec: Content ownership transfer, Transfer job, Limits. */

/** Who gives and who gets all content, by e-mail in lower case. */
export interface Transfer extends IDataObject {
	transferFromUser: string;
	transferToUser: string;
}

/** Spec: Transfer job. Unknown fields pass through. */
export interface TransferJob extends IDataObject {
	jobId: string;
	/** `in-progress`, `finished` or `failed`; any other word counts as in progress. */
	status: string;
	/** True once all content has been moved. */
	finished: boolean;
	/** Why the job failed. */
	error?: string;
	/** With TO_USER_NOT_WORKSPACE_MEMBER: the workspaces that the receiver does not belong to. */
	workspaceIds?: string[];
}

const FIRST_INTERVAL_MS = 1000;
const MAX_INTERVAL_MS = 30_000;
const GROWTH = 1.5;

const PATH = ['workspaces', 'contents', 'transfer'];

/**
 * Milliseconds to wait before the next read of a job's status; undefined when the time is up. The intervals grow
 * from 1 s to 30 s, and the last read comes when the time is just up.
 * @param reads reads so far
 * @param elapsedMs since the job was started
 */
export function pollDelay(reads: number, elapsedMs: number, timeoutMs: number): number | undefined {
	const left = timeoutMs - elapsedMs;
	if (left <= 0) return undefined;
	return Math.min(FIRST_INTERVAL_MS * GROWTH ** reads, MAX_INTERVAL_MS, left);
}

/** True when nothing will change any more. */
export function hasEnded({ status }: TransferJob): boolean {
	return status === 'finished' || status === 'failed';
}

/** POST /workspaces/contents/transfer. Gives the jobId; the job runs in the background. */
export async function startTransfer(
	client: Client,
	transfer: Transfer,
	itemIndex?: number,
): Promise<string> {
	const request: ServiceRequest = {
		method: 'POST',
		path: PATH,
		body: { ...transfer },
		lane: 'transfer',
		itemIndex,
	};
	const answer = await client.request<{ jobId?: unknown } | undefined>(request);
	if (typeof answer?.jobId !== 'string' || answer.jobId === '') {
		throw client.unexpected(request, 'JSON without a jobId');
	}
	return answer.jobId;
}

/** GET /workspaces/contents/transfer/{jobId}. */
export async function getTransfer(
	client: Client,
	jobId: string,
	itemIndex?: number,
): Promise<TransferJob> {
	const request: ServiceRequest = {
		method: 'GET',
		path: [...PATH, jobId],
		lane: 'transfer',
		subject: { kind: 'transfer job', parameter: 'Job ID', value: jobId },
		sentences: {
			404: [
				`No transfer job was found for '${jobId}'`,
				"Change 'Job ID' to the jobId that Start gave.",
			],
		},
		itemIndex,
	};
	const answer = await client.request<IDataObject | undefined>(request);
	const status = answer?.status;
	if (typeof status !== 'string') throw client.unexpected(request, 'JSON without a status');
	return { jobId, ...answer, status, finished: status === 'finished' };
}

/**
 * Reads the status again and again until the job has ended. A read that fails for a passing reason only costs its
 * interval. Cancelling the execution ends the wait; the job itself cannot be stopped.
 * @throws NodeOperationError when the time is up and NodeApiError when the status cannot be read; the jobId and the
 * last status are in the details
 */
export async function waitForTransfer(
	client: Client,
	jobId: string,
	timeoutMs: number,
	itemIndex?: number,
): Promise<TransferJob> {
	const startedAt = performance.now();
	let last: IDataObject = { jobId };
	let hiccup: NodeApiError | undefined;
	for (let reads = 0; ; reads++) {
		const delay = pollDelay(reads, performance.now() - startedAt, timeoutMs);
		if (delay === undefined) throw timedOut(client, last, timeoutMs, hiccup, itemIndex);
		await pause(delay, client.signal);
		try {
			const job = await getTransfer(client, jobId, itemIndex);
			if (hasEnded(job)) return job;
			last = job;
			hiccup = undefined;
		} catch (error) {
			if (!isPassing(error)) throw stillThere(error, last);
			hiccup = error;
		}
	}
}

const PASSING = new Set(['rate-limited', 'temporarily-unavailable']);

function isPassing(error: unknown): error is NodeApiError {
	return error instanceof NodeApiError && PASSING.has(error.failure?.cause ?? '');
}

/** An error met while waiting, with what is needed to go on from. */
function stillThere(error: unknown, { jobId, status }: IDataObject): unknown {
	const note = `The transfer was started and goes on: read it later with Get Status and Job ID ${String(jobId)}.`;
	return withProgress(error, note, {
		jobId,
		...(status === undefined ? {} : { jobStatus: status }),
	});
}

function timedOut(
	client: Client,
	last: IDataObject,
	timeoutMs: number,
	hiccup: NodeApiError | undefined,
	itemIndex?: number,
): NodeOperationError {
	const { jobId, status = 'unknown' } = last;
	const minutes = Number((timeoutMs / 60_000).toFixed(2));
	const unread = hiccup ? ` The status could not be read in the end: ${hiccup.message}.` : '';
	const error = new NodeOperationError(
		client.node,
		`The transfer has not ended within ${minutes} min; its last status is '${String(status)}'`,
		{
			description: `The job goes on at the service: read it later with Get Status and Job ID ${String(jobId)}, or raise 'Wait at Most' under Options.${unread}`,
			itemIndex,
		},
	);
	error.context.data = { ...last, status };
	return error;
}

/** The error for a job that ended as failed; the job is in the details. */
export function transferFailed(client: Client, job: TransferJob, itemIndex?: number): unknown {
	const { jobId, error: code, workspaceIds = [] } = job;
	const error = serviceError(
		client.node,
		{ status: 200, code },
		{
			mayHaveBeenApplied: false,
			sentences: {
				200: [
					`The transfer failed${code === undefined ? '' : `: ${code}`}`,
					'Some content may have moved already. Look at both members, then start the transfer again.',
				],
			},
			itemIndex,
		},
	);
	const where = workspaceIds.length === 0 ? '' : ` Workspaces: ${workspaceIds.join(', ')}.`;
	return withProgress(error, `Job ID: ${jobId}.${where}`, job);
}
