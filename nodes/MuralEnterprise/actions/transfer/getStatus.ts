import { optionsCollection } from '../../../shared/descriptions';
import { getTransfer } from '../../../shared/transfer';
import type { Operation } from '../operation';
import { requiredText, toItem } from '../operation';

/** Spec: GET /workspaces/contents/transfer/{jobId}. */
export const getStatus: Operation = {
	option: {
		name: 'Get Status',
		value: 'getStatus',
		action: 'Get the status of a content transfer',
		description: 'Read whether a transfer is in progress, finished or failed, and why it failed',
	},
	properties: [
		{
			displayName: 'Job ID',
			name: 'jobId',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 5f1d7c2a9b3e4d0012345678',
			description: 'The jobId that Start gave',
		},
		optionsCollection(),
	],
	async execute(context) {
		const jobId = requiredText(context, 'jobId', 'Job ID');
		return [toItem(context, await getTransfer(context.client, jobId, context.itemIndex))];
	},
};
