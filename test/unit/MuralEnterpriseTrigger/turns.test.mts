import { Turns } from '../../../nodes/MuralEnterpriseTrigger/turns';

const SETTLED_MS = 5000;

let now = 0;
beforeEach(() => {
	now = 1000;
	jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

/** A poll that is given `from` and leaves `left`; tells whether it was run. */
async function poll(turns: Turns, from: unknown, left: unknown = from, trigger = 'a') {
	const kept = { cursor: from };
	const ran = await turns.take(trigger, kept, async () => {
		kept.cursor = left;
		return 'ran';
	});
	return ran !== null;
}

test('polls one after the other are all run', async () => {
	const turns = new Turns();
	expect(await poll(turns, undefined, { n: 1 })).toBe(true);
	expect(await poll(turns, { n: 1 }, { n: 2 })).toBe(true);
	expect(await poll(turns, { n: 2 })).toBe(true);
	expect(await poll(turns, { n: 2 })).toBe(true);
});

test('one that starts while another is under way is not run, of another trigger it is', async () => {
	const turns = new Turns();
	const kept = { cursor: { n: 1 } };
	await turns.take('a', kept, async () => {
		expect(await poll(turns, { n: 1 })).toBe(false);
		expect(await poll(turns, { n: 1 }, { n: 1 }, 'b')).toBe(true);
	});
	expect(await poll(turns, { n: 1 })).toBe(true);
});

test('one that is given what the latest began with is not run until that has had time to be stored', async () => {
	const turns = new Turns();
	await poll(turns, { n: 1 }, { n: 2 });
	now += SETTLED_MS - 1;
	expect(await poll(turns, { n: 1 })).toBe(false);
	expect(await poll(turns, { n: 1 }, { n: 1 }, 'b')).toBe(true);
	now += 1;
	expect(await poll(turns, { n: 1 })).toBe(true);
});

test('the same at the very first poll', async () => {
	const turns = new Turns();
	await poll(turns, undefined, { n: 1 });
	expect(await poll(turns, undefined, { n: 1 })).toBe(false);
});

test('a poll that fails leaves the way free', async () => {
	const turns = new Turns();
	const failed = turns.take('a', { cursor: { n: 1 } }, async () => {
		throw new Error('no answer');
	});
	await expect(failed).rejects.toThrow('no answer');
	expect(await poll(turns, { n: 1 })).toBe(true);
});
