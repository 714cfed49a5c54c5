import fc from 'fast-check';

import {
	authorizationHeader,
	DEFAULT_BASE_URL,
	normalizeApiKey,
	normalizeBaseUrl,
} from '../../../nodes/shared/credential';

describe('normalizeBaseUrl', () => {
	test.each([
		['https://api.mural.co/enterprise/v1', 'https://api.mural.co/enterprise/v1'],
		['https://api.mural.co/enterprise/v1/', 'https://api.mural.co/enterprise/v1'],
		['https://api.mural.co/enterprise/v1///', 'https://api.mural.co/enterprise/v1'],
		['  https://api.mural.co/enterprise/v1\n', 'https://api.mural.co/enterprise/v1'],
		['https://api.mural.co', 'https://api.mural.co/enterprise/v1'],
		['https://api.mural.co/', 'https://api.mural.co/enterprise/v1'],
		['HTTPS://API.MURAL.CO/enterprise/v1', 'https://api.mural.co/enterprise/v1'],
		['https://gateway.example/mural/enterprise/v1', 'https://gateway.example/mural/enterprise/v1'],
		['https://sandbox.example:8443', 'https://sandbox.example:8443/enterprise/v1'],
		['http://localhost:8080', 'http://localhost:8080/enterprise/v1'],
		['http://127.0.0.1:8080/enterprise/v1', 'http://127.0.0.1:8080/enterprise/v1'],
		['http://[::1]:8080/enterprise/v1', 'http://[::1]:8080/enterprise/v1'],
		['', DEFAULT_BASE_URL],
		['   ', DEFAULT_BASE_URL],
		[undefined, DEFAULT_BASE_URL],
	])('%p becomes %s', (typed, expected) => {
		expect(normalizeBaseUrl(typed)).toBe(expected);
	});

	test.each([
		['api.mural.co/enterprise/v1', 'is not a web address'],
		['ftp://api.mural.co/enterprise/v1', 'is not a web address'],
		['https://', 'is not a web address'],
		['file:///enterprise/v1', 'is not a web address'],
		['http://api.mural.co/enterprise/v1', 'has to start with https://'],
		['http://localhost.example/enterprise/v1', 'has to start with https://'],
		['http://127.0.0.1.example/enterprise/v1', 'has to start with https://'],
		['https://ann:secret@api.mural.co/enterprise/v1', 'must not hold a user name or password'],
		['https://api.mural.co/enterprise/v1?x=1', 'must end after the path, without ? or #'],
		['https://api.mural.co/enterprise/v1#top', 'must end after the path, without ? or #'],
		['https://api.mural.co/enterprise', 'has to end with /enterprise/v1'],
		['https://api.mural.co/enterprise/v2', 'has to end with /enterprise/v1'],
		['https://api.mural.co/enterprise/v1/scim/Users', 'has to end with /enterprise/v1'],
		['https://api.mural.co/myenterprise/v1', 'has to end with /enterprise/v1'],
		['https://api.mural.co/api/public/v1', 'has to end with /enterprise/v1'],
	])('%p is refused: %s', (typed, reason) => {
		expect(() => normalizeBaseUrl(typed)).toThrow(`Base URL ${reason}`);
		expect(() => normalizeBaseUrl(typed)).toThrow(`Use an address such as ${DEFAULT_BASE_URL}`);
	});

	test('what comes out is a fixed point, and never plain http beyond this machine', () => {
		const address = fc.oneof(
			fc.webUrl(),
			fc.string(),
			fc.webUrl().map((url) => `${url}/enterprise/v1`),
		);
		fc.assert(
			fc.property(address, (typed) => {
				let url: string;
				try {
					url = normalizeBaseUrl(typed);
				} catch (error) {
					expect((error as Error).message).toMatch(/^Base URL /);
					return;
				}
				expect(normalizeBaseUrl(url)).toBe(url);
				expect(url).toMatch(
					/^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]).*\/enterprise\/v1$/,
				);
			}),
		);
	});
});

describe('normalizeApiKey', () => {
	test.each([
		['abc123', 'abc123'],
		['  abc123\n', 'abc123'],
		['apikey abc123', 'abc123'],
		['apiKey abc123', 'abc123'],
		['APIKEY   abc123', 'abc123'],
		['\u00a0apikey\tabc123\ufeff', 'abc123'],
		// The word alone may begin a key.
		['apikeyabc', 'apikeyabc'],
		['a!"#$%&\'()*+,-./:;<=>?@[]^_`{|}~', 'a!"#$%&\'()*+,-./:;<=>?@[]^_`{|}~'],
	])('%p becomes %p', (typed, expected) => {
		expect(normalizeApiKey(typed)).toBe(expected);
	});

	test.each([[''], ['   '], ['apikey'], ['apikey '], [undefined], [null], [12345]])(
		'%p is empty',
		(typed) => {
			expect(() => normalizeApiKey(typed)).toThrow('API Key is empty');
		},
	);

	test.each([['abc 123'], ['abc\r\nX-Evil: 1'], ['abc\u200b123'], ['schlüssel'], ['abc\u0000']])(
		'%p holds a character no key has, and the message does not quote it',
		(typed) => {
			expect(() => normalizeApiKey(typed)).toThrow(
				'API Key holds a space, a line break or another',
			);
			expect(() => normalizeApiKey(typed)).not.toThrow(typed);
		},
	);

	test('every key that comes out can stand in a header', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), (typed) => {
				let key: string;
				try {
					key = normalizeApiKey(typed);
				} catch {
					return;
				}
				expect(() => new Headers({ authorization: `apikey ${key}` })).not.toThrow();
				expect(key).not.toMatch(/\s/);
			}),
		);
	});
});

test('the header is the scheme word, one space, the key', () => {
	expect(authorizationHeader({ apiKey: ' apiKey  abc123 ' })).toBe('apikey abc123');
});
