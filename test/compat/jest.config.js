const path = require('node:path');
const base = require('../../jest.config.js');

const host = '<rootDir>/.run/compat/node_modules';

/**
 * The engine suite with the built package (dist) in the engine of the oldest n8n line that is supported. test/compat
 * pins that engine; test/compat/run.mjs installs it.
 * @type {import('jest').Config}
 */
module.exports = {
	...base,
	rootDir: path.resolve(__dirname, '../..'),
	testMatch: ['<rootDir>/test/engine/**/*.test.mts'],
	// That engine has no durable cursors.
	testPathIgnorePatterns: ['/triggerDurable\\.test'],
	modulePathIgnorePatterns: [
		'<rootDir>/.run/(?!compat/node_modules)',
		'<rootDir>/dist/package.json',
	],
	moduleNameMapper: {
		'^(n8n-core|n8n-workflow|luxon|lodash|p-limit)$': `${host}/$1`,
		// What n8n loads; the tests take some lists and helpers from the sources.
		'^(?:\\.\\./)+((?:nodes|credentials)/.+\\.(?:node|credentials))(?:\\.ts)?$':
			'<rootDir>/dist/$1.js',
	},
};
