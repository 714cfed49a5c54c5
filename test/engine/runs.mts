import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../sandbox/index.mts';
import type { RunOptions, RunResult } from './engine.mts';
import { runNode } from './engine.mts';

/** Runs of one resource's operations against a sandbox. */

export type Extra = Partial<Omit<RunOptions, 'parameters'>>;

export interface Runs {
	/** Whatever comes of it. */
	result(operation: string, parameters?: INodeParameters, extra?: Extra): Promise<RunResult>;
	/** The JSON of the items; for runs that must succeed. */
	run(operation: string, parameters?: INodeParameters, extra?: Extra): Promise<IDataObject[]>;
	/** The error; for runs that must fail. */
	failure(
		operation: string,
		parameters?: INodeParameters,
		extra?: Extra,
	): Promise<NonNullable<RunResult['error']>>;
}

export function runsOf(resource: string, sandbox: () => Sandbox): Runs {
	const result: Runs['result'] = async (operation, parameters = {}, extra = {}) =>
		await runNode({
			credential: { apiKey: sandbox().key, baseUrl: sandbox().url },
			parameters: { resource, operation, ...parameters },
			...extra,
		});
	return {
		result,
		async run(...args) {
			const { items, error } = await result(...args);
			if (error) throw error;
			return (items ?? []).map(({ json }) => json);
		},
		async failure(...args) {
			const { items, error } = await result(...args);
			if (!error) throw new Error(`No failure, but ${items?.length} items`);
			return error;
		},
	};
}

/** Locator values as the editor saves them. */
export const byId = (value: string) => ({ __rl: true, mode: 'id', value });
export const byEmail = (value: string) => ({ __rl: true, mode: 'email', value });
export const fromList = (value: string) => ({ __rl: true, mode: 'list', value });
