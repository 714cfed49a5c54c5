import type { Workflow } from '../n8nApi.mts';
import { everySeconds } from '../pollTimes.mts';
import type { CredentialRef } from '../workflows.mts';

export const TRIGGER = 'New audit entries';

/** Longer than the sandbox's clock goes on in a run, so that no entry is ever too late. */
const LATE_HOURS = 24;

/** The trigger as a person uses it, with small pages so that polls take several, and a node that posts the ids. */
export function collectingWorkflow(credential: CredentialRef, collectorUrl: string): Workflow {
	return {
		name: 'Collect audit entries',
		nodes: [
			{
				id: 'trigger',
				name: TRIGGER,
				type: 'n8n-nodes-mural-enterprise.muralEnterpriseTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {
					pollTimes: everySeconds(3),
					options: { lateHours: LATE_HOURS, reReadMinutes: 1, pageSize: 200 },
				},
				credentials: { [credential.type]: { id: credential.id, name: credential.name } },
			},
			{
				id: 'collect',
				name: 'Collect',
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				position: [220, 0],
				executeOnce: true,
				parameters: {
					method: 'POST',
					url: collectorUrl,
					sendBody: true,
					specifyBody: 'json',
					jsonBody: '={{ JSON.stringify($input.all().map(({ json }) => json.id)) }}',
					options: {},
				},
			},
		],
		connections: { [TRIGGER]: { main: [[{ node: 'Collect', type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	};
}
