import type { INode } from 'n8n-workflow';

/** The node that errors are told of. */
export const node: INode = {
	id: '1',
	name: 'Mural Enterprise',
	type: 'n8n-nodes-mural-enterprise.muralEnterprise',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
