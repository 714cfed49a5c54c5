import type { LockKey } from './operation';

/** Who was let in last under one name. */
interface Holders {
	/** Settles when the last one that held the name alone is done. */
	alone: Promise<void>;
	/** Those that share the name since. */
	sharing: Array<Promise<void>>;
}

/**
 * Lets items that change the same thing run one after the other, in the order in which they asked; items that share
 * a key run side by side, but not beside one that holds it alone. An id and an e-mail may mean the same member, so
 * from the first item that names its member the other way on, an item waits for all before it and holds up all
 * after it.
 */
export class Turns {
	private readonly holders = new Map<string, Holders>();

	private by: LockKey['by'] | undefined;

	private isMixed = false;

	/** Settles when the item before has its place in the order. */
	private entered: Promise<unknown> = Promise.resolve();

	/**
	 * Runs `run` once nobody before holds one of the keys; with what it gives or throws. Items have their places in
	 * the order in which they call this, also when some have to look their keys up first.
	 */
	async take<T>(keys: LockKey[] | Promise<LockKey[]>, run: () => Promise<T>): Promise<T> {
		const entering = this.enter(this.entered, keys, run);
		this.entered = entering.then(nothing, nothing);
		const { result } = await entering;
		return await result;
	}

	/** The result is wrapped: a promise of a promise would wait for it. */
	private async enter<T>(
		before: Promise<unknown>,
		keys: LockKey[] | Promise<LockKey[]>,
		run: () => Promise<T>,
	): Promise<{ result: Promise<T> }> {
		const [known] = await Promise.all([keys, before]);
		const wanted = this.unmix(known);
		const holders = wanted.flatMap(({ value, isShared }) => {
			const { alone, sharing } = this.at(value);
			return isShared ? [alone] : [alone, ...sharing];
		});
		const result = Promise.all(holders).then(run);
		const done = result.then(nothing, nothing);
		for (const { value, isShared } of wanted) {
			if (isShared) this.at(value).sharing.push(done);
			else this.holders.set(value, { alone: done, sharing: [] });
		}
		return { result };
	}

	private at(name: string): Holders {
		const found = this.holders.get(name) ?? { alone: Promise.resolve(), sharing: [] };
		this.holders.set(name, found);
		return found;
	}

	/** The keys as they are; a single one for everything once both ways to name a member have been seen. */
	private unmix(keys: LockKey[]): Array<Pick<LockKey, 'isShared' | 'value'>> {
		if (keys.length === 0) return [];
		this.by ??= keys[0].by;
		if (!this.isMixed && keys.some(({ by }) => by !== this.by)) {
			this.isMixed = true;
			const everybody = [...this.holders.values()].flatMap(({ alone, sharing }) => [
				alone,
				...sharing,
			]);
			this.holders.clear();
			this.holders.set('', { alone: Promise.all(everybody).then(nothing), sharing: [] });
		}
		return this.isMixed ? [{ value: '' }] : keys;
	}
}

const nothing = () => undefined;
