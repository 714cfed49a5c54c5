const { default: Sequencer } = require('@jest/test-sequencer');

const { SOURCES } = require('./sources.mjs');

/** In the order of the table: what takes long comes last, and most mutants do not live to see it. */
module.exports = class extends Sequencer {
	sort(tests) {
		const order = SOURCES[process.env.MUTATE].tests;
		const place = ({ path }) => order.findIndex((name) => path.endsWith(`/${name}.test.mts`));
		return [...tests].sort((a, b) => place(a) - place(b));
	}
};
