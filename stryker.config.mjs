import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { SOURCES } from './test/mutation/sources.mjs';

/**
 * Mutation testing of what must not be wrong: `npm run test:mutation`, see docs/mutation.md. Not part of CI: it takes
 * long. `MUTATE` names the source; test/mutation/run.mjs sets it for one after the other.
 */
const { MUTATE } = process.env;

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	mutate: [SOURCES[MUTATE].source],
	testRunner: 'jest',
	// Which tests run, test/stryker.jest.config.js says.
	jest: { configFile: 'test/stryker.jest.config.js', enableFindRelatedTests: false },
	coverageAnalysis: 'perTest',
	concurrency: 2,
	// Jest keeps the modules of every run; a new process now and then gives their memory back.
	maxTestRunnerReuse: 100,
	timeoutMS: 15_000,
	// The mutated copy lies outside the project, where lint would find it.
	tempDirName: join(tmpdir(), 'mural-enterprise-stryker'),
	ignorePatterns: ['.run', 'dist', 'docs', 'test/e2e', 'workflows'],
	// Killed and survived mutants whose tests and source are as they were are not run again; --force runs all.
	incremental: true,
	incrementalFile: `.run/mutation/${MUTATE}.incremental.json`,
	reporters: ['clear-text', 'html', 'json'],
	clearTextReporter: { allowColor: false, logTests: false },
	htmlReporter: { fileName: `.run/mutation/${MUTATE}.html` },
	jsonReporter: { fileName: `.run/mutation/${MUTATE}.json` },
	thresholds: { high: 90, low: 85, break: 85 },
};
