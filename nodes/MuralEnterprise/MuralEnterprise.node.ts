import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IExecuteFunctions,
	INodeCredentialTestResult,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { testCredential } from '../shared/credentialTest';
import { resources } from './actions';
import { resourceProperties } from './actions/operation';
import { route } from './actions/router';
import {
	searchGroups,
	searchMappedGroups,
	searchUsers,
	searchWorkspaces,
} from './methods/listSearch';

export class MuralEnterprise implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Mural Enterprise',
		name: 'muralEnterprise',
		icon: {
			light: 'file:../../icons/muralEnterprise.svg',
			dark: 'file:../../icons/muralEnterprise.dark.svg',
		},
		group: ['transform'],
		version: 1,
		// In words: `get many: audit log`.
		subtitle:
			'={{ ($parameter["operation"].replace("getAll", "getMany").replace("upsert", "createOrUpdate") + ": " + $parameter["resource"]).replace(/[A-Z]/g, (letter) => " " + letter.toLowerCase()) }}',
		description:
			'Administer a Mural Enterprise account: audit log, members, groups, workspace mappings, content transfer',
		defaults: { name: 'Mural Enterprise' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'muralEnterpriseApi', required: true, testedBy: 'muralEnterpriseApiTest' },
		],
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: resources.map(({ label, key }) => ({ name: label, value: key })),
				default: 'user',
			},
			...resources.flatMap(resourceProperties),
		],
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
		listSearch: { searchGroups, searchMappedGroups, searchUsers, searchWorkspaces },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await route.call(this);
	}
}
