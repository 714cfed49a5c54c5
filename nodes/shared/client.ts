import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	INode,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeOperationError, sleep } from 'n8n-workflow';
import { createHash } from 'crypto';

import type { Answer } from './answer';
import { networkAnswer, readAnswer, readText } from './answer';
import { CREDENTIAL_NAME, normalizeApiKey, normalizeBaseUrl, withoutKey } from './credential';
import type { Failed, Sentences, Subject } from './errors';
import { serviceError } from './errors';
import { Pacer } from './rateLimit';
import { Attempts, isThrottle, surelyNotApplied } from './retry';

/** The host contexts that send requests. */
export type Host = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

export const DEFAULT_TIMEOUT_MS = 30_000;

export type Lane = 'audit' | 'transfer';

export type Query = Record<string, string | number | undefined>;

export interface ServiceRequest {
	method: IHttpRequestMethods;
	/** Path below the base URL, segment by segment, unencoded. */
	path: string[];
	query?: Query;
	body?: IDataObject;
	/** SCIM endpoints speak `application/scim+json` (spec: Endpoints). */
	scim?: boolean;
	/** Requests of one lane share a pace and back off together; the service limits its parts by themselves. */
	lane?: Lane;
	subject?: Subject;
	sentences?: Sentences;
	itemIndex?: number;
}

/** Requests per second of a lane. Two below the spec's 25, because arrival times vary. */
const LANE_RATE: Partial<Record<Lane, number>> = { transfer: 23 };

/** `performance.now()` never goes back, as the machine's clock does when it is set. */
const clock = { now: () => performance.now(), sleep: pause };

const pacers = new Map<string, Pacer>();

/**
 * One pacer a key and lane in this process, over all items and executions. The lane with a known limit is one for
 * all keys of a service: the limit counts per app, and which keys are of one app cannot be told.
 */
function pacerFor(client: Client, lane: Lane | undefined): Pacer {
	const rate = lane && LANE_RATE[lane];
	const key = `${rate === undefined ? client.account : client.baseUrl} ${lane ?? ''}`;
	let pacer = pacers.get(key);
	if (!pacer) {
		pacer = new Pacer(clock, rate);
		pacers.set(key, pacer);
	}
	return pacer;
}

/** `sleep` that ends with an error on cancellation, also on hosts whose own ignores the signal. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
	await sleep(ms, signal);
	signal?.throwIfAborted();
}

/**
 * The only place that sends a request. Encodes paths, paces, retries, parses, and turns every failure into the
 * error a person reads. Spec: Endpoints, Authentication, Errors, Limits.
 */
export class Client {
	/** The service's clock minus this machine's, in milliseconds, from the latest `Date` header. */
	clockOffsetMs = 0;

	private constructor(
		private readonly host: Host,
		readonly baseUrl: string,
		private readonly apiKey: string,
		private readonly timeoutMs: number,
	) {}

	/**
	 * @param timeoutMs longest wait for one answer, in milliseconds
	 * @throws NodeOperationError when the credential cannot be used as it is
	 */
	static async create(host: Host, timeoutMs = DEFAULT_TIMEOUT_MS): Promise<Client> {
		const credential = await host.getCredentials(CREDENTIAL_NAME);
		try {
			const baseUrl = normalizeBaseUrl(credential.baseUrl);
			return new Client(host, baseUrl, normalizeApiKey(credential.apiKey), timeoutMs);
		} catch (error) {
			throw new NodeOperationError(host.getNode(), error as Error, {
				description: 'Open the credential "Mural Enterprise API" and correct it.',
				failure: { cause: 'credential-invalid' },
			});
		}
	}

	/** Tells one account from another without holding its key: a hash of base URL and key. */
	get account(): string {
		return createHash('sha256').update(`${this.baseUrl} ${this.apiKey}`).digest('hex').slice(0, 16);
	}

	get node(): INode {
		return this.host.getNode();
	}

	/** The execution's cancel signal; undefined where the host has none. */
	get signal(): AbortSignal | undefined {
		return 'getExecutionCancelSignal' in this.host
			? this.host.getExecutionCancelSignal()
			: undefined;
	}

	/**
	 * Sends a request and returns the parsed body (undefined for an empty one). Reads are re-sent after passing
	 * failures; mutations only when the service surely did not apply them.
	 * @throws NodeApiError worded by errors.ts; NodeOperationError for a value no path can carry
	 */
	async request<T = IDataObject>(request: ServiceRequest): Promise<T> {
		const url = this.url(request);
		const isRead = request.method === 'GET';
		const pacer = pacerFor(this, request.lane);
		const attempts = new Attempts(isRead, pacer.maxPerSecond !== undefined);
		for (;;) {
			const sentAt = await pacer.acquire(this.signal);
			const { body, failure, failed } = await this.attempt(url, request);
			if (failure === undefined) return body as T;
			const delay = attempts.delayAfter(failure, clock.now(), Math.random());
			if (delay === undefined) {
				throw this.failedWith(failed ?? {}, request, !isRead && !surelyNotApplied(failure));
			}
			// The pacer makes everybody wait after a 429, this request among them.
			if (isThrottle(failure)) pacer.throttled(delay, sentAt);
			else await pause(delay, this.signal);
		}
	}

	/** An error for an answer that is valid JSON but not what the spec says. */
	unexpected(request: ServiceRequest, what: string): Error {
		return this.failedWith(
			{ status: 200, unexpectedBody: what },
			request,
			request.method !== 'GET',
		);
	}

	/** An error for something looked up by a filter that found nothing. */
	notFound(subject: Subject, itemIndex?: number): Error {
		const context = { mayHaveBeenApplied: false, subject: this.withoutKey(subject), itemIndex };
		return serviceError(this.node, { status: 404 }, context);
	}

	private url({ path, query = {}, subject, itemIndex }: ServiceRequest): string {
		const segments = path.map((segment) => {
			// `.` and `..` stay special in a URL even when encoded; an empty one would address the whole collection.
			if (segment === '' || segment === '.' || segment === '..' || !segment.isWellFormed()) {
				throw new NodeOperationError(
					this.node,
					`'${subject?.parameter ?? 'ID'}' is ${segment === '' ? 'empty' : 'not a value the service can have'}`,
					{ description: 'Enter the ID or e-mail that the service knows.', itemIndex },
				);
			}
			return encodeURIComponent(segment);
		});
		const pairs = Object.entries(query)
			.filter(([, value]) => value !== undefined)
			.map(
				([name, value]) =>
					`${encodeURIComponent(name)}=${encodeURIComponent(value as string | number)}`,
			);
		return `${this.baseUrl}/${segments.join('/')}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
	}

	private async attempt(url: string, request: ServiceRequest): Promise<Answer> {
		const type = request.scim ? 'application/scim+json' : 'application/json';
		const options: IHttpRequestOptions = {
			method: request.method,
			url,
			headers: {
				Accept: request.scim ? 'application/scim+json, application/json' : type,
				...(request.body === undefined ? {} : { 'Content-Type': type }),
			},
			...(request.body === undefined ? {} : { body: request.body }),
			// Parsed here: n8n would hand truncated JSON on as text. Read here as well: the HTTP library keeps the texts it
			// has read until the next full garbage collection, twice the memory of all the rest of a long read.
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: this.timeoutMs,
		};
		let response: IN8nHttpFullResponse;
		let text: string;
		try {
			response = (await this.host.helpers.httpRequestWithAuthentication.call(
				this.hostWithDeadline(),
				CREDENTIAL_NAME,
				options,
			)) as IN8nHttpFullResponse;
			text = await readText(response.body);
		} catch (error) {
			this.signal?.throwIfAborted();
			return networkAnswer(error);
		}
		const serverDate = Date.parse(String(response.headers.date));
		if (!Number.isNaN(serverDate)) this.clockOffsetMs = serverDate - Date.now();
		return readAnswer(response, text, Date.now() + this.clockOffsetMs);
	}

	/**
	 * The host with a cancel signal that also ends a request after the timeout. The HTTP library's own timeout starts
	 * anew with every byte, so a trickling body would never end.
	 */
	private hostWithDeadline(): Host {
		const deadline = AbortSignal.timeout(this.timeoutMs);
		const signal = this.signal ? AbortSignal.any([this.signal, deadline]) : deadline;
		return Object.create(this.host, {
			getExecutionCancelSignal: { value: () => signal },
		}) as Host;
	}

	private failedWith(failed: Failed, request: ServiceRequest, mayHaveBeenApplied: boolean) {
		const { method, path, subject, sentences, itemIndex } = request;
		return serviceError(this.node, this.withoutKey(failed), {
			request: this.withoutKey({ text: `${method} /${path.join('/')}` }).text,
			mayHaveBeenApplied,
			subject: subject && this.withoutKey(subject),
			sentences,
			itemIndex,
		});
	}

	private withoutKey<T extends object>(texts: T): T {
		const entries = Object.entries(texts).map(([name, value]) => [
			name,
			typeof value === 'string' ? withoutKey(value, this.apiKey) : (value as unknown),
		]);
		return Object.fromEntries(entries) as T;
	}
}
