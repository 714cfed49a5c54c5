import type { IDataObject } from 'n8n-workflow';

import { optionsCollection } from '../../../shared/descriptions';
import { startTransfer, transferFailed, waitForTransfer } from '../../../shared/transfer';
import type { Operation, OperationContext } from '../operation';
import { badInput, collection, toggle, toItem } from '../operation';
import {
	checkMembers,
	checkMembersFirst,
	readTransfer,
	transferLockKeys,
	transferProperties,
} from './transferParameters';

const DEFAULT_WAIT_MINUTES = 60;
/** A week. */
const MAX_WAIT_MINUTES = 10_080;

/** Spec: POST /workspaces/contents/transfer, then GET with the jobId; States and transitions, Transfer job. */
export const startAndWait: Operation = {
	option: {
		name: 'Start and Wait',
		value: 'startAndWait',
		action: 'Transfer content of a user and wait',
		description: 'Move all content that a member owns to another member, and go on once it is done',
	},
	properties: [
		...transferProperties,
		optionsCollection([
			checkMembersFirst,
			{
				displayName: 'Return Failed Jobs as Items',
				name: 'failedAsItems',
				type: 'boolean',
				default: true,
				description:
					'Whether a job that fails gives an item with its error and workspaceIds instead of failing the node',
			},
			{
				displayName: 'Wait at Most',
				name: 'waitMinutes',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: MAX_WAIT_MINUTES, numberPrecision: 2 },
				default: DEFAULT_WAIT_MINUTES,
				description:
					'Minutes to wait for the end of the job. After that the item fails with the jobId and the last status in its details; the job goes on, and Get Status can read it later.',
			},
		]),
	],
	lockKey: transferLockKeys,
	async execute(context) {
		const { client, itemIndex } = context;
		const waitMs = readWait(context);
		const { failedAsItems = false } = collection(context, 'options');
		const isItem = toggle(context, failedAsItems, 'Return Failed Jobs as Items');
		const transfer = await readTransfer(context);
		await checkMembers(context, transfer);
		const jobId = await startTransfer(client, transfer, itemIndex);
		const job = await waitForTransfer(client, jobId, waitMs, itemIndex);
		if (job.status === 'failed' && !isItem) throw transferFailed(client, job, itemIndex);
		return [toItem(context, { ...job, ...transfer })];
	},
};

/** Milliseconds. */
function readWait(context: OperationContext): number {
	const { waitMinutes = DEFAULT_WAIT_MINUTES }: IDataObject = collection(context, 'options');
	const minutes =
		typeof waitMinutes === 'string' && waitMinutes.trim() !== ''
			? Number(waitMinutes)
			: waitMinutes;
	if (typeof minutes === 'number' && minutes > 0 && minutes <= MAX_WAIT_MINUTES) {
		return minutes * 60_000;
	}
	throw badInput(
		context,
		`'Wait at Most' is not a number of minutes above 0 and up to ${MAX_WAIT_MINUTES}`,
		"Enter the minutes to wait in 'Wait at Most', e.g. 60 or 0.5.",
	);
}
