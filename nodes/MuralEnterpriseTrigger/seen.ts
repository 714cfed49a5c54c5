import { createHash } from 'crypto';

import type { AuditLogEntry } from '../shared/auditLog';

/** 8 bytes of a SHA-256 and a 3-byte second: 14.67 base64 characters an entry. */
const HASH_BYTES = 8;
const RECORD_BYTES = HASH_BYTES + 3;
const LARGEST_OFFSET = 2 ** 24 - 1;

export const SECOND = 1000;

/** The whole second that a moment lies in. */
export const floorSecond = (millis: number) => Math.floor(millis / SECOND) * SECOND;

/** JSON with sorted keys, so that the same content gives the same text whatever the order of its fields. */
function canonical(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
	if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
	const fields = Object.entries(value).filter(([, field]) => field !== undefined);
	fields.sort(([a], [b]) => (a < b ? -1 : 1));
	return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`;
}

/**
 * What tells one entry from another: a hash of its `id`, of its whole content when it has none. 8 bytes, one
 * Latin-1 character each.
 */
export function entryKey(entry: AuditLogEntry): string {
	const { id } = entry;
	const hasId = id !== undefined && id !== null && id !== '';
	const text = hasId ? `id ${canonical(id)}` : `content ${canonical(entry)}`;
	return createHash('sha256').update(text).digest().toString('latin1', 0, HASH_BYTES);
}

const keyAt = (bytes: Buffer, record: number) =>
	bytes.toString('latin1', record, record + HASH_BYTES);

/**
 * Keys looked up in the packed text before all of it is unpacked. A quiet poll meets only the entries of the boundary's
 * second again, and unpacking 100,000 takes as long as finding a hundred.
 */
const FEW_LOOKUPS = 20;

/** The entries remembered: key and up to when it has to be kept. Times are whole seconds in epoch milliseconds. */
export class SeenEntries {
	private unpacked?: Map<string, number>;

	private lookups = 0;

	private constructor(
		private readonly bytes: Buffer,
		/** What `bytes` was made from, and the time its records are counted from. */
		private readonly text: string,
		private readonly base: number,
	) {}

	static none(): SeenEntries {
		return new SeenEntries(Buffer.alloc(0), '', 0);
	}

	/**
	 * @param base the time that was given to `encode`
	 * @returns undefined when the text is not one that `encode` made
	 */
	static decode(text: string, base: number): SeenEntries | undefined {
		const bytes = Buffer.from(text, 'base64');
		// Characters that are no base64 are left out, which shows in the length.
		const isWhole = text.length % 4 === 0 && bytes.length === Buffer.byteLength(text, 'base64');
		if (!isWhole || bytes.length % RECORD_BYTES !== 0) return undefined;
		return new SeenEntries(bytes, text, base);
	}

	get size(): number {
		return this.unpacked?.size ?? this.bytes.length / RECORD_BYTES;
	}

	/** @param base the time from which the others are counted; none kept is older */
	encode(base: number): string {
		if (!this.unpacked && base === this.base) return this.text;
		const bytes = Buffer.alloc(this.size * RECORD_BYTES);
		let at = 0;
		for (const [key, until] of this.keptUntil) {
			bytes.write(key, at, 'latin1');
			const offset = Math.min(LARGEST_OFFSET, Math.max(0, (until - base) / SECOND));
			bytes.writeUIntBE(offset, at + HASH_BYTES, 3);
			at += RECORD_BYTES;
		}
		return bytes.toString('base64');
	}

	/** Up to when it is kept; undefined when it was never seen. */
	get(key: string): number | undefined {
		if (this.unpacked || ++this.lookups > FEW_LOOKUPS) return this.keptUntil.get(key);
		const { bytes } = this;
		const first = key.charCodeAt(0);
		for (let at = 0; at < bytes.length; at += RECORD_BYTES) {
			if (bytes[at] === first && keyAt(bytes, at) === key) return this.timeAt(at);
		}
		return undefined;
	}

	set(key: string, until: number): void {
		this.keptUntil.set(key, until);
	}

	/** Forgets what no read can return any more. */
	forgetBefore(time: number): void {
		for (const [key, until] of this.keptUntil) {
			if (until < time) this.keptUntil.delete(key);
		}
	}

	private get keptUntil(): Map<string, number> {
		if (this.unpacked) return this.unpacked;
		this.unpacked = new Map();
		for (let at = 0; at < this.bytes.length; at += RECORD_BYTES) {
			this.unpacked.set(keyAt(this.bytes, at), this.timeAt(at));
		}
		return this.unpacked;
	}

	private timeAt(record: number): number {
		return this.base + this.bytes.readUIntBE(record + HASH_BYTES, 3) * SECOND;
	}
}
