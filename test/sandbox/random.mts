/** Deterministic numbers from a seed (mulberry32). */
export class Random {
	private state: number;

	constructor(seed: number) {
		this.state = seed >>> 0;
	}

	/** 0 (inclusive) to 1 (exclusive). */
	next(): number {
		this.state = (this.state + 0x6d2b79f5) >>> 0;
		let t = this.state;
		t = Math.imul(t ^ (t >>> 15), t | 1);
		t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	}

	/** Integer from `min` to `max`, both inclusive. */
	int(min: number, max: number): number {
		return min + Math.floor(this.next() * (max - min + 1));
	}

	chance(probability: number): boolean {
		return this.next() < probability;
	}

	pick<T>(items: readonly T[]): T {
		return items[Math.floor(this.next() * items.length)];
	}

	/** `count` different items (all of them when there are fewer). */
	sample<T>(items: readonly T[], count: number): T[] {
		const pool = [...items];
		for (let i = 0; i < Math.min(count, pool.length); i++) {
			const j = this.int(i, pool.length - 1);
			[pool[i], pool[j]] = [pool[j], pool[i]];
		}
		return pool.slice(0, count);
	}

	hex(length: number): string {
		let text = '';
		while (text.length < length) {
			text += Math.floor(this.next() * 2 ** 32)
				.toString(16)
				.padStart(8, '0');
		}
		return text.slice(0, length);
	}

	uuid(): string {
		const h = this.hex(32);
		return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-a${h.slice(17, 20)}-${h.slice(20)}`;
	}
}
