// The first counterexample kills a mutant; making it small would only take time. One run of a property takes
// milliseconds, so two seconds tell that it hangs.
require('fast-check').configureGlobal({ endOnFailure: true, timeout: 2000 });
