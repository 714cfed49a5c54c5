import type { IncomingHttpHeaders } from 'node:http';

export interface LoggedRequest {
	n: number;
	/** Real time of arrival, ISO. */
	at: string;
	method: string;
	/** Path below the base path, percent-encoded as it came. */
	path: string;
	query: Record<string, unknown>;
	/** Without Authorization. */
	headers: IncomingHttpHeaders;
	/** Raw body text, '' when there is none. */
	body: string;
	/** Whether the Authorization header held a key of the sandbox. */
	keyMatched: boolean;
	/** Whether a key stood where no key belongs: URL, body or another header. */
	keyLeaked: boolean;
	/** Kind of the fault that hit the request. */
	fault?: string;
	/** Absent while the request is open and when the connection was cut. */
	status?: number;
	/** Status of the service's own answer, whatever a fault then made of it; absent when a fault came before. */
	trueStatus?: number;
	/** Milliseconds until the answer was sent. */
	ms?: number;
}

export interface Counters {
	total: number;
	open: number;
	/** Requests answered per `METHOD /route/:id`. */
	perRoute: Record<string, number>;
	perStatus: Record<string, number>;
	/** Most transfer requests that arrived within any second, and most that were let through. */
	transferPerSecond: { max: number; maxAccepted: number };
}

/** Most events within any window of one second. */
class Peak {
	private times: number[] = [];
	private head = 0;
	max = 0;

	add(now: number): void {
		this.times.push(now);
		while (this.times[this.head] <= now - 1000) this.head++;
		this.max = Math.max(this.max, this.times.length - this.head);
		if (this.head > 1000) this.times = this.times.splice(this.head, Infinity);
		if (this.times.length < this.head) this.head = 0;
	}
}

const KEPT = 100_000;

/** Every request to the API part, newest last; the counters also hold what the list has dropped. */
export class RequestLog {
	list: LoggedRequest[] = [];
	private count = 0;
	private open = 0;
	private perRoute = new Map<string, number>();
	private perStatus = new Map<string, number>();
	private arrived = new Peak();
	private accepted = new Peak();

	add(request: Omit<LoggedRequest, 'n' | 'at' | 'body'>): LoggedRequest {
		const entry = {
			n: ++this.count,
			at: new Date().toISOString(),
			body: '',
			...request,
		};
		this.list.push(entry);
		if (this.list.length > 2 * KEPT) this.list = this.list.slice(-KEPT);
		this.open++;
		return entry;
	}

	close(entry: LoggedRequest, route: string, ms: number, status?: number): void {
		this.open--;
		entry.ms = ms;
		entry.status = status;
		this.perRoute.set(route, (this.perRoute.get(route) ?? 0) + 1);
		const key = String(status ?? 'none');
		this.perStatus.set(key, (this.perStatus.get(key) ?? 0) + 1);
	}

	transferArrived(): void {
		this.arrived.add(performance.now());
	}

	transferAccepted(): void {
		this.accepted.add(performance.now());
	}

	counters(): Counters {
		return {
			total: this.count,
			open: this.open,
			perRoute: Object.fromEntries(this.perRoute),
			perStatus: Object.fromEntries(this.perStatus),
			transferPerSecond: { max: this.arrived.max, maxAccepted: this.accepted.max },
		};
	}

	clear(): void {
		this.list = [];
		this.count = 0;
		this.perRoute.clear();
		this.perStatus.clear();
		this.arrived = new Peak();
		this.accepted = new Peak();
	}
}
