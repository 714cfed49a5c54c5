// Mutation testing of what must not be wrong: `npm run test:mutation`. Not part of CI: it takes long.
/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	mutate: [
		'nodes/MuralEnterpriseTrigger/{cursor,readRange,seen,slices,state}.ts',
		'nodes/shared/{answer,auditLog,auditWindows,errors,rateLimit,retry,scimList}.ts',
	],
	testRunner: 'jest',
	jest: { configFile: 'test/stryker.jest.config.js', enableFindRelatedTests: true },
	coverageAnalysis: 'perTest',
	concurrency: 2,
	timeoutMS: 20_000,
	tempDirName: '.run/stryker',
	ignorePatterns: ['.run', 'dist', 'docs', 'test/e2e', 'workflows'],
	reporters: ['clear-text', 'html', 'json'],
	htmlReporter: { fileName: '.run/mutation/index.html' },
	jsonReporter: { fileName: '.run/mutation/report.json' },
	thresholds: { high: 90, low: 85, break: 85 },
};
