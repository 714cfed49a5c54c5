import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { InputContext } from '../../../../nodes/MuralEnterprise/actions/operation';
import {
	badInput,
	checkEmail,
	filterText,
	nameList,
	optionalText,
	outputLimit,
	parameter,
	requiredText,
	toggle,
	wholeNumber,
} from '../../../../nodes/MuralEnterprise/actions/operation';

/** An item whose parameters are given. */
const withParameters = (parameters: IDataObject = {}): InputContext => ({
	itemIndex: 7,
	host: {
		getNode: () => ({ name: 'Mural Enterprise', type: 'x', typeVersion: 1 }),
		getNodeParameter: (name: string) => parameters[name],
	} as unknown as InputContext['host'],
});
const context = withParameters();

const refusal = (work: () => unknown): NodeOperationError => {
	try {
		work();
	} catch (error) {
		expect(error).toBeInstanceOf(NodeOperationError);
		return error as NodeOperationError;
	}
	throw new Error('not refused');
};

test('a refusal names the item, and says what it was told to say', () => {
	const error = badInput(context, "'User' is odd: 'eperm@example.com'", 'Change it.');
	expect(error.message).toBe("'User' is odd: 'eperm@example.com'");
	expect(error).toMatchObject({ description: 'Change it.', context: { itemIndex: 7 } });
});

test('a parameter: false, 0 and empty are values, null is none', () => {
	for (const value of [false, 0, ''])
		expect(parameter(withParameters({ x: value }), 'x')).toBe(value);
	for (const value of [null, undefined])
		expect(parameter(withParameters({ x: value }), 'x')).toBeUndefined();
});

test('texts are trimmed; numbers count as texts', () => {
	expect(requiredText(withParameters({ x: ' a b ' }), 'x', 'X')).toBe('a b');
	expect(requiredText(withParameters({ x: 0 }), 'x', 'X')).toBe('0');
});

test.each<[unknown, string]>([
	['', "'X' is empty"],
	[' \n', "'X' is empty"],
	[undefined, "'X' is missing"],
	[null, "'X' is missing"],
	[true, "'X' is not a text"],
	[[], "'X' is not a text"],
	[{}, "'X' is not a text"],
])('the text %j is refused', (value, message) => {
	const error = refusal(() => requiredText(withParameters({ x: value } as IDataObject), 'x', 'X'));
	expect(error.message).toBe(message);
	expect(error.description).toContain("'X'");
});

test('a field that is there without a value: left alone where it adds, refused where it narrows down', () => {
	for (const fields of [{}, { x: undefined }, { x: null }] as unknown as IDataObject[]) {
		expect(optionalText(context, fields, 'x', 'X')).toBeUndefined();
	}
	expect(filterText(context, {}, 'x', 'X')).toBeUndefined();
	expect(filterText(context, { x: ' a ' }, 'x', 'X')).toBe('a');
	for (const fields of [{ x: undefined }, { x: null }, { x: '' }] as unknown as IDataObject[]) {
		expect(refusal(() => filterText(context, fields, 'x', 'X')).message).toBe("'X' is empty");
	}
	expect(refusal(() => optionalText(context, { x: '' }, 'x', 'X')).message).toBe("'X' is empty");
});

test.each(['a@b', 'ann+x@example.com', "o'neil@example.com", 'zoë@exämple.com'])(
	'%s may be an e-mail',
	(text) => {
		expect(checkEmail(context, text, 'Email')).toBe(text);
	},
);
test.each(['', 'ann', '@', 'a@', '@b', 'a@b@c', 'a b@c', 'a@b\n'])('%j is no e-mail', (text) => {
	expect(refusal(() => checkEmail(context, text, 'Email')).message).toMatch(
		/^'Email' is not an e-mail/,
	);
});

describe('whole numbers', () => {
	test.each<[unknown, number]>([
		[1, 1],
		['5', 5],
		[' 10 ', 10],
		['1e1', 10],
	])('%j', (value, expected) => {
		expect(wholeNumber(context, value, 'N', { min: 1, max: 10 })).toBe(expected);
	});

	test.each<[unknown]>([
		[0],
		[11],
		[1.5],
		['1.5'],
		[''],
		[' '],
		['x'],
		[null],
		[true],
		[[5]],
		[Number.NaN],
		[Infinity],
	])('%p is refused', (value) => {
		const { message } = refusal(() => wholeNumber(context, value, 'N', { min: 1, max: 10 }));
		expect(message).toBe("'N' is not a whole number from 1 to 10");
	});

	test('within the bounds or refused, whatever comes', () => {
		fc.assert(
			fc.property(fc.anything(), fc.nat(50), (value, min) => {
				let number: number;
				try {
					number = wholeNumber(context, value, 'N', { min, max: min + 10 });
				} catch (error) {
					expect(error).toBeInstanceOf(NodeOperationError);
					return;
				}
				expect(Number.isInteger(number) && number >= min && number <= min + 10).toBe(true);
			}),
		);
	});
});

test('switches: only what says true or false', () => {
	for (const value of [true, 'true', ' TRUE ', 'True'])
		expect(toggle(context, value, 'S')).toBe(true);
	for (const value of [false, 'false', ' FALSE\n']) expect(toggle(context, value, 'S')).toBe(false);
	for (const value of [undefined, null, 0, 1, '', 'yes', [], {}]) {
		expect(refusal(() => toggle(context, value, 'S')).message).toBe(
			"'S' is neither true nor false",
		);
	}
});

test('Return All wins over the limit, as text too', () => {
	expect(outputLimit(withParameters({ returnAll: true }))).toBe(Number.POSITIVE_INFINITY);
	expect(outputLimit(withParameters({ returnAll: 'true', limit: 0 }))).toBe(
		Number.POSITIVE_INFINITY,
	);
	expect(outputLimit(withParameters({ returnAll: false, limit: 3 }))).toBe(3);
	expect(outputLimit(withParameters({ limit: '4' }))).toBe(4);
	expect(refusal(() => outputLimit(withParameters({ limit: 0 }))).message).toContain("'Limit'");
});

test('lists of names', () => {
	expect(nameList(context, ' a, b ,,c ', 'X')).toEqual(['a', 'b', 'c']);
	expect(nameList(context, ['a ', '', 5], 'X')).toEqual(['a', '5']);
	for (const none of [undefined, null, '', []]) expect(nameList(context, none, 'X')).toEqual([]);
	for (const value of [5, true, {}, [null], [{}], [['a']]]) {
		const { message } = refusal(() => nameList(context, value, 'X'));
		expect(message).toBe("'X' is not a list of names");
	}
});
