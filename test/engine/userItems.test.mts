import type { User } from '../sandbox/types.mts';
import type { Sandbox } from '../sandbox/index.mts';
import { startSandbox } from '../sandbox/index.mts';
import { byEmail, runsOf } from './runs.mts';

/** User operations on many items: values by expressions, order, pairing, continue on fail. */

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ sizes: { users: 60, groups: 1, workspaces: 4, entries: 0 } });
});
afterAll(async () => await sandbox.close());
beforeEach(() => sandbox.admin.reset());

const { result, failure } = runsOf('user', () => sandbox);

/** Members who are active and no company admins. */
const members = (): User[] => [...sandbox.state.users.values()].slice(10).filter((u) => u.active);

describe('many items', () => {
	const suspend = { userId: byEmail('={{ $json.mail }}') };

	test('each by its own values, in order, and paired with where it came from', async () => {
		const wanted = members().slice(0, 12);
		const items = wanted.map(({ userName }) => ({ mail: userName }));
		const { items: output } = await result('get', suspend, { items });
		expect(output?.map(({ json }) => json.id)).toEqual(wanted.map(({ id }) => id));
		expect(output?.map(({ pairedItem }) => pairedItem)).toEqual(
			wanted.map((_, item) => ({ item })),
		);
	});

	test('Get Many once for each item, every member paired with it', async () => {
		const items = [{ n: 2 }, { n: 3 }];
		const { items: output } = await result('getAll', { limit: '={{ $json.n }}' }, { items });
		const pairs = output?.map(({ pairedItem }) => (pairedItem as { item: number }).item);
		expect(pairs).toEqual([0, 0, 1, 1, 1]);
	});

	const mixed = () => {
		const [first, second] = members();
		return [
			{ mail: first.userName },
			{ mail: 'nobody@example.com' },
			{},
			{ mail: second.userName },
		];
	};

	test('continue on fail: an item for each, telling what to do', async () => {
		const { items } = await result('suspend', suspend, {
			items: mixed(),
			onError: 'continueRegularOutput',
		});
		expect(items?.map(({ json }) => json.active ?? json.error)).toEqual([
			false,
			"No user was found for 'nobody@example.com'",
			"'User' is empty",
			false,
		]);
		expect(items?.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3].map((item) => ({ item })),
		);
		expect(items?.[1].json.details).toMatchObject({ status: 404, code: 'NOT_FOUND' });
		expect(JSON.stringify(items)).not.toContain(sandbox.key);
	});

	test('error output: good and bad apart', async () => {
		const { items, errorItems } = await result('suspend', suspend, {
			items: mixed(),
			onError: 'continueErrorOutput',
		});
		expect(items?.map(({ json }) => json.active)).toEqual([false, false]);
		expect(errorItems).toHaveLength(2);
	});

	test('stops at the first failure and names the item', async () => {
		const error = await failure('suspend', suspend, { items: mixed() });
		expect(error.message).toBe("No user was found for 'nobody@example.com'");
		expect(error.context?.itemIndex).toBe(1);
	});
});
