import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { memberships } from './access.mts';
import { ApiError, notFound } from './errors.mts';
import { retryAfter } from './rateLimit.mts';
import type { Service } from './service.mts';
import type { ApiKey, Job, User } from './types.mts';
import { findByEmail } from './userResource.mts';

interface TransferBody {
	transferFromUser: string;
	transferToUser: string;
}

const bodySchema = {
	type: 'object',
	required: ['transferFromUser', 'transferToUser'],
	additionalProperties: false,
	properties: {
		transferFromUser: { type: 'string', minLength: 1 },
		transferToUser: { type: 'string', minLength: 1 },
	},
};

/** With this error no content has been transferred. */
const NOT_IN_WORKSPACE = 'TO_USER_NOT_WORKSPACE_MEMBER';

/** Jobs run on the sandbox clock: murals move evenly between start and end. */
export class Transfers {
	private readonly service: Service;

	constructor(service: Service) {
		this.service = service;
		service.due.push((now) => this.settle(now));
	}

	/** @throws {ApiError} 400 as the spec's error table has it. */
	start({ transferFromUser, transferToUser }: TransferBody, key: ApiKey): Job {
		const { state } = this.service;
		if (transferFromUser.toLowerCase() === transferToUser.toLowerCase()) {
			throw new ApiError(400, 'SAME_USER');
		}
		const from = findByEmail(state, transferFromUser);
		if (!from) throw new ApiError(400, 'FROM_USER_NOT_MEMBER');
		const to = findByEmail(state, transferToUser);
		if (!to) throw new ApiError(400, 'TO_USER_NOT_MEMBER');
		const job = this.makeJob(from, to, key);
		state.jobs.set(job.jobId, job);
		this.record(job, 'START_CONTENT_TRANSFER', job.startedAt);
		return job;
	}

	get(jobId: string): Job {
		const job = this.service.state.jobs.get(jobId);
		if (!job) throw notFound('Job');
		return job;
	}

	private makeJob(from: User, to: User, key: ApiKey): Job {
		const { state, clock, behaviour } = this.service;
		const { durationMs, outcome, error, workspaceIds } = behaviour.transfer;
		const now = clock.now();
		const owned = [...state.murals.values()].filter(({ ownerId }) => ownerId === from.id);
		const job: Job = {
			jobId: randomUUID(),
			fromUserId: from.id,
			toUserId: to.id,
			status: 'in-progress',
			startedAt: now,
			finishesAt: now + durationMs,
			outcome,
			murals: owned.map(({ id }) => id),
			moved: 0,
			actor: this.service.keyActor(key),
		};
		if (outcome === 'failed') {
			const murals = error === NOT_IN_WORKSPACE ? [] : job.murals;
			return { ...job, error, workspaceIds: workspaceIds ?? undefined, murals };
		}
		const sources = new Set([
			...memberships(state, from).keys(),
			...owned.map(({ workspaceId }) => workspaceId),
		]);
		const targets = memberships(state, to);
		const missing = [...sources].filter((id) => !targets.has(id));
		if (missing.length === 0) return job;
		const failure = { error: NOT_IN_WORKSPACE, workspaceIds: missing };
		return { ...job, ...failure, outcome: 'failed', murals: [] };
	}

	private settle(now: number): void {
		for (const job of this.service.state.jobs.values()) {
			if (job.status === 'in-progress') this.progress(job, now);
		}
	}

	private progress(job: Job, now: number): void {
		const length = job.finishesAt - job.startedAt;
		const share = length > 0 ? Math.min(1, (now - job.startedAt) / length) : 1;
		const ended = share === 1 && job.outcome !== 'in-progress';
		// A job that fails or never ends may have moved some content, never all of it.
		const total = job.outcome === 'finished' ? job.murals.length : job.murals.length / 2;
		this.move(job, Math.floor(total * Math.max(0, share)));
		if (!ended) return;
		job.status = job.outcome;
		const action = job.outcome === 'finished' ? 'FINISH_CONTENT_TRANSFER' : 'FAIL_CONTENT_TRANSFER';
		this.record(job, action, job.finishesAt);
	}

	private move(job: Job, until: number): void {
		const { murals } = this.service.state;
		for (; job.moved < until; job.moved++) {
			const mural = murals.get(job.murals[job.moved]);
			if (mural?.ownerId === job.fromUserId) mural.ownerId = job.toUserId;
			this.service.version++;
		}
	}

	private record(job: Job, action: string, date: number): void {
		const company = this.service.state.company.id;
		this.service.record(job.actor, action, { company, id: job.fromUserId, type: 'USER' }, date);
	}
}

/** The status body (spec: Transfer job). */
export function showJob({ status, error, workspaceIds }: Job) {
	if (status !== 'failed') return { status };
	return { status, error, ...(workspaceIds && { workspaceIds }) };
}

/** /workspaces/contents/transfer (spec: Content ownership transfer). */
export function transferRoutes(service: Service) {
	const transfers = new Transfers(service);

	return async (app: FastifyInstance) => {
		app.addHook('onRequest', async (request) => {
			const limits = service.behaviour.transfer;
			const wait = service.rate.take(request.apiKey.app, limits);
			if (wait === 0) return service.requests.transferAccepted();
			const after = retryAfter(wait, limits, service.clock.now());
			throw new ApiError(429, null, '', after ? { headers: { 'retry-after': after } } : {});
		});

		app.post('/workspaces/contents/transfer', { schema: { body: bodySchema } }, async (request) => {
			const { jobId } = transfers.start(request.body as TransferBody, request.apiKey);
			return { jobId };
		});

		app.get<{ Params: { jobId: string } }>(
			'/workspaces/contents/transfer/:jobId',
			async ({ params }) => showJob(transfers.get(params.jobId)),
		);
	};
}
