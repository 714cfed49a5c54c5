import { DateTime } from 'luxon';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../sandbox/index.mts';
import { startSandbox } from '../sandbox/index.mts';
import type { Extra } from './runs.mts';
import { runsOf } from './runs.mts';

/** Audit Log: Get Many in n8n's engine, against the sandbox: paging, limits, Since and Until. */

const DAY = 86_400_000;

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ sizes: { users: 40, groups: 2, workspaces: 4, entries: 800 } });
});
afterAll(async () => await sandbox.close());
beforeEach(() => sandbox.admin.reset());

const audit = runsOf('auditLog', () => sandbox);
const run = async (parameters: INodeParameters, extra?: Extra) =>
	await audit.run('getAll', parameters, extra);
const failure = async (parameters: INodeParameters, extra?: Extra) =>
	await audit.failure('getAll', parameters, extra);

const queries = () => sandbox.admin.requests().map(({ query }) => query as Record<string, string>);
const ids = (entries: IDataObject[]) => entries.map(({ id }) => id);

/** What the log holds, newest first, without going through HTTP. */
function logged({ since = -Infinity, until = Infinity, actions = [] as string[] } = {}) {
	const rows = [...sandbox.service.log.all()].reverse();
	return rows
		.filter(({ date }) => date >= since && date <= until)
		.filter(({ action }) => actions.length === 0 || actions.includes(action));
}

describe('how much', () => {
	test('the newest entries up to the limit, in one request of that size', async () => {
		const entries = await run({ limit: 5 });
		expect(ids(entries)).toEqual(
			logged()
				.slice(0, 5)
				.map(({ key }) => key),
		);
		expect(queries()).toEqual([{ maxResults: '5' }]);
	});

	test('without bounds what the service gives by itself: the past 7 days', async () => {
		const entries = await run({ returnAll: true });
		expect(ids(entries)).toEqual(logged({ since: Date.now() - 7 * DAY }).map(({ key }) => key));
		expect(queries()[0]).toEqual({ maxResults: '1000' });
	});

	test('page size: the token alone goes along from the second page on', async () => {
		const entries = await run({ limit: 25, options: { pageSize: 10 } });
		expect(ids(entries)).toEqual(
			logged()
				.slice(0, 25)
				.map(({ key }) => key),
		);
		const [first, ...rest] = queries();
		expect(first).toEqual({ maxResults: '10' });
		expect(rest.map(({ maxResults }) => maxResults)).toEqual(['10', '5']);
		for (const query of rest)
			expect(Object.keys(query).sort()).toEqual(['maxResults', 'nextToken']);
	});

	test.each(['emptyPage', 'noToken', 'nullToken', 'emptyToken'] as const)(
		'everything, once, when the last page is told by %s and pages are short',
		async (endOfPaging) => {
			sandbox.admin.configure({ audit: { endOfPaging, shortPages: 0.5 } });
			// Not 30: the node asks for nothing within minutes of the start of the log.
			const since = Date.now() - 29 * DAY;
			const entries = await run({
				returnAll: true,
				filters: { since: new Date(since).toISOString() },
				options: { pageSize: 200 },
			});
			expect(ids(entries)).toEqual(logged({ since }).map(({ key }) => key));
		},
	);

	test('a token that comes back is an error, not an endless run', async () => {
		sandbox.admin.configure({ audit: { endOfPaging: 'repeatedToken' } });
		const error = await failure({ returnAll: true });
		expect(error.message).toBe(
			'The service answered with a page token it had given before, so the log would never end',
		);
	});

	test.each([
		[{ limit: 0 }, "'Limit' is not a whole number of 1 or more"],
		[{ options: { pageSize: 1001 } }, "'Page Size' is not a whole number from 1 to 1000"],
		[{ options: { pageSize: '={{ 0 }}' } }, "'Page Size' is not a whole number from 1 to 1000"],
	])('%j is told before sending', async (parameters, message) => {
		expect((await failure(parameters as INodeParameters)).message).toBe(message);
		expect(queries()).toEqual([]);
	});
});

describe('Since and Until', () => {
	const sinceSent = () => queries()[0]['filter[date][since]'];
	const untilSent = () => queries()[0]['filter[date][until]'];
	const utc = (millis: number) =>
		DateTime.fromMillis(millis, { zone: 'utc' }).toFormat('yyyy-MM-dd HH:mm:ss');
	const nearly = (text: string, millis: number) => {
		expect(text).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
		expect(Math.abs(Date.parse(`${text.replace(' ', 'T')}Z`) - millis)).toBeLessThan(5000);
	};

	test.each([
		['an n8n DateTime', "={{ $now.minus(1, 'day') }}", () => Date.now() - DAY],
		[
			'one in another zone',
			"={{ $now.minus(1, 'day').setZone('Asia/Tokyo') }}",
			() => Date.now() - DAY,
		],
		['a text of one', "={{ $now.minus(1, 'day').toISO() }}", () => Date.now() - DAY],
		['a JavaScript Date', '={{ new Date(Date.now() - 86400000) }}', () => Date.now() - DAY],
		[
			'midnight of the workflow',
			'={{ $today }}',
			() => DateTime.now().setZone('America/New_York').startOf('day').toMillis(),
		],
	])('%s', async (_, since, expected) => {
		await run({ filters: { since } }, { timezone: 'America/New_York' });
		nearly(sinceSent(), expected());
	});

	test.each([
		['a date alone', 'yyyy-MM-dd', '00:00:00', '23:59:59'],
		['the date picker', "yyyy-MM-dd'T'HH:mm:ss", '12:34:56', '12:34:56'],
		["the service's form", 'yyyy-MM-dd HH:mm:ss', '12:34:56', '12:34:56'],
	])('%s is in the time zone of the workflow', async (_, format, start, end) => {
		const zone = 'America/New_York';
		const day = DateTime.now()
			.setZone(zone)
			.minus({ days: 3 })
			.set({ hour: 12, minute: 34, second: 56 });
		const text = day.toFormat(format);
		await run({ filters: { since: text, until: text } }, { timezone: zone });
		const at = (time: string) =>
			DateTime.fromISO(`${day.toISODate()}T${time}`, { zone }).toMillis();
		expect(sinceSent()).toBe(utc(at(start)));
		expect(untilSent()).toBe(utc(at(end)));
	});

	test('a zone in the text wins over that of the workflow', async () => {
		const day = DateTime.now().setZone('Asia/Tokyo').minus({ days: 2 });
		await run({ filters: { since: day.toISO() as string } }, { timezone: 'America/New_York' });
		expect(sinceSent()).toBe(utc(day.toMillis()));
	});

	test('what comes lies between them', async () => {
		const since = Math.floor(Date.now() / 1000) * 1000 - 20 * DAY;
		const until = since + 6 * DAY;
		const filters = { since: new Date(since).toISOString(), until: new Date(until).toISOString() };
		const entries = await run({ returnAll: true, filters });
		expect(entries.length).toBeGreaterThan(10);
		expect(ids(entries)).toEqual(logged({ since, until: until + 999 }).map(({ key }) => key));
	});

	test('Until alone reads from the start of the log', async () => {
		const until = Date.now() - 10 * DAY;
		const entries = await run({
			returnAll: true,
			filters: { until: new Date(until).toISOString() },
		});
		const all = logged({ until }).map(({ key }) => key);
		// Within five minutes of its end the log may be gone by the time it is read.
		expect(entries.length).toBeGreaterThanOrEqual(all.length - 2);
		expect(ids(entries)).toEqual(all.slice(0, entries.length));
	});

	test('30 days ago, as expressions say it, is not too far back', async () => {
		await run({ filters: { since: "={{ $now.minus(30, 'days') }}" }, limit: 1 });
		expect(queries()).toHaveLength(1);
	});

	test.each<[INodeParameters, RegExp]>([
		[
			{ since: "={{ $now.minus(31, 'days') }}" },
			/^'Since' \(.*\) is before the start of the audit log$/,
		],
		[
			{ until: "={{ $now.minus(31, 'days') }}" },
			/^'Until' \(.*\) is before the start of the audit log$/,
		],
		[
			{ since: "={{ $now.minus(1, 'days') }}", until: "={{ $now.minus(2, 'days') }}" },
			/^'Until' \(.*\) is before 'Since' \(.*\)$/,
		],
		[{ since: 'yesterday' }, /^'Since' is not a date: 'yesterday'$/],
		[{ until: '={{ 5 }}' }, /^'Until' is not a date: '5'$/],
		[{ since: '' }, /^'Since' is empty$/],
		[{ since: '={{ $json.missing }}' }, /^'Since' is empty$/],
		[{ until: '={{ null }}' }, /^'Until' is empty$/],
	])('%j is told before sending, naming the field', async (filters, message) => {
		const error = await failure({ filters });
		expect(error.message).toMatch(message);
		expect(error.description).toMatch(/'(Since|Until)'/);
		expect(queries()).toEqual([]);
	});
});
