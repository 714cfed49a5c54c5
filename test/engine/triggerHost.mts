import { PollContext } from 'n8n-core';
import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';

import { MuralEnterpriseTrigger } from '../../nodes/MuralEnterpriseTrigger/MuralEnterpriseTrigger.node.ts';
import type { Credential } from './engine.mts';
import { additionalData, nodeTypes, registerNode, TRIGGER_TYPE } from './engine.mts';

const trigger = new MuralEnterpriseTrigger();
registerNode(TRIGGER_TYPE, trigger);

export interface HostOptions {
	credential: Credential;
	parameters?: INodeParameters;
	credentialId?: string;
	/** What getPollBudgetMs tells, milliseconds; n8n's own default when absent. */
	budget?: number;
	/**
	 * n8n's durable cursors: every poll gets a copy of what is stored, which it replaces when it emits something, or
	 * when it does not but is no activation.
	 */
	durable?: boolean;
}

let hosts = 0;

/**
 * What n8n does around a polling trigger, with n8n's own Workflow, static data and PollContext: it saves the static
 * data at activation and with an emission, not after a quiet poll.
 */
export class TriggerHost {
	readonly logged: Array<{ level: string; message: string }> = [];

	/** As in the data base: JSON. */
	saved = '{}';

	private workflow: Workflow;

	/** What the node remembers in memory goes by it. */
	private id = `workflow ${++hosts}`;

	constructor(public options: HostOptions) {
		this.workflow = this.load();
	}

	/** The static data in memory. */
	get staticData(): IDataObject {
		return JSON.parse(JSON.stringify(this.workflow.staticData)) as IDataObject;
	}

	/** Activation: one poll, then the static data is saved. */
	async activate(): Promise<IDataObject[]> {
		const items = await this.poll(true);
		if (!this.options.durable) this.save();
		return items;
	}

	/** One poll in the background; the JSON of what it emits. */
	async poll(isActivation = false): Promise<IDataObject[]> {
		if (this.options.durable) this.workflow = this.load();
		const result = await this.run('trigger');
		if (result !== null || (this.options.durable && !isActivation)) this.save();
		return result?.[0].map(({ json }) => json) ?? [];
	}

	/** "Fetch Test Event" in the editor; null when there is nothing to show. */
	async test(): Promise<IDataObject[] | null> {
		return (await this.run('manual'))?.[0].map(({ json }) => json) ?? null;
	}

	/** The process ends at once and starts again, other parameters perhaps: what was not saved is gone. */
	restart(change: Partial<HostOptions> = {}): void {
		this.options = { ...this.options, ...change };
		this.id = `workflow ${++hosts}`;
		this.workflow = this.load();
	}

	/** The next poll is given this, as with durable cursors one that n8n has prepared before storing the latest. */
	give(saved: string): void {
		this.saved = saved;
		this.workflow = this.load();
	}

	warnings(): string[] {
		return this.logged.filter(({ level }) => level === 'warn').map(({ message }) => message);
	}

	private async run(mode: 'trigger' | 'manual'): Promise<INodeExecutionData[][] | null> {
		const { budget, credential, durable } = this.options;
		const context = new PollContext(
			this.workflow,
			this.workflow.getNode('Trigger') as INode,
			additionalData(credential),
			mode,
			mode === 'manual' ? 'manual' : 'init',
			undefined,
			undefined,
			durable ? async () => this.save() : undefined,
			undefined,
			undefined,
			budget === undefined ? undefined : () => budget,
		);
		const log = (level: string) => (message: string) => void this.logged.push({ level, message });
		const logger = {
			info: log('info'),
			warn: log('warn'),
			error: log('error'),
			debug: log('debug'),
		};
		Object.defineProperty(context, 'logger', { value: logger });
		return await trigger.poll.call(context);
	}

	private save(): void {
		if (this.workflow.staticData.__dataChanged !== true) return;
		this.saved = JSON.stringify(this.workflow.staticData);
		this.workflow.staticData.__dataChanged = false;
	}

	private load(): Workflow {
		const { parameters = {}, credentialId = '1' } = this.options;
		const node: INode = {
			id: 'trigger',
			name: 'Trigger',
			type: TRIGGER_TYPE,
			typeVersion: 1,
			position: [0, 0],
			parameters,
			credentials: { muralEnterpriseApi: { id: credentialId, name: 'Sandbox' } },
		};
		return new Workflow({
			id: this.id,
			name: this.id,
			nodes: [node],
			connections: {},
			active: true,
			nodeTypes: nodeTypes(),
			staticData: JSON.parse(this.saved),
		});
	}
}
