import { optionsCollection } from '../../../shared/descriptions';
import { getServiceProviderConfig, simplifyConfig } from '../../../shared/serviceProviderConfig';
import type { Operation } from '../operation';
import { toItem } from '../operation';
import { outputProperties, readOutput } from '../output';

/** Spec: Service provider configuration. */
export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get the service provider config',
		description: 'Read which SCIM operations the service supports',
	},
	properties: [
		...outputProperties('raw', 'One flag a feature', 'patch.supported, filter.supported'),
		optionsCollection(),
	],
	async execute(context) {
		const { client, itemIndex } = context;
		const shape = readOutput(context, 'raw', simplifyConfig);
		return [toItem(context, shape(await getServiceProviderConfig(client, itemIndex)))];
	},
};
