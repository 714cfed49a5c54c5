import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createCompoundSchema } from 'genson-js';
import type { Schema } from 'genson-js';

import { resources } from '../../nodes/MuralEnterprise/actions/index';
import type { Sandbox } from '../sandbox/index.mts';
import { startSandbox } from '../sandbox/index.mts';
import { operationCases } from './cases.mts';
import { runForJson } from './engine.mts';

/**
 * The field previews in `__schema__` are what the sandbox's answers look like after they went through the node.
 * `npm run schemas` writes them; this test fails when they no longer fit.
 */

const ROOT = join(__dirname, '../../nodes/MuralEnterprise/__schema__/v1.0.0');
const isWriting = process.env.SCHEMAS === 'write';

/** Without `required`: a preview shows what can be there. */
function preview(schema: Schema): Schema {
	const { required: _, ...rest } = schema;
	const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => [
		name,
		preview(property),
	]);
	return {
		...rest,
		...(schema.items ? { items: preview(schema.items) } : {}),
		...(schema.properties ? { properties: Object.fromEntries(properties) } : {}),
	};
}

const file = (resource: string, operation: string) => join(ROOT, resource, `${operation}.json`);

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ seed: 1 });
});
afterAll(async () => await sandbox.close());

const all = resources.flatMap(({ key, operations }) =>
	operations.map(({ option }) => [key, option.value] as const),
);

test.each(all)('%s: %s', async (resource, operation) => {
	const found = operationCases(sandbox).find(
		(each) => each.resource === resource && each.operation === operation,
	);
	if (!found) throw new Error(`test/engine/cases.mts has no case for ${resource} ${operation}`);
	const items = await runForJson({
		parameters: { resource, operation, ...found.parameters },
		credential: { apiKey: sandbox.key, baseUrl: sandbox.url },
	});
	expect(items.length).toBeGreaterThan(0);
	const schema = { ...preview(createCompoundSchema(items)), version: 1 };
	const path = file(resource, operation);
	if (isWriting) {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, `${JSON.stringify(schema, undefined, '\t')}\n`);
	}
	expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(schema);
});

test('there is no preview of an operation that does not exist', () => {
	const files = existsSync(ROOT)
		? readdirSync(ROOT).flatMap((folder) =>
				readdirSync(join(ROOT, folder)).map((name) => join(ROOT, folder, name)),
			)
		: [];
	expect(files.sort()).toEqual(
		all.map(([resource, operation]) => file(resource, operation)).sort(),
	);
});
