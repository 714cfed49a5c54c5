import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IDataObject,
	INodeCredentialTestResult,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { createHash } from 'crypto';

import type { AuditLogEntry } from '../shared/auditLog';
import { readPage, readPages, simplifyEntry } from '../shared/auditLog';
import { Client } from '../shared/client';
import { CREDENTIAL_NAME } from '../shared/credential';
import { testCredential } from '../shared/credentialTest';
import { poll } from './cursor';
import type { TriggerParameters } from './parameters';
import { readParameters } from './parameters';
import type { PollResult } from './pollTypes';
import { triggerProperties } from './properties';
import { Turns } from './turns';

/** Entries that "Fetch Test Event" shows. */
const SAMPLES = 10;
/** About 3.7 MB of state. */
const MAX_REMEMBERED = 250_000;
/**
 * A poll asks for nothing more after this. The first one is a part of activating a workflow, which n8n reports as failed
 * after 84 s; and the next one is due a minute later.
 */
const LONGEST_POLL_MS = 60_000;
/** Share of what the host allows a poll; the rest is for the request under way at the end, and for the host. */
const BUDGET_SHARE = 0.5;

const turns = new Turns();

export class MuralEnterpriseTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Mural Enterprise Trigger',
		name: 'muralEnterpriseTrigger',
		icon: {
			light: 'file:../../icons/muralEnterprise.svg',
			dark: 'file:../../icons/muralEnterprise.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: '=new audit log entries',
		// The nodes panel shows this text for the node and its trigger together.
		description:
			'Starts the workflow on each new audit log entry, or administers members, groups and content',
		defaults: { name: 'Mural Enterprise Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'muralEnterpriseApi', required: true, testedBy: 'muralEnterpriseApiTest' },
		],
		properties: triggerProperties,
	};

	methods = {
		credentialTest: {
			async muralEnterpriseApiTest(
				this: ICredentialTestFunctions,
				credential: ICredentialsDecrypted,
			): Promise<INodeCredentialTestResult> {
				return await testCredential(this, credential.data ?? {});
			},
		},
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		const parameters = readParameters(this);
		const client = await Client.create(this, parameters.timeout);
		if (this.getMode() === 'manual') return await samples(client, parameters);

		const trigger = `${this.getWorkflow().id} ${this.getNode().id}`;
		const kept = this.getWorkflowStaticData('node');
		return await turns.take(
			trigger,
			kept,
			async () => await pollOnce(this, client, parameters, kept),
		);
	}
}

async function pollOnce(
	host: IPollFunctions,
	client: Client,
	parameters: TriggerParameters,
	kept: IDataObject,
): Promise<INodeExecutionData[][] | null> {
	const result = await poll(kept.cursor, logReader(client, parameters), {
		...parameters,
		fingerprint: fingerprint(host, client, parameters),
		maxRemembered: MAX_REMEMBERED,
		deadline: Date.now() + budget(host),
	});
	tell(host, result);
	const items = toItems(result, parameters);
	// Once, last, after everything that can fail: a poll that throws leaves the state as it was.
	kept.cursor = result.state as unknown as IDataObject;
	if (items.length > 0) return [items];
	// With durable cursors n8n stores what a quiet poll leaves, but not the one by which it activates the workflow: the
	// next poll, an interval later, would start from its own now, and what happened in between would never be emitted.
	if (result.fresh) await host.__commitCursor?.();
	return null;
}

function logReader(client: Client, { action, pageSize }: TriggerParameters) {
	return {
		pages: (range: { since: number; until?: number }) =>
			readPages(client, { ...range, action }, { maxResults: () => pageSize }),
		clock: () => Date.now(),
		clockOffset: () => client.clockOffsetMs,
	};
}

/** The newest entries that match, from one request; nothing is remembered. */
async function samples(client: Client, parameters: TriggerParameters) {
	const { data } = await readPage(
		client,
		{ action: parameters.action },
		{ maxResults: parameters.pageSize },
	);
	const entries = data.filter(parameters.matches).slice(0, SAMPLES).reverse();
	return entries.length === 0 ? null : [toItems({ entries }, parameters)];
}

/**
 * What a cursor belongs to. The credential's id stands for the account, so that a new key in the same credential
 * goes on where the old one ended.
 */
function fingerprint(host: IPollFunctions, client: Client, { action }: TriggerParameters): string {
	const credential = host.getNode().credentials?.[CREDENTIAL_NAME]?.id;
	const parts = JSON.stringify([client.baseUrl, credential ?? null, action ?? null]);
	return createHash('sha256').update(parts).digest('hex').slice(0, 16);
}

/** Milliseconds for the requests of a poll. */
function budget(host: IPollFunctions): number {
	// Older hosts do not tell.
	const whole = 'getPollBudgetMs' in host ? host.getPollBudgetMs() : Number.POSITIVE_INFINITY;
	return Math.min(whole * BUDGET_SHARE, LONGEST_POLL_MS);
}

function tell({ logger }: IPollFunctions, { fresh, gap, held }: PollResult): void {
	if (fresh === 'changed') {
		logger.info('The credential or the action filter was changed: the trigger starts afresh');
	}
	if (fresh === 'invalid') {
		logger.warn('What the trigger had remembered could not be read: it starts afresh');
	}
	if (gap) {
		const { from, to } = isoGap(gap);
		logger.warn(`Audit log entries dated ${from} to ${to} left the log before they could be read`);
	}
	if (held) {
		logger.warn(
			"More late entries than can be remembered: new ones wait. Lower 'Late Entries (Hours)' or filter by one action",
		);
	}
}

const isoGap = ({ from, to }: { from: number; to: number }) => ({
	from: new Date(from).toISOString(),
	to: new Date(to).toISOString(),
});

function toItems(
	{ entries, gap }: Pick<PollResult, 'entries' | 'gap'>,
	{ isRaw, isTogether, hasGapItem }: TriggerParameters,
): INodeExecutionData[] {
	const shape = (entry: AuditLogEntry) => (isRaw ? (entry as IDataObject) : simplifyEntry(entry));
	const shaped = entries.map(shape);
	const isList = isTogether && shaped.length > 0;
	return [
		...(gap && hasGapItem ? [{ json: { gap: isoGap(gap) } }] : []),
		...(isList ? [{ json: { count: shaped.length, entries: shaped } }] : []),
		...(isTogether ? [] : shaped.map((json) => ({ json }))),
	];
}
