import fc from 'fast-check';

import { SecretScan } from '../../e2e/secretScan.mts';

const SECRET = 'k3y+that/must="not"\\leak%Zq81';

function found(content: string | Uint8Array): boolean {
	const scan = new SecretScan({ key: SECRET });
	scan.look('place', 'name', content);
	return scan.placesOf('key').length > 0;
}

const json = (value: unknown) => JSON.stringify(value);

test.each<[string, string]>([
	['as it is', `Authorization: apikey ${SECRET}`],
	['in a URL', `https://x.example/?a=1&key=${encodeURIComponent(SECRET)}&b=2`],
	['in JSON', json([{ detail: `apikey ${SECRET}` }])],
	['in JSON in JSON', json({ body: json({ headers: { authorization: SECRET } }) })],
	['in hex', Buffer.from(`apikey ${SECRET}`).toString('hex')],
])('a key %s is found', (_, text) => {
	expect(found(text)).toBe(true);
	expect(found(Buffer.from(text))).toBe(true);
});

test('a key in base64 is found wherever it stands', () => {
	fc.assert(
		fc.property(fc.string(), fc.string(), (before, after) => {
			const bytes = Buffer.from(before + SECRET + after);
			return found(`x${bytes.toString('base64')}`) && found(bytes.toString('base64url'));
		}),
	);
});

test('what holds no key is left alone', () => {
	const halves = [SECRET.slice(0, 14), SECRET.slice(14)];
	expect(found(halves.join(' '))).toBe(false);
	expect(found(json(halves))).toBe(false);
	expect(found(Buffer.from(halves.join('\n')).toString('base64'))).toBe(false);
});
