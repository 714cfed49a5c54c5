import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { pick } from 'lodash';

import type { InputContext } from './operation';
import { badInput, choice, nameList, parameter } from './operation';

/** The Output choice of reading operations: simplified, raw, or selected fields. */

const MODES = ['simplified', 'raw', 'selected'] as const;
type OutputMode = (typeof MODES)[number];

export function outputProperties(
	defaultMode: OutputMode,
	simplified: string,
	fieldsExample: string,
): INodeProperties[] {
	return [
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
			options: [
				{ name: 'Simplified', value: 'simplified', description: simplified },
				{ name: 'Raw', value: 'raw', description: 'Everything, as the service gives it' },
				{
					name: 'Selected Fields',
					value: 'selected',
					description: 'Only the fields you name, which keeps the answer short for an AI agent',
				},
			],
			default: defaultMode,
			description: 'How much of each result to return',
		},
		{
			displayName: 'Fields',
			name: 'fields',
			type: 'string',
			required: true,
			default: '',
			placeholder: `e.g. ${fieldsExample}`,
			description: 'Names of the fields to return, separated by commas; a dot goes one level down',
			displayOptions: { show: { output: ['selected'] } },
		},
	];
}

/** How one result of the service becomes the JSON of an item, by the Output choice. */
export function readOutput(
	context: InputContext,
	defaultMode: OutputMode,
	simplify: (resource: IDataObject) => IDataObject,
): (resource: IDataObject) => IDataObject {
	const mode = choice(context, parameter(context, 'output') ?? defaultMode, 'Output', MODES);
	if (mode === 'simplified') return simplify;
	if (mode === 'raw') return (resource) => resource;
	const fields = nameList(context, parameter(context, 'fields'), 'Fields');
	if (fields.length === 0) {
		throw badInput(
			context,
			"'Fields' is empty",
			"Enter the names of the fields to return in 'Fields', or choose another 'Output'.",
		);
	}
	return (resource) => pick(resource, fields);
}
