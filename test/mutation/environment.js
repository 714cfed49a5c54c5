const { TestEnvironment } = require('jest-environment-node');

/** The mutant that a test has killed, by the number that Stryker gives it. */
let killed;

/** The first test that fails kills a mutant: those after it, each of which may hang, are skipped. */
module.exports = class extends TestEnvironment {
	async handleTestEvent(event) {
		const mutant = process.env.__STRYKER_ACTIVE_MUTANT__;
		if (mutant === undefined) return;
		if (event.name === 'test_fn_failure') killed = mutant;
		if (event.name === 'test_start' && killed === mutant) event.test.mode = 'skip';
	}
};
