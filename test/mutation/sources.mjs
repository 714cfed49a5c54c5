/**
 * What is mutated, each source with the unit tests that are about it: others only pass through it, and loading them for
 * every mutant takes most of the time. The quickest ones first.
 */
const from = (folder) => (name, tests) => ({
	source: `nodes/${folder}/${name}.ts`,
	tests: tests.map((test) => `${folder}/${test}`),
});
const shared = from('shared');
const trigger = from('MuralEnterpriseTrigger');

/** @type {Record<string, { source: string, tests: string[] }>} */
export const SOURCES = {
	retry: shared('retry', ['retry', 'attempts']),
	rateLimit: shared('rateLimit', ['rateLimit']),
	errors: shared('errors', ['errors', 'withProgress']),
	answer: shared('answer', ['answer']),
	scimList: shared('scimList', ['scimList', 'scimListPage', 'scimListAhead']),
	auditLog: shared('auditLog', ['auditLog', 'isoDate', 'mergeNewestFirst']),
	auditWindows: shared('auditWindows', ['auditWindowsRequests', 'auditWindows']),
	slices: trigger('slices', ['slices', 'cursor']),
	seen: trigger('seen', ['state', 'cursor']),
	state: trigger('state', ['state', 'cursor']),
	readRange: trigger('readRange', ['readRange', 'cases', 'cursor']),
	cursor: trigger('cursor', ['cases', 'poll', 'backlog', 'ahead', 'cursor']),
};
