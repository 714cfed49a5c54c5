/**
 * What is mutated, each source with the unit tests that are about it: others only pass through it, and loading them for
 * every mutant takes most of the time.
 */
const trigger = (name) => ({
	source: `nodes/MuralEnterpriseTrigger/${name}.ts`,
	tests: ['state', 'cases', 'cursor'].map((test) => `MuralEnterpriseTrigger/${test}`),
});
const shared = (name, ...tests) => ({
	source: `nodes/shared/${name}.ts`,
	tests: [name, ...tests].map((test) => `shared/${test}`),
});

/** @type {Record<string, { source: string, tests: string[] }>} */
export const SOURCES = {
	retry: shared('retry', 'attempts'),
	rateLimit: shared('rateLimit'),
	errors: shared('errors', 'withProgress'),
	answer: shared('answer'),
	scimList: shared('scimList'),
	auditLog: shared('auditLog', 'isoDate', 'mergeNewestFirst'),
	auditWindows: shared('auditWindows'),
	slices: trigger('slices'),
	seen: trigger('seen'),
	state: trigger('state'),
	readRange: trigger('readRange'),
	cursor: trigger('cursor'),
};
