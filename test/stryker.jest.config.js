const path = require('node:path');

const base = require('../jest.config.js');
const { SOURCES } = require('./mutation/sources.mjs');

// Fewer schedules a run: a mutant that survives a few hundred is looked at by hand.
process.env.CURSOR_RUNS ??= '300';

/** @type {import('jest').Config} */
module.exports = {
	...base,
	rootDir: path.resolve(__dirname, '..'),
	testMatch: SOURCES[process.env.MUTATE].tests.map(
		(name) => `<rootDir>/test/unit/${name}.test.mts`,
	),
	testEnvironment: path.resolve(__dirname, 'mutation/environment.js'),
	testSequencer: path.resolve(__dirname, 'mutation/sequencer.js'),
	setupFiles: ['<rootDir>/test/mutation/setup.js'],
};
