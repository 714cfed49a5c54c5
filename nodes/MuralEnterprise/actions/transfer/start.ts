import { optionsCollection } from '../../../shared/descriptions';
import { startTransfer } from '../../../shared/transfer';
import type { Operation } from '../operation';
import { toItem } from '../operation';
import {
	checkMembers,
	checkMembersFirst,
	readTransfer,
	transferLockKeys,
	transferProperties,
} from './transferParameters';

/** Spec: POST /workspaces/contents/transfer. */
export const start: Operation = {
	option: {
		name: 'Start',
		value: 'start',
		action: 'Start a content transfer',
		description:
			'Begin to move all content that a member owns to another member; the job runs in the background',
	},
	properties: [...transferProperties, optionsCollection([checkMembersFirst])],
	lockKey: transferLockKeys,
	async execute(context) {
		const transfer = await readTransfer(context);
		await checkMembers(context, transfer);
		const jobId = await startTransfer(context.client, transfer, context.itemIndex);
		return [toItem(context, { jobId, ...transfer })];
	},
};
