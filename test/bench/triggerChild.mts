import type { IDataObject, INode, INodeType } from 'n8n-workflow';
import type { Credential, Step } from './hostEngine.mts';
import { loadEngine, node } from './hostEngine.mts';

/** The trigger in n8n's PollContext, in a process of its own: prints what it measured as one line of JSON. */

export interface TriggerJob {
	credential: Credential;
	packageFolder: string;
	adminUrl: string;
}

export interface TriggerMeasured {
	/** Entries in the late-entries window. */
	remembered: number;
	stateBytes: number;
	/** A poll that finds nothing: the median of many. */
	quiet: Cost;
	/** The poll that reads the late-entries window again. */
	reRead: Cost;
}

const QUIET_POLLS = 50;
const HOUR = 3_600_000;

const { credential, packageFolder, adminUrl } = JSON.parse(process.argv[2]) as TriggerJob;
const step: Step = {
	name: 'Mural Enterprise Trigger',
	module: `${packageFolder}/dist/nodes/MuralEnterpriseTrigger/MuralEnterpriseTrigger.node.js`,
	className: 'MuralEnterpriseTrigger',
	type: 'n8n-nodes-mural-enterprise.muralEnterpriseTrigger',
	parameters: { startFrom: 'hours', hours: 48, options: { maxEntries: 10_000 } },
};
const { core, workflowPackage, nodeTypes, data } = await loadEngine(
	[step],
	packageFolder,
	credential,
);
const trigger = nodeTypes.getByNameAndVersion(step.type) as INodeType;
let staticData: IDataObject = {};

export interface Cost {
	ms: number;
	cpuMs: number;
	requests: number;
	emitted: number;
}

/** One poll on the state that the last one left, which goes through JSON as in n8n's database. The cost is the poll's. */
async function poll(): Promise<Cost> {
	const workflow = new workflowPackage.Workflow({
		id: 'bench',
		name: 'bench',
		nodes: [node(step)],
		connections: {},
		active: true,
		nodeTypes,
		staticData: JSON.parse(JSON.stringify(staticData)) as IDataObject,
		settings: {},
	});
	const own = workflow.getNode(step.name) as INode;
	const context = new core.PollContext(workflow, own, data, 'trigger', 'init');
	const before = await requests();
	const cpu = process.cpuUsage();
	const started = performance.now();
	const items = await trigger.poll?.call(context);
	const ms = performance.now() - started;
	const { user, system } = process.cpuUsage(cpu);
	staticData = JSON.parse(JSON.stringify(workflow.staticData)) as IDataObject;
	return {
		ms,
		cpuMs: (user + system) / 1000,
		requests: (await requests()) - before,
		emitted: items?.[0].length ?? 0,
	};
}

async function requests(): Promise<number> {
	const answer = await fetch(`${adminUrl}/counters`);
	return ((await answer.json()) as { total: number }).total;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1];

function typical(costs: Cost[]): Cost {
	const of = (key: keyof Cost) => median(costs.map((cost) => cost[key]));
	return { ms: of('ms'), cpuMs: of('cpuMs'), requests: of('requests'), emitted: of('emitted') };
}

let remembered = 0;
for (let { emitted } = await poll(); emitted > 0; { emitted } = await poll()) remembered += emitted;

const quietPolls: Cost[] = [];
for (let i = 0; i < QUIET_POLLS; i++) quietPolls.push(await poll());

const states = Object.values(staticData) as Array<{ cursor?: { swept: number } }>;
for (const { cursor } of states) if (cursor) cursor.swept -= HOUR;
const reRead = await poll();

const result: TriggerMeasured = {
	remembered,
	stateBytes: JSON.stringify(staticData).length,
	quiet: typical(quietPolls),
	reRead,
};
console.log(JSON.stringify(result));
process.exit(0);
