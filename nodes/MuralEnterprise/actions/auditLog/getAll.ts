import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { simplifyEntry } from '../../../shared/auditLog';
import { optionsCollection, returnAllOrLimit } from '../../../shared/descriptions';
import { sharedTexts } from '../../../shared/sharedTexts';
import type { Operation } from '../operation';
import { outputLimit, toItem } from '../operation';
import { outputProperties, readOutput } from '../output';
import { auditFilters } from './auditParameters';
import { readEntries, readingOptions } from './readEntries';

/** Spec: GET /audit-log, Limits. */
export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many audit log entries',
		description: 'Read recorded actions, newest first',
	},
	properties: [
		...returnAllOrLimit,
		...outputProperties(
			'simplified',
			'Ten flat fields per entry, with the date in ISO form too',
			'date, action, actor.email',
		),
		auditFilters,
		optionsCollection(readingOptions),
	],
	async execute(context) {
		const limit = outputLimit(context);
		const share = sharedTexts();
		const shape = readOutput(context, 'simplified', (entry) => simplifyEntry(entry, share));
		const items: INodeExecutionData[] = [];
		for await (const page of readEntries(context, () => limit - items.length)) {
			for (const entry of page) {
				items.push(toItem(context, shape(entry as IDataObject)));
				if (items.length >= limit) return items;
			}
		}
		return items;
	},
};
