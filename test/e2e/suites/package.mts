import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, join, sep } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { cleanEnvironment } from '../n8nHost.mts';
import { hostDir, projectDir } from '../paths.mts';
import { CREDENTIAL_TYPE } from '../stack.mts';
import { suiteStack, tarball } from '../suite.mts';

const execute = promisify(execFile);
const PACKAGE = 'n8n-nodes-mural-enterprise';

interface Property {
	name: string;
	options?: Array<{ value: string; action?: string }>;
	displayOptions?: { show?: Record<string, string[]> };
}

interface TypeDescription {
	name: string;
	version: number;
	iconUrl: { light: string; dark: string };
	properties: Property[];
	codex?: { categories?: string[]; alias?: string[] };
}

const { host, credential, userFolder } = await suiteStack('package');
const installedFolder = join(userFolder, '.n8n', 'nodes', 'node_modules', PACKAGE);
const types = (await host.api.nodeTypes()) as unknown as TypeDescription[];
const typeOf = (name: string) => {
	const found = types.find((type) => type.name === `${PACKAGE}.${name}`);
	assert.ok(found, `n8n has not loaded ${name}`);
	return found;
};

test('the tarball holds what a user needs and nothing else', async () => {
	const { stdout } = await execute('tar', ['-tzf', tarball()]);
	const files = stdout.trim().split('\n');
	const besides = files.filter((file) => !file.startsWith('package/dist/')).sort();
	assert.deepEqual(
		besides,
		['CHANGELOG.md', 'LICENSE.md', 'README.md', 'package.json'].map((file) => `package/${file}`),
	);
	const folders = new Set(files.map((file) => file.split('/').slice(1, 3).join('/')));
	for (const folder of ['dist/credentials', 'dist/icons', 'dist/nodes']) folders.delete(folder);
	assert.deepEqual([...folders].filter((path) => path.startsWith('dist/')).sort(), [
		'dist/code.js',
		'dist/package.json',
	]);
	const kinds = new Set(files.map((file) => file.slice(file.lastIndexOf('.'))));
	assert.deepEqual([...kinds].sort(), ['.js', '.json', '.md', '.svg']);
});

test('it brings no module along; those it uses are the host’s', async () => {
	const { stdout } = await execute('grep', [
		...['-rhoE', 'require\\("[^."][^"]*"\\)', join(installedFolder, 'dist')],
	]);
	const used = new Set([...stdout.matchAll(/"(.+)"/g)].map(([, name]) => name));
	used.delete('crypto');
	assert.deepEqual([...used].sort(), ['lodash', 'luxon', 'n8n-workflow', 'p-limit']);

	// What LoadNodesAndCredentials.init() does before it loads a package.
	const loader = createRequire(
		join(hostDir, 'node_modules/n8n/dist/load-nodes-and-credentials.js'),
	);
	const searched = loader.resolve.paths('luxon')!.join(delimiter);
	const script = `
		const fromPackage = require('module').createRequire(process.argv[1] + '/package.json');
		console.log(JSON.stringify(process.argv.slice(2).map((name) => fromPackage.resolve(name))));`;
	const { stdout: paths } = await execute(
		process.execPath,
		['-e', script, installedFolder, ...used],
		{ env: { ...cleanEnvironment(), NODE_PATH: searched } },
	);
	for (const path of JSON.parse(paths) as string[]) {
		assert.ok(path.includes(`${join('host', 'node_modules')}${sep}`), path);
	}
});

test('node, tool and trigger are listed, with categories and words to find them by', () => {
	for (const name of ['muralEnterprise', 'muralEnterpriseTool', 'muralEnterpriseTrigger']) {
		const { codex } = typeOf(name);
		assert.ok(codex?.categories?.length, `${name} has no category`);
		const words = name.endsWith('Trigger')
			? ['Mural', 'audit log', 'security', 'alert']
			: ['Mural', 'SCIM', 'audit', 'provisioning', 'offboarding', 'suspend'];
		for (const word of words) {
			assert.ok(codex.alias?.includes(word), `${name} is not found by ${word}`);
		}
	}
});

test('their icons are served, one for each theme', async () => {
	const credentials = await host.api.request<TypeDescription[]>('GET', '/types/credentials.json');
	const own = credentials.find(({ name }) => name === CREDENTIAL_TYPE);
	assert.ok(own);
	for (const { name, iconUrl } of [
		own,
		typeOf('muralEnterprise'),
		typeOf('muralEnterpriseTrigger'),
	]) {
		const drawings = await Promise.all(
			[iconUrl.light, iconUrl.dark].map(async (path) => {
				const answer = await fetch(`${host.url}/${path}`);
				assert.equal(answer.status, 200, `${name}: ${path}`);
				assert.match(answer.headers.get('content-type') ?? '', /^image\/svg\+xml/);
				return await answer.text();
			}),
		);
		for (const drawing of drawings) assert.match(drawing, /<svg[^]+<path/);
		assert.notEqual(drawings[0], drawings[1]);
	}
});

test('the running n8n serves the field preview of every operation', async () => {
	const { name, version, properties } = typeOf('muralEnterprise');
	const operations = properties
		.filter((property) => property.name === 'operation')
		.flatMap(({ options = [], displayOptions }) =>
			options.map(({ value }) => [displayOptions!.show!.resource[0], value] as const),
		);
	const resources = properties.find((property) => property.name === 'resource')!.options!;
	assert.deepEqual(
		new Set(operations.map(([resource]) => resource)),
		new Set(resources.map(({ value }) => value)),
	);
	const served = (path: string) => `${host.url}/schemas/${name}/${version}.0.0/${path}.json`;
	for (const [resource, operation] of operations) {
		const answer = await fetch(served(`${resource}/${operation}`));
		assert.equal(answer.status, 200, `${resource}/${operation}`);
		const schema = (await answer.json()) as { type: string; properties: object };
		assert.equal(schema.type, 'object');
		assert.ok(Object.keys(schema.properties).length > 0, `${resource}/${operation} is empty`);
		const source = await readFile(
			join(
				projectDir,
				`nodes/MuralEnterprise/__schema__/v${version}.0.0/${resource}/${operation}.json`,
			),
			'utf8',
		);
		assert.deepEqual(schema, JSON.parse(source));
	}
	assert.equal((await fetch(served('user/levitate'))).status, 404);
});

test('n8n lists the package as installed, and the credential’s test passes', async () => {
	const listed = (await host.api.communityPackages()).find(
		({ packageName }) => packageName === PACKAGE,
	);
	assert.ok(listed && listed.failedLoading !== true);
	const result = await host.api.testCredential(credential.id, CREDENTIAL_TYPE, credential.name);
	assert.deepEqual(result, { status: 'OK', message: 'Connection successful' });
});
