import type { Fault } from '../sandbox/index.mts';
import type { RemoteControls } from '../sandbox/index.mts';
import type { Random } from '../sandbox/random.mts';

/** What goes wrong in a minute. */

type Kind = (random: Random) => Fault;

const asked = (random: Random) => ({
	retryAfter: random.int(1, 4),
	retryAfterAs: random.pick(['seconds', 'date'] as const),
});

/** A kind that stands here twice is met twice as often. */
const KINDS: Kind[] = [
	() => ({ kind: 'status', status: 429 }),
	(random) => ({ kind: 'status', status: 429, ...asked(random) }),
	(random) => ({ kind: 'status', status: 429, ...asked(random), count: 6 }),
	() => ({ kind: 'status', status: 500 }),
	() => ({ kind: 'status', status: 500, applied: true }),
	(random) => ({ kind: 'status', status: 503, ...asked(random) }),
	() => ({ kind: 'status', status: 503, count: 8 }),
	() => ({ kind: 'status', status: 403 }),
	() => ({ kind: 'reset' }),
	() => ({ kind: 'reset' }),
	() => ({ kind: 'reset', applied: true }),
	() => ({ kind: 'reset', applied: true }),
	(random) => ({ kind: 'slow', ms: random.int(20, 150) }),
	() => ({ kind: 'truncate', as: 'connection' }),
	() => ({ kind: 'truncate', as: 'json' }),
	() => ({ kind: 'contentType', contentType: 'text/plain' }),
	() => ({ kind: 'html' }),
	() => ({ kind: 'html', applied: true }),
	() => ({ kind: 'html', status: 502 }),
	(random) => ({ kind: 'echo', as: random.pick(['html', 'json'] as const), applied: true }),
];

const PATHS = ['^/audit-log', '^/scim/Users', '^/scim/Groups', '^/mapping', '^/workspaces', '.'];

/** Minutes between requests that get no answer, which cost a time limit in real time each. */
const HANG_EVERY = 6;

/** Arms a few faults, each for some of the next requests of one part of the service. */
export async function armFaults(
	admin: RemoteControls,
	random: Random,
	minute: number,
): Promise<void> {
	for (let left = random.int(5, 10); left > 0; left--) {
		const fault = random.pick(KINDS)(random);
		const at = { path: random.pick(PATHS), skip: random.int(0, 12) };
		await admin.fault({ count: random.int(1, 3), ...fault, ...at });
	}
	// One part recovers from nothing: every request fails for the minute.
	if (random.chance(0.1)) {
		await admin.fault({ kind: 'status', status: 503, path: random.pick(PATHS), count: null });
	}
	if (minute % HANG_EVERY === 0) {
		await admin.fault({ kind: 'hang', path: random.pick(PATHS), applied: random.chance(0.5) });
	}
}
