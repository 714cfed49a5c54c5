import { DAY } from './auditStore.mts';
import type { Actor, Affected, AuditRow } from './types.mts';

// Benches compare clients against the sandbox, so a page of a thousand entries must cost it as little as possible:
// shared objects are serialised once, plain text is not escaped, and a day's date is formatted once.

export interface EntryStyle {
	dateStyle: 'space' | 'iso';
	extraFields: boolean;
}

const texts = new WeakMap<object, string>();

function shared(value: Actor | Affected): string {
	let text = texts.get(value);
	if (text === undefined) texts.set(value, (text = JSON.stringify(value)));
	return text;
}

const PLAIN = /^[\w.:-]*$/;

const quoted = (text: string) => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text));

const digits = (n: number) => (n < 10 ? `0${n}` : `${n}`);

let knownDay = NaN;
let knownDayText = '';

function dateText(ms: number, style: EntryStyle['dateStyle']): string {
	const day = Math.floor(ms / DAY);
	if (day !== knownDay) {
		knownDay = day;
		knownDayText = new Date(day * DAY).toISOString().slice(0, 10);
	}
	const rest = ms - day * DAY;
	const hours = Math.floor(rest / 3_600_000);
	const minutes = Math.floor(rest / 60_000) % 60;
	const seconds = Math.floor(rest / 1000) % 60;
	const thousandths = rest % 1000;
	const time = `${digits(hours)}:${digits(minutes)}:${digits(seconds)}.${thousandths < 100 ? '0' : ''}${digits(thousandths)}`;
	return style === 'iso' ? `${knownDayText}T${time}Z` : `${knownDayText} ${time}`;
}

function newerFields(row: AuditRow, style: EntryStyle['dateStyle']): string {
	const snapshot = dateText(row.date + 1000, style);
	const destination = JSON.stringify({ id: null, type: row.affected.type });
	return `,"snapshotDate":"${snapshot}","origin":null,"destination":${destination}`;
}

/** The entry as the service sends it (spec: Audit log entry), as JSON text. */
export function entryJson(row: AuditRow, { dateStyle, extraFields }: EntryStyle): string {
	const date = dateText(row.date, dateStyle);
	const ip = row.ip === null ? 'null' : quoted(row.ip);
	const newer = extraFields ? newerFields(row, dateStyle) : '';
	const text = `{"action":${quoted(row.action)},"actor":${shared(row.actor)},"date":"${date}","id":${quoted(row.key)},"ip":${ip},"affected":${shared(row.affected)}${newer}}`;
	if (!row.overrides && !row.omit) return text;
	const fields = Object.entries({ ...(JSON.parse(text) as object), ...row.overrides });
	return JSON.stringify(Object.fromEntries(fields.filter(([name]) => !row.omit?.includes(name))));
}

/** Entries as a JSON array. */
export function entriesJson(rows: AuditRow[], style: EntryStyle): string {
	let text = '';
	for (const row of rows) text += (text === '' ? '' : ',') + entryJson(row, style);
	return `[${text}]`;
}
