import type { SandboxProcess } from '../sandboxProcess.mts';
import type { EntryInput } from '../../sandbox/entries.mts';
import type { Fault } from '../../sandbox/faults.mts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Share of the requests that each of these hits. */
const RATE = 0.03;
const AUDIT = { path: '^/audit-log', rate: RATE, count: null };
const FAULTS: Fault[] = [
	{ ...AUDIT, kind: 'status', status: 429, retryAfter: 1 },
	{ ...AUDIT, kind: 'status', status: 500 },
	{ ...AUDIT, kind: 'reset' },
	{ ...AUDIT, kind: 'truncate' },
	{ ...AUDIT, kind: 'slow', ms: 1500 },
];

/** How long answers take, so that a kill can hit a request. */
const LATENCY = { path: '^/audit-log', ms: 250, jitterMs: 250 };

/** Longer than the trigger waits between two looks for late entries. */
const DOWNTIME_MS = 70_000;

const LONGEST_DELAY_MS = 20 * MINUTE_MS;

/** People at work, ties, bursts, entries that appear late, and a service that fails now and then. */
export class Traffic {
	readonly #admin: SandboxProcess['admin'];
	#timer: NodeJS.Timeout | undefined;
	#beat = 0;
	/** No entry is dated before it. */
	readonly #from: number;

	private constructor(admin: SandboxProcess['admin'], from: number) {
		this.#admin = admin;
		this.#from = from;
	}

	/** @param admin of a sandbox in which the trigger has begun to watch the log */
	static async start(admin: SandboxProcess['admin']): Promise<Traffic> {
		const traffic = new Traffic(admin, await admin.now());
		// Room for entries that are dated long before they appear.
		await admin.advance(2 * HOUR_MS);
		await admin.setLatency(LATENCY);
		for (const fault of FAULTS) await admin.fault(fault);
		await admin.live({ perMinute: 120, lateShare: 0.1, lateMs: LONGEST_DELAY_MS });
		traffic.#timer = setInterval(() => void traffic.#insert(), 1000);
		traffic.#timer.unref();
		return traffic;
	}

	/** n8n is down for a while that nobody waits for; people have worked meanwhile. */
	async pass(): Promise<void> {
		await this.#admin.advance(DOWNTIME_MS);
	}

	/** People rest, the service recovers, and everything that was to appear late appears. */
	async stop(): Promise<void> {
		this.end();
		await this.#admin.live(null);
		await this.#admin.clearFaults();
		await this.#admin.setLatency(null);
		await this.#admin.advance(LONGEST_DELAY_MS + 2 * MINUTE_MS);
	}

	/** Nothing is inserted any more. */
	end(): void {
		clearInterval(this.#timer);
	}

	async #insert(): Promise<void> {
		const now = await this.#admin.now();
		const tie = Array.from({ length: 5 }, () => ({ date: now }));
		const burst: EntryInput[] = ++this.#beat % 7 === 0 ? this.#burst(now) : [];
		// It happened at any time since the start and appears now, or happens now and appears later.
		const since = this.#from + Math.floor(Math.random() * (now - this.#from));
		const later = now + Math.ceil(Math.random() * LONGEST_DELAY_MS);
		const late = [{ date: since }, { date: now, appearsAt: later }];
		await this.#admin.insertEntries([...tie, ...burst, ...late]);
	}

	/** Within two seconds, in runs that share a millisecond. */
	#burst(now: number): EntryInput[] {
		return Array.from({ length: 60 }, (_, index) => ({
			date: now - Math.floor(index / 10) * 130,
		}));
	}
}
