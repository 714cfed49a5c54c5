import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { LoggedRequest } from '../sandbox/index.mts';
import type { Fields, State } from './state.mts';
import { isSame } from './state.mts';
import type { Batch, Task } from './tasks.mts';

/** Whether what the node told of its changes is what happened. */

/** What the node told of one input item. */
export type Told =
	/** It did what it was asked to. */
	| 'done'
	/** It failed, and nothing but what the error lists was changed. */
	| 'failed'
	/** It failed, and the error says that the change may have been carried out. */
	| 'uncertain';

export interface Verdict {
	told: Told;
	/** The thing is as the item wanted it. */
	isDone: boolean;
	/** What was told wrongly. */
	problem?: string;
}

const UNCERTAIN = /may have been carried out/;

interface Details extends IDataObject {
	description?: string;
}

export function judge(
	task: Task,
	output: INodeExecutionData,
	before: State,
	after: State,
): Verdict {
	const was = before.get(task.key) ?? {};
	const is = after.get(task.key) ?? {};
	const isDone = isSame(is, task.wanted);
	const details = output.json.details as Details | undefined;
	if (!details) {
		return { told: 'done', isDone, ...(isDone ? {} : { problem: wrong(task, 'done', output) }) };
	}
	const told = UNCERTAIN.test(details.description ?? '') ? 'uncertain' : 'failed';
	const certain = withListed(was, task.wanted, details);
	const isTrue =
		isSame(is, certain) || (told === 'uncertain' && isBetween(is, certain, task.wanted));
	return { told, isDone, ...(isTrue ? {} : { problem: wrong(task, told, output) }) };
}

const wrong = ({ key, json }: Task, told: Told, output: INodeExecutionData) =>
	`${key} is not as told (${told}): asked for ${JSON.stringify(json)}, told ${JSON.stringify(output.json)}`;

/** Each field as in one of the two. */
function isBetween(is: Fields, one: Fields, other: Fields): boolean {
	const names = new Set([is, one, other].flatMap(Object.keys));
	return [...names].every((name) => [one[name], other[name]].includes(is[name]));
}

interface AppliedPatch {
	action: 'add' | 'remove';
	workspaceIds: string[];
}

/** What was, with the part of the change that an error lists as carried out. */
function withListed(was: Fields, wanted: Fields, details: Details): Fields {
	// A PATCH of members and the start of a transfer are one request each: all or nothing.
	if (details.added ?? details.removed ?? details.jobId) return wanted;
	const fields = { ...was };
	for (const { action, workspaceIds } of (details.applied ?? []) as unknown as AppliedPatch[]) {
		for (const id of workspaceIds) {
			if (action === 'remove') delete fields[id];
			else fields[id] = wanted[id];
		}
	}
	return fields;
}

/** Things that changed although no task was about them. */
export function strangeChanges(before: State, after: State, batches: Batch[]): string[] {
	const meant = new Set(batches.flatMap(({ tasks }) => tasks.map(({ key }) => key)));
	const keys = new Set([...before.keys(), ...after.keys()]);
	return [...keys]
		.filter((key) => !meant.has(key) && !isSame(before.get(key) ?? {}, after.get(key) ?? {}))
		.map((key) => `${key} was changed by nobody`);
}

/** Since no two tasks ask for the same, the same request carried out again is one change too many. */
export function repeatedChanges(requests: LoggedRequest[]): string[] {
	const seen = new Set<string>();
	const repeated: string[] = [];
	for (const { method, path, body, trueStatus } of requests) {
		if (method === 'GET' || trueStatus === undefined || trueStatus >= 300) continue;
		const change = `${method} ${path} ${body}`;
		if (seen.has(change)) repeated.push(`carried out twice: ${change}`);
		seen.add(change);
	}
	return repeated;
}
