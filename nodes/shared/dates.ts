import { DateTime } from 'luxon';

/** From what a person or an expression puts into a date field to a moment in time. */

export type DateBound = 'start' | 'end';

/** Luxon also reads `14:30` (today) and `1430` (a year): nobody means those in a date field. */
const CALENDAR_DATE = /^\d{4}(?:-\d\d-\d\d|\d{4})(?!\d)/;

/**
 * Epoch milliseconds of an ISO date, `yyyy-mm-dd HH:mm:ss`, a date alone, a JavaScript Date or an n8n DateTime;
 * undefined when it is none. Without a zone of its own the value is taken in `timezone`.
 * @param bound a date alone means the start or the end of that day
 */
export function parseMoment(
	value: unknown,
	timezone: string,
	bound: DateBound,
): number | undefined {
	if (value instanceof Date) return valid(value.getTime());
	if (isDateTime(value)) return valid(value.toMillis());
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	const date = CALENDAR_DATE.exec(text)?.[0];
	if (date === undefined) return undefined;
	const zone = { zone: timezone };
	const iso = DateTime.fromISO(text, zone);
	const moment = iso.isValid ? iso : DateTime.fromSQL(text, zone);
	if (!moment.isValid) return undefined;
	return (date === text && bound === 'end' ? moment.endOf('day') : moment).toMillis();
}

/** An n8n DateTime comes from another copy of luxon, so `instanceof` cannot tell. */
function isDateTime(value: unknown): value is { toMillis(): number } {
	return typeof (value as { toMillis?: unknown } | null)?.toMillis === 'function';
}

function valid(millis: number): number | undefined {
	return Number.isNaN(millis) ? undefined : millis;
}
