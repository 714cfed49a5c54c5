import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { LoggedRequest, Sandbox, SandboxOptions } from '../sandbox/index.mts';
import { startSandbox } from '../sandbox/index.mts';
import type { RunOptions, RunResult } from './engine.mts';
import { runForJson, runNode } from './engine.mts';

/** What tests of group and mapping operations share: a sandbox for the file, fresh before each test. */

export const by = (mode: 'email' | 'id' | 'list' | 'name', value: string) => ({
	__rl: true,
	mode,
	value,
});

/** Members given as text or by an expression, and members picked. */
export const text = (memberIds: unknown) =>
	({ memberSource: 'text', memberIds }) as INodeParameters;
export const picked = (...locators: Array<ReturnType<typeof by>>) => ({
	memberSource: 'list',
	memberList: { entries: locators.map((userId) => ({ userId })) },
});

/** Members that a PATCH holds. */
export const sentMembers = ({ body }: LoggedRequest) =>
	(JSON.parse(body) as { Operations: Array<{ value: unknown[] }> }).Operations[0].value.length;

export function useSandbox(resource: string, options: SandboxOptions) {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox(options);
	});
	afterAll(async () => await sandbox.close());
	beforeEach(() => sandbox.admin.reset());

	const credential = () => ({ apiKey: sandbox.key, baseUrl: sandbox.url });
	const groups = () => [...sandbox.state.groups.values()].filter(({ active }) => active);
	const users = () => [...sandbox.state.users.values()];
	const changes = () => sandbox.admin.requests().filter(({ method }) => method !== 'GET');

	const run = async (
		operation: string,
		parameters: INodeParameters,
		more: Partial<RunOptions> = {},
	): Promise<RunResult> =>
		await runNode({
			parameters: { resource, operation, ...parameters },
			credential: credential(),
			...more,
		});

	return {
		get sandbox() {
			return sandbox;
		},
		credential,
		groups,
		users,
		membersOf: (id: string) => [...(sandbox.state.groups.get(id)?.members ?? [])],
		requests: (method: string, path?: string) =>
			sandbox.admin
				.requests()
				.filter((each) => each.method === method && (path === undefined || each.path === path)),
		/** Requests that are no reads. */
		changes,
		run,
		/** The JSON of the one item of a run that succeeds. */
		async runOne(operation: string, parameters: INodeParameters): Promise<IDataObject> {
			const items = await runForJson({
				parameters: { resource, operation, ...parameters },
				credential: credential(),
			});
			expect(items).toHaveLength(1);
			return items[0];
		},
		/** The error of a run that sends no change. */
		async refused(operation: string, parameters: INodeParameters) {
			const { error } = await run(operation, parameters);
			expect(changes()).toEqual([]);
			if (!error) throw new Error('no error');
			return { message: error.message, description: error.description };
		},
		/** A group, its members, and members of the company who are not in it. */
		someGroup() {
			const group = groups().find(({ members }) => members.size > 3 && members.size < 30);
			if (!group) throw new Error('no group of that size');
			const inside = users().filter(({ id }) => group.members.has(id));
			inside.sort((a, b) => [...group.members].indexOf(a.id) - [...group.members].indexOf(b.id));
			const outside = users().filter(({ id }) => !group.members.has(id));
			return { group, inside, outside, groupId: by('id', group.id) };
		},
	};
}
