import type { RangeRead } from './readRange';
import { floorSecond, SECOND } from './seen';

/** How long the next slice of a walk is. */

/** A slice is meant to fill this share of what may still be emitted. */
export const FILL = 0.8;

const LARGEST_GROWTH = 16;

/** Everything that had to be read of the range was read. */
export const isWhole = ({ outcome }: RangeRead) => outcome === 'all' || outcome === 'boundary';

/**
 * Length after a complete slice: as much longer as what may still be emitted allows.
 * @param room entries that may still be emitted
 */
export function grown(length: number, read: RangeRead, room: number): number {
	const added = [...read.added.values()].filter(({ dated }) => dated).length;
	const growth = added === 0 ? LARGEST_GROWTH : Math.floor((room * FILL) / added);
	return length * Math.min(LARGEST_GROWTH, Math.max(1, growth));
}

/**
 * Length after a slice that was too long: that of the part that could be read, at most half, at least a second. What
 * was read is the newest part, so it tells how dense the log is there.
 */
export function shrunk(length: number, read: RangeRead): number {
	const span = read.newest === undefined ? length : read.newest - (read.oldest ?? read.newest);
	return Math.max(SECOND, floorSecond(Math.min(length / 2, span * FILL)));
}
