const base = require('../jest.config.js');

// Unit tests only, and fewer schedules a run: a mutant that survives a few hundred is looked at by hand.
process.env.CURSOR_RUNS ??= '300';

/** @type {import('jest').Config} */
module.exports = {
	...base,
	rootDir: require('node:path').resolve(__dirname, '..'),
	testMatch: ['<rootDir>/test/unit/{shared,MuralEnterpriseTrigger}/**/*.test.mts'],
	modulePathIgnorePatterns: ['<rootDir>/dist/'],
};
