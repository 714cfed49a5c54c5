import type { INodeParameters } from 'n8n-workflow';
import type { Credential, Step } from './hostEngine.mts';

/** What one process of the bench does, and what it measures. */

export interface Job {
	/** Reads pages with fetch and throws them away, or runs steps in n8n's engine. */
	kind: 'fetch' | 'steps';
	steps: Step[];
	credential: Credential;
	packageFolder: string;
	/** ISO; the range of a short run beforehand, so that code is compiled and loaded. */
	warmUpSince: string;
}

export interface Measured {
	entries: number;
	/** Of the run alone, milliseconds. */
	ms: number;
	cpuMs: number;
	/** Resident memory of the process in MB: before the run, at its highest. */
	idleMb: number;
	peakMb: number;
}

/** Our node with these parameters. */
export function muralEnterprise(packageFolder: string, parameters: INodeParameters): Step[] {
	return [
		{
			name: 'Mural Enterprise',
			module: `${packageFolder}/dist/nodes/MuralEnterprise/MuralEnterprise.node.js`,
			className: 'MuralEnterprise',
			type: 'n8n-nodes-mural-enterprise.muralEnterprise',
			parameters: { resource: 'auditLog', ...parameters },
		},
	];
}

/** The same job with n8n's own nodes, in their newest versions. */
export function httpRequest({ baseUrl }: Credential): Step[] {
	const token = { type: 'qs', name: 'nextToken', value: '={{ $response.body.nextToken }}' };
	const pagination = {
		paginationMode: 'updateAParameterInEachRequest',
		parameters: { parameters: [token] },
		paginationCompleteWhen: 'other',
		completeExpression: '={{ $response.body.data.length === 0 }}',
		limitPagesFetched: false,
		requestInterval: 0,
	};
	return [
		{
			name: 'HTTP Request',
			module: 'n8n-nodes-base/dist/nodes/HttpRequest/HttpRequest.node.js',
			className: 'HttpRequest',
			type: 'n8n-nodes-base.httpRequest',
			version: 4.5,
			parameters: {
				url: `${baseUrl}/audit-log`,
				authentication: 'predefinedCredentialType',
				nodeCredentialType: 'muralEnterpriseApi',
				sendQuery: true,
				queryParameters: { parameters: [{ name: 'maxResults', value: '1000' }] },
				options: { pagination: { pagination } },
			},
		},
		{
			name: 'Split Out',
			module: 'n8n-nodes-base/dist/nodes/Transform/SplitOut/SplitOut.node.js',
			className: 'SplitOut',
			type: 'n8n-nodes-base.splitOut',
			parameters: { fieldToSplitOut: 'data' },
		},
	];
}

/** The parameters of a step, for entries since a moment only. */
export function limitedTo(since: string) {
	return (parameters: INodeParameters): INodeParameters => {
		if (parameters.resource === 'auditLog') return { ...parameters, filters: { since } };
		if (!parameters.sendQuery) return parameters;
		const bound = { name: 'filter[date][since]', value: filterDate(since) };
		const { parameters: known } = parameters.queryParameters as { parameters: object[] };
		return { ...parameters, queryParameters: { parameters: [...known, bound] } } as INodeParameters;
	};
}

export const filterDate = (iso: string) => iso.slice(0, 19).replace('T', ' ');
