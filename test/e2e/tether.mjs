// Preloaded (`node --import`) into every process the launcher starts. The IPC channel closes when the launcher ends,
// however it ends (a SIGKILL runs no handler there), and the process then ends itself instead of living on unseen.
const GRACE_MS = 5000;

if (process.connected) {
	process.once('disconnect', () => {
		// The pipes have lost their reader as well; a last message must not turn into an error.
		for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
		process.kill(process.pid, 'SIGTERM');
		// It leads a process group of its own (child.mts).
		setTimeout(() => process.kill(-process.pid, 'SIGKILL'), GRACE_MS).unref();
	});
	process.channel?.unref();
}
