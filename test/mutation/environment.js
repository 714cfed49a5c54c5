const { TestEnvironment } = require('jest-environment-node');

/** The first test that fails kills a mutant: those after it in the same file, each of which may hang, are skipped. */
module.exports = class extends TestEnvironment {
	async handleTestEvent(event) {
		if (event.name === 'test_fn_failure') this.failed = true;
		if (event.name === 'test_start' && this.failed) event.test.mode = 'skip';
	}
};
