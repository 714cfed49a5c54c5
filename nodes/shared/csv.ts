/** CSV by RFC 4180: comma, CRLF, quotes doubled. */

/** Tells Excel that a file is UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** A spreadsheet takes a cell that begins like this for a formula. */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/;
/** Beside what RFC 4180 names, the separators that spreadsheets take in some countries. */
const NEEDS_QUOTES = /[",\r\n;\t]/;

/**
 * One value as a cell. Null and undefined are empty; objects and lists are JSON.
 * @param escapeFormulas puts `'` before a text that a spreadsheet would run as a formula. Numbers stay numbers, also
 * negative ones; JSON begins with a bracket.
 */
export function csvCell(value: unknown, escapeFormulas: boolean): string {
	if (value === null || value === undefined) return '';
	const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
	const isFormula = escapeFormulas && typeof value === 'string' && FORMULA_START.test(text);
	const safe = isFormula ? `'${text}` : text;
	return isFormula || NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One line, with its end. */
export function csvLine(values: unknown[], escapeFormulas: boolean): string {
	return `${values.map((value) => csvCell(value, escapeFormulas)).join(',')}\r\n`;
}
