import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Credential, RunResult } from '../engine/engine.mts';
import { runNode } from '../engine/engine.mts';
import type { Dump, LoggedRequest, RemoteControls } from '../sandbox/index.mts';
import type { Random } from '../sandbox/random.mts';
import type { Told } from './judge.mts';
import { judge, repeatedChanges, strangeChanges } from './judge.mts';
import { planReads } from './reads.mts';
import type { State } from './state.mts';
import { stateOf } from './state.mts';
import type { Batch } from './tasks.mts';
import { planMinute } from './tasks.mts';

/** A minute of workflows, and whether what they told is what happened. */

/** Seconds of real time, so that a request without an answer does not hold up everything. */
const TIMEOUT_S = 2;

export class Minutes {
	readonly problems: string[] = [];
	readonly told: Record<Told, number> = { done: 0, failed: 0, uncertain: 0 };
	/** Of the uncertain ones. */
	uncertainDone = 0;
	reads = { done: 0, failed: 0 };
	executions = 0;
	requests = 0;
	readonly faults = new Map<string, number>();
	#dump: Dump;
	#state: State;

	private constructor(
		private readonly admin: RemoteControls,
		private readonly credential: Credential,
		private readonly random: Random,
		dump: Dump,
	) {
		this.#dump = dump;
		this.#state = stateOf(dump);
	}

	static async start(
		admin: RemoteControls,
		credential: Credential,
		random: Random,
	): Promise<Minutes> {
		await admin.clearRequests();
		return new Minutes(admin, credential, random, await admin.dump({ log: 0 }));
	}

	/** @param during runs at the same time as the changes */
	async pass(minute: number, during: () => Promise<unknown>): Promise<void> {
		await this.#openWorkspaces();
		const batches = planMinute(this.random, minute, this.#dump, this.#state);
		const runs = batches.map(async (batch) => {
			const items = batch.tasks.map(({ json }) => json);
			return { batch, result: await this.#run(batch.parameters, items) };
		});
		const [results] = await Promise.all([Promise.all(runs), during()]);
		const before = this.#state;
		this.#dump = await this.admin.dump({ log: 3000 });
		this.#state = stateOf(this.#dump);
		for (const { batch, result } of results) this.#judge(batch, result, before);
		this.#note(minute, strangeChanges(before, this.#state, batches));
		await this.#read(minute);
		await this.count();
	}

	/** Adds up the requests since the last time, and forgets them. */
	async count(): Promise<void> {
		const requests = await this.admin.requests();
		await this.admin.clearRequests();
		this.#note(undefined, repeatedChanges(requests));
		this.#note(
			undefined,
			requests.filter(isKeyAstray).map(({ path }) => `key astray: ${path}`),
		);
		this.requests += requests.length;
		for (const { fault } of requests) {
			if (fault !== undefined) this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1);
		}
	}

	/** People leave workspaces; whoever gets content has to belong to all of them. */
	async #openWorkspaces(): Promise<void> {
		const [{ id: user }] = this.#dump.users;
		for (const { id: workspaceId, members } of (await this.admin.dump({ log: 0 })).workspaces) {
			if (members[user] !== undefined) continue;
			await this.admin.setMembership({ workspaceId, user, role: 'member' });
		}
	}

	async #run(parameters: INodeParameters, items: IDataObject[] = [{}]): Promise<RunResult> {
		this.executions++;
		return await runNode({
			parameters: {
				...parameters,
				options: { ...(parameters.options as object), timeout: TIMEOUT_S },
			},
			credential: this.credential,
			items,
			onError: 'continueRegularOutput',
			mode: 'trigger',
		});
	}

	#judge({ parameters, tasks }: Batch, { items = [], error }: RunResult, before: State): void {
		const what = `${parameters.resource}: ${parameters.operation}`;
		const pairs = items.map(({ pairedItem }) => (pairedItem as { item: number }).item);
		const isPaired = items.length === tasks.length && pairs.every((item, n) => item === n);
		if (error !== undefined || !isPaired) {
			const told = error?.message ?? `items ${pairs.join()}`;
			this.problems.push(`${what}: ${tasks.length} items gave ${told}`);
			return;
		}
		tasks.forEach((task, index) => {
			const { told, isDone, problem } = judge(task, items[index], before, this.#state);
			this.told[told]++;
			if (told === 'uncertain' && isDone) this.uncertainDone++;
			if (problem !== undefined) this.problems.push(`${what}: ${problem}`);
		});
	}

	async #read(minute: number): Promise<void> {
		const reads = planReads(this.#dump).map(async ({ parameters, check }) => {
			const { items = [], error } = await this.#run(parameters);
			const isFailed = error !== undefined || items.some(({ json }) => json.details !== undefined);
			this.reads[isFailed ? 'failed' : 'done']++;
			const problem = isFailed ? unclear(items, error) : check(items);
			if (problem !== undefined) {
				this.#note(minute, [`${parameters.resource}: ${parameters.operation}: ${problem}`]);
			}
		});
		await Promise.all(reads);
	}

	#note(minute: number | undefined, problems: string[]): void {
		const when = minute === undefined ? '' : `minute ${minute}: `;
		this.problems.push(...problems.map((problem) => when + problem));
	}
}

const isKeyAstray = ({ keyMatched, keyLeaked }: LoggedRequest) => !keyMatched || keyLeaked;

/** A read that fails gives one item that says why, and nothing of what it had read. */
function unclear(items: INodeExecutionData[], error: RunResult['error']): string | undefined {
	if (error !== undefined) return error.message;
	const [{ json }] = items;
	const isClear = String(json.error).length > 15 && items.length === 1;
	return isClear ? undefined : `an unclear failure: ${JSON.stringify(items)}`;
}
