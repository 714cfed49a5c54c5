// The first counterexample kills a mutant; making it small would only take time.
require('fast-check').configureGlobal({ endOnFailure: true });
