import { AuditStore, newEntryId } from './auditStore.mts';
import { DEFAULTS, type Behaviour } from './behaviour.mts';
import { Clock } from './clock.mts';
import { Faults } from './faults.mts';
import { RateLimit } from './rateLimit.mts';
import { RequestLog } from './requestLog.mts';
import type { Actor, Affected, ApiKey, State, User } from './types.mts';

/** Address API changes are logged under. */
const API_IP = '127.0.0.1';

/** The running service: its state, its log, its clock and what tests have switched. */
export class Service {
	readonly clock: Clock;
	readonly log = new AuditStore();
	readonly requests = new RequestLog();
	readonly faults = new Faults();
	readonly rate = new RateLimit();
	/** Calls of the audit log by UTC day (days since the epoch). */
	readonly auditCalls = new Map<number, number>();
	readonly behaviour: Behaviour = structuredClone(DEFAULTS);
	state: State;
	/** Grows with every change, for the page and for saving. */
	version = 0;
	/** Work that falls due on the sandbox clock; each is called with the time. */
	readonly due: Array<(now: number) => void> = [];
	private readonly interned = new Map<string, Actor | Affected>();

	constructor(state: State, clock: Clock) {
		this.state = state;
		this.clock = clock;
	}

	/** Forgets everything but the state and the clock. */
	clear(): void {
		this.log.clear();
		this.requests.clear();
		this.faults.clear();
		this.faults.setLatency([]);
		this.rate.clear();
		this.auditCalls.clear();
	}

	/** Brings everything that falls due up to now. */
	tick(): void {
		const now = this.clock.now();
		for (const work of this.due) work(now);
		this.log.settle(now);
	}

	/** Writes an audit entry. @param date sandbox clock, now when absent. */
	record(actor: Actor, action: string, affected: Affected, date = this.clock.now(), ip = API_IP) {
		this.version++;
		this.log.insert({ date, key: newEntryId(), action, actor, affected, ip });
	}

	/** Writes an audit entry of a change made with an API key. */
	recordKey(key: ApiKey, action: string, type: string, id: string, date?: number): void {
		const { company } = this.state;
		this.record(this.keyActor(key), action, { company: company.id, id, type }, date);
	}

	keyActor(key: ApiKey): Actor {
		return this.shared({
			company: this.state.company.id,
			email: `api@${this.state.company.domain}`,
			id: key.id,
			name: key.name,
			type: 'APIKEY',
		});
	}

	userActor(user: User): Actor {
		return this.shared({
			company: this.state.company.id,
			email: user.userName,
			id: user.id,
			name: `${user.givenName} ${user.familyName}`.trim(),
			type: 'USER',
		});
	}

	/** Entries share equal actors and affected things: a million entries stay small and quick to send. */
	shared<T extends Actor | Affected>(value: T): T {
		const key = JSON.stringify(value);
		const known = this.interned.get(key);
		if (known) return known as T;
		this.interned.set(key, value);
		return value;
	}
}
