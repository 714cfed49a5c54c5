import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** What every example has to be before it is imported; that each works is proved in test/e2e/suites/examples.mts. */

interface Node {
	id: string;
	name: string;
	type: string;
	position: [x: number, y: number];
	parameters: { content?: string; width?: number; height?: number };
	credentials?: Record<string, { id: null; name: string }>;
}

interface Workflow {
	name: string;
	active?: boolean;
	nodes: Node[];
	connections: Record<string, { main: Array<Array<{ node: string }>> }>;
}

const folder = resolve(import.meta.dirname, '../../workflows');
const files = readdirSync(folder);
const OWN = 'n8n-nodes-mural-enterprise.';
const STICKY = 'n8n-nodes-base.stickyNote';
/** On the canvas, with the name below it. */
const NODE_SIZE = { width: 160, height: 140 };

const isTrigger = ({ type }: Node) => /trigger$/i.test(type);

function box({ position: [x, y], parameters, type }: Node) {
	const { width, height } = type === STICKY ? parameters : NODE_SIZE;
	return { left: x, top: y, right: x + (width ?? 0), bottom: y + (height ?? 0) };
}

function overlap(one: Node, other: Node): boolean {
	const [a, b] = [box(one), box(other)];
	return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

test('there are examples', () => expect(files.length).toBeGreaterThan(0));

describe.each(files)('%s', (file) => {
	const text = readFileSync(join(folder, file), 'utf8');
	const { nodes, connections, active, name } = JSON.parse(text) as Workflow;

	test('has a name, is not active and explains itself', () => {
		expect(active ?? false).toBe(false);
		const [note, ...more] = nodes.filter(({ type }) => type === STICKY);
		expect(more).toEqual([]);
		expect(note.parameters.content).toMatch(new RegExp(`^## ${name}\n\n`));
	});

	test('brings no credential and no address but a placeholder', () => {
		const own = nodes.filter(({ type }) => type.startsWith(OWN));
		expect(own.length).toBeGreaterThan(0);
		for (const { credentials } of own) {
			expect(credentials).toEqual({
				muralEnterpriseApi: { id: null, name: 'Mural Enterprise account' },
			});
		}
		const addresses = text.match(/https?:\/\/[^"\\\s]+/g) ?? [];
		for (const address of addresses) expect(address).toMatch(/^https:\/\/example\.com\//);
		expect(text).not.toMatch(/"(?:\/|[A-Za-z]:\\\\)[A-Za-z]/);
	});

	test('its nodes have ids of their own and do not overlap', () => {
		expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
		const pairs = nodes.flatMap((one, i) => nodes.slice(i + 1).map((other) => [one, other]));
		const overlapping = pairs.filter(([one, other]) => overlap(one, other));
		expect(overlapping.map((pair) => pair.map((node) => node.name))).toEqual([]);
	});

	test('every node is reached from a trigger, and none is a Code node', () => {
		const reached = new Set(nodes.filter(isTrigger).map((node) => node.name));
		for (const from of reached) {
			for (const { node } of connections[from]?.main.flat() ?? []) reached.add(node);
		}
		const steps = nodes.filter(({ type }) => type !== STICKY);
		expect([...reached].sort()).toEqual(steps.map((node) => node.name).sort());
		expect(steps.map(({ type }) => type)).not.toContain('n8n-nodes-base.code');
	});
});
