import { randomBytes } from 'node:crypto';
import type { AuditRow } from './types.mts';

export const DAY = 86_400_000;
export const RETENTION_MS = 30 * DAY;

export const newEntryId = () => randomBytes(12).toString('hex');

type Position = Pick<AuditRow, 'date' | 'key'>;

const compare = (a: Position, b: Position) =>
	a.date - b.date || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);

export interface Slice {
	/** Newest first. */
	rows: AuditRow[];
	/** Whether an older row of the range follows. */
	more: boolean;
}

export interface Range {
	/** Oldest and newest date, both inclusive, in milliseconds. */
	since: number;
	until: number;
	action?: string;
}

/**
 * The log in memory, ordered by (date, key). Rows that become visible later than their date wait in `pending`.
 * Appending and paging cost no more than the page; a late row costs one array insert.
 */
export class AuditStore {
	private rows: AuditRow[] = [];
	private pending: Array<{ at: number; row: AuditRow }> = [];
	/** Grows with every visible row. */
	version = 0;

	get size(): number {
		return this.rows.length;
	}

	get waiting(): number {
		return this.pending.length;
	}

	/** @param at the moment the row appears in the log, at once when absent. */
	insert(row: AuditRow, at?: number): void {
		if (at !== undefined) {
			const later = this.pending.findLastIndex((waiting) => waiting.at <= at) + 1;
			this.pending.splice(later, 0, { at, row });
			return;
		}
		this.version++;
		const last = this.rows.at(-1);
		if (!last || compare(last, row) <= 0) this.rows.push(row);
		else this.rows.splice(this.lowerBound(row), 0, row);
	}

	/** Many rows at once, in any order. */
	insertMany(added: AuditRow[]): void {
		if (added.length === 0) return;
		this.version++;
		added.sort(compare);
		const last = this.rows.at(-1);
		const old = this.rows;
		if (!last || compare(last, added[0]) <= 0) {
			for (const row of added) old.push(row);
			return;
		}
		const merged: AuditRow[] = [];
		let i = 0;
		for (const row of added) {
			while (i < old.length && compare(old[i], row) <= 0) merged.push(old[i++]);
			merged.push(row);
		}
		while (i < old.length) merged.push(old[i++]);
		this.rows = merged;
	}

	/** Makes rows visible whose moment has come. */
	settle(now: number): void {
		if (this.pending.length === 0 || this.pending[0].at > now) return;
		const still = this.pending.findIndex(({ at }) => at > now);
		const due = this.pending.splice(0, still < 0 ? this.pending.length : still);
		this.insertMany(due.map(({ row }) => row));
	}

	/**
	 * At most `limit` rows of `range`, newest first, that sort strictly after `after` in that order. Rows inserted
	 * meanwhile before that position are not seen, rows inserted after it are.
	 */
	slice(range: Range, after: Position | null, limit: number): Slice {
		const end = this.lowerBound({ date: range.until + 1, key: '' });
		let i = (after ? Math.min(end, this.lowerBound(after)) : end) - 1;
		const rows: AuditRow[] = [];
		for (; i >= 0 && this.rows[i].date >= range.since; i--) {
			const row = this.rows[i];
			if (range.action !== undefined && row.action !== range.action) continue;
			if (rows.length === limit) return { rows, more: true };
			rows.push(row);
		}
		return { rows, more: false };
	}

	/** Newest rows first, whatever their date. */
	newest(limit: number): AuditRow[] {
		return this.rows.slice(-limit).reverse();
	}

	/** Everything, oldest first, for saving and for tests. */
	all(): readonly AuditRow[] {
		return this.rows;
	}

	allPending(): ReadonlyArray<{ at: number; row: AuditRow }> {
		return this.pending;
	}

	clear(): void {
		this.rows = [];
		this.pending = [];
		this.version++;
	}

	/** Index of the first row that does not sort before `position`. */
	private lowerBound(position: Position): number {
		let low = 0;
		let high = this.rows.length;
		while (low < high) {
			const middle = (low + high) >>> 1;
			if (compare(this.rows[middle], position) < 0) low = middle + 1;
			else high = middle;
		}
		return low;
	}
}
