/** A bar chart as SVG: one group of bars for each contender's name, one panel for each quantity. */

export interface Panel {
	title: string;
	unit: string;
	bars: Array<{ label: string; value: number }>;
}

const ROW = 22;
const LABEL = 190;
const BARS = 380;
const VALUE = 90;
const WIDTH = LABEL + BARS + VALUE;
const COLOURS = { ours: '#4f5bd5', others: '#9aa0b5', text: '#24292f' };

const escaped = (text: string) =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const number = (value: number) =>
	value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

export function plot(title: string, panels: Panel[], isOurs: (label: string) => boolean): string {
	let y = 34;
	const parts = [`<text x="8" y="22" font-size="15" font-weight="bold">${escaped(title)}</text>`];
	for (const panel of panels) {
		y += 20;
		parts.push(`<text x="8" y="${y}" font-weight="bold">${escaped(panel.title)}</text>`);
		y += 8;
		const most = Math.max(...panel.bars.map(({ value }) => value));
		for (const { label, value } of panel.bars) {
			const width = Math.max(1, (value / most) * BARS).toFixed(1);
			const colour = isOurs(label) ? COLOURS.ours : COLOURS.others;
			parts.push(
				`<text x="${LABEL - 8}" y="${y + 15}" text-anchor="end">${escaped(label)}</text>`,
				`<rect x="${LABEL}" y="${y + 3}" width="${width}" height="${ROW - 6}" fill="${colour}"/>`,
				`<text x="${LABEL + Number(width) + 6}" y="${y + 15}">${number(value)} ${panel.unit}</text>`,
			);
			y += ROW;
		}
	}
	const height = y + 12;
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="12" fill="${COLOURS.text}">`,
		`<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
		...parts,
		'</svg>\n',
	].join('\n');
}
