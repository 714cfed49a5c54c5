import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { resources } from '../../nodes/MuralEnterprise/actions/index';

const readme = readFileSync(join(__dirname, '../../README.md'), 'utf8');

test('the operations table has one row for every operation, and no other', () => {
	const [table] = /\| Resource \| Operation \|[^]*?\n\n/.exec(readme) ?? [''];
	const rows = table
		.trim()
		.split('\n')
		.slice(2)
		.map((row) => row.split('|').slice(1, 3).map((cell) => cell.trim()).join(': '));
	const operations = resources.flatMap(({ label, operations: all }) =>
		all.map(({ option }) => `${label}: ${option.name}`),
	);
	expect(rows).toEqual(operations.sort());
});

test('the error table names every error code of the service', () => {
	const codes = [
		'API_KEY',
		'SCOPES',
		'SAME_USER',
		'FROM_USER_NOT_MEMBER',
		'TO_USER_NOT_MEMBER',
		'TO_USER_NOT_WORKSPACE_MEMBER',
		'429',
		'409',
	];
	const [table] = /\| Message \| HTTP, code \|[^]*?\n\n/.exec(readme) ?? [''];
	expect(codes.filter((code) => !table.includes(code))).toEqual([]);
});

test('nothing is left to be filled in', () => {
	expect(readme).not.toMatch(/<!--|TODO|TBD/);
});
