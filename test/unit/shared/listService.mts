import type { Client, ServiceRequest } from '../../../nodes/shared/client';
import type { PagingOptions } from '../../../nodes/shared/scimList';
import { MAX_COUNT, readListPages } from '../../../nodes/shared/scimList';

/** Requests after which a read does not come to its end. */
const TOO_MANY_REQUESTS = 200_000;

/** A list that people change while it is read. Members are numbers in the service's order. */
export class ListService {
	all: number[];
	requests: Array<{ startIndex: number; count: number }> = [];
	inFlight = 0;
	mostInFlight = 0;

	/**
	 * @param caps most resources of each answer in turn, the last one from then on
	 * @param total what it says there is; undefined: it does not say
	 * @param turn settles when an answer is due
	 */
	constructor(
		size: number,
		{
			caps = [MAX_COUNT],
			total = (actual) => actual,
			turn = async () => undefined,
		}: {
			caps?: number[];
			total?: (actual: number) => number | undefined;
			turn?: () => Promise<unknown>;
		} = {},
	) {
		this.all = Array.from({ length: size }, (_, i) => i);
		const request = async ({ query }: ServiceRequest) => {
			const startIndex = Number(query?.startIndex);
			const count = Number(query?.count);
			const cap = caps[Math.min(this.requests.length, caps.length - 1)];
			this.requests.push({ startIndex, count });
			if (this.requests.length > TOO_MANY_REQUESTS) throw new Error('The list is read for ever');
			this.mostInFlight = Math.max(this.mostInFlight, ++this.inFlight);
			await turn();
			this.inFlight--;
			const page = this.all.slice(startIndex - 1, startIndex - 1 + Math.min(count, cap));
			return {
				totalResults: total(this.all.length),
				startIndex,
				Resources: page.map((id) => ({ id: String(id) })),
			};
		};
		this.client = { request } as unknown as Client;
	}

	readonly client: Client;

	async read(options: PagingOptions = {}): Promise<number[]> {
		const { limit = Number.POSITIVE_INFINITY } = options;
		const ids: number[] = [];
		for await (const page of readListPages(this.client, { path: ['x'], scim: true }, options)) {
			for (const { id } of page) {
				ids.push(Number(id));
				if (ids.length >= limit) return ids;
			}
		}
		return ids;
	}
}
