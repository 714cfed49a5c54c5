import fc from 'fast-check';

import type { LockKey } from '../../../../nodes/MuralEnterprise/actions/operation';
import { Turns } from '../../../../nodes/MuralEnterprise/actions/turns';

const key = fc.record({
	by: fc.constant<LockKey['by']>('email'),
	value: fc.constantFrom('a', 'b', 'c'),
	isShared: fc.boolean(),
}) as fc.Arbitrary<LockKey>;
const keys = fc.array(key, { maxLength: 2 });

const meet = (a: LockKey[], b: LockKey[]) =>
	a.some((one) => b.some((two) => one.value === two.value && !(one.isShared && two.isShared)));

/** Index of the first item after which two ways to name a member have been seen. */
function mixedFrom(all: LockKey[][]): number {
	const seen = new Set<string>();
	return all.findIndex((item) => {
		for (const { by } of item) seen.add(by);
		return seen.size > 1;
	});
}

/** Runs all items through Turns, in the order that the scheduler chooses; `start`/`end` in the order they happened. */
async function play(all: LockKey[][], scheduler: fc.Scheduler, fails: (item: number) => boolean) {
	const turns = new Turns();
	const log: Array<{ item: number; what: 'end' | 'start' }> = [];
	const results = all.map((item, index) =>
		// Every other item looks its keys up, which takes its time.
		turns.take(index % 2 ? scheduler.schedule(Promise.resolve(item)) : item, async () => {
			log.push({ item: index, what: 'start' });
			await scheduler.schedule(Promise.resolve(), `item ${index}`);
			log.push({ item: index, what: 'end' });
			if (fails(index)) throw new Error(String(index));
			return index;
		}),
	);
	const settled = Promise.allSettled(results);
	await scheduler.waitFor(settled);
	const at = (item: number, what: 'end' | 'start') =>
		log.findIndex((entry) => entry.item === item && entry.what === what);
	return { at, settled: await settled };
}

const pairs = (length: number) =>
	Array.from({ length }, (_, j) => Array.from({ length: j }, (__, i) => [i, j] as const)).flat();

test('items that change the same thing never overlap and keep their order, also when some fail', async () => {
	await fc.assert(
		fc.asyncProperty(fc.scheduler(), fc.array(fc.tuple(keys, fc.boolean())), async (s, input) => {
			const all = input.map(([item]) => item);
			const { at, settled } = await play(all, s, (item) => input[item][1]);
			for (const [i, j] of pairs(all.length)) {
				if (meet(all[i], all[j])) expect(at(i, 'end')).toBeLessThan(at(j, 'start'));
			}
			settled.forEach((result, item) => {
				if (input[item][1]) expect(result).toMatchObject({ reason: { message: String(item) } });
				else expect(result).toEqual({ status: 'fulfilled', value: item });
			});
		}),
	);
});

test('an id and an e-mail may be one member: from the first mixed item on all run one by one', async () => {
	const either = fc.array(
		fc.record({
			by: fc.constantFrom<LockKey['by']>('email', 'id'),
			value: fc.constantFrom('a', 'b', 'c'),
			isShared: fc.boolean(),
		}),
		{ minLength: 1, maxLength: 2 },
	);
	await fc.assert(
		fc.asyncProperty(fc.scheduler(), fc.array(either), async (s, all) => {
			const { at } = await play(all, s, () => false);
			const mixed = mixedFrom(all);
			for (const [i, j] of pairs(all.length)) {
				if ((mixed !== -1 && j >= mixed) || meet(all[i], all[j])) {
					expect(at(i, 'end')).toBeLessThan(at(j, 'start'));
				}
			}
		}),
	);
});

test('items that change different things, or share one, run side by side', async () => {
	const apart = fc
		.array(keys, { minLength: 2, maxLength: 6 })
		.filter((all) => pairs(all.length).every(([i, j]) => !meet(all[i], all[j])));
	await fc.assert(
		fc.asyncProperty(apart, async (all) => {
			const turns = new Turns();
			let started = 0;
			let open = () => {};
			const gate = new Promise<void>((resolve) => (open = resolve));
			const runs = all.map(async (item) =>
				turns.take(item, async () => {
					if (++started === all.length) open();
					await gate;
				}),
			);
			await Promise.all(runs);
			expect(started).toBe(all.length);
		}),
	);
});

test('an item whose keys cannot be told fails by itself and holds nobody up', async () => {
	const turns = new Turns();
	const a: LockKey[] = [{ by: 'email', value: 'a' }];
	const failed = turns.take(Promise.reject(new Error('nobody')), async () => 'never');
	const next = turns.take(a, async () => 'next');
	await expect(failed).rejects.toThrow('nobody');
	await expect(next).resolves.toBe('next');
});
