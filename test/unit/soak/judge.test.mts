import type { IDataObject } from 'n8n-workflow';

import type { LoggedRequest } from '../../sandbox/index.mts';
import { judge, repeatedChanges, strangeChanges } from '../../soak/judge.mts';
import { firstAndLast, growthPerSample } from '../../soak/resources.mts';
import type { Fields } from '../../soak/state.mts';
import { balance } from '../../soak/watcher.mts';

/** That the soak test notices what it is there to notice. */

const DONE = { id: 'x' };
const FAILED = { error: 'No', details: { description: 'Try again later.' } };
const UNCERTAIN = { error: 'No', details: { description: 'It may have been carried out.' } };
const APPLIED = {
	error: 'No',
	details: { description: 'No.', applied: [{ action: 'add', workspaceIds: ['b'] }] },
} as unknown as IDataObject;

const [was, wanted] = [{ a: '1' }, { b: '2', c: '3' }];

test.each<[string, IDataObject, Fields, boolean]>([
	['done, and it is', DONE, wanted, true],
	['done, and it is not', DONE, was, false],
	['done, and it is in part', DONE, { b: '2' }, false],
	['failed, and it has', FAILED, was, true],
	['failed, and it was carried out', FAILED, wanted, false],
	['failed, and something was carried out', FAILED, { a: '1', b: '2' }, false],
	['uncertain, and it was carried out', UNCERTAIN, wanted, true],
	['uncertain, and it was not', UNCERTAIN, was, true],
	['uncertain, and something else was', UNCERTAIN, { a: '9' }, false],
	['failed after a part, and so it is', APPLIED, { a: '1', b: '2' }, true],
	['failed after a part that is not there', APPLIED, was, false],
	['failed after a part, and all is there', APPLIED, wanted, false],
])('told as %s', (_, json, is, isTrue) => {
	const task = { json: {}, key: 'k', wanted };
	const { problem } = judge(task, { json }, new Map([['k', was]]), new Map([['k', is]]));
	expect(problem === undefined).toBe(isTrue);
});

test('a change that nobody asked for', () => {
	const [before, after] = [new Map([['k', was]]), new Map([['k', wanted]])];
	expect(strangeChanges(before, after, [])).toHaveLength(1);
	expect(strangeChanges(before, new Map(), [])).toHaveLength(1);
	expect(strangeChanges(before, before, [])).toEqual([]);
});

test('a change carried out twice', () => {
	const request = { method: 'POST', path: '/x', body: '{}', trueStatus: 201 } as LoggedRequest;
	const refused = { ...request, trueStatus: 429 };
	const unheard = { ...request, trueStatus: undefined };
	expect(repeatedChanges([refused, unheard, request])).toEqual([]);
	expect(repeatedChanges([request, { ...request, status: 500 }])).toHaveLength(1);
});

test('entries missing, repeated and strange', () => {
	expect(balance(['a', 'b', 'c'], ['a', 'c', 'c', 'd'])).toEqual({
		missing: ['b'],
		repeated: ['c'],
		strange: ['d'],
	});
});

test('a heap that grows', () => {
	const { first, last } = firstAndLast([10, 11, 10, 12, 12, 90, 14, 15, 14]);
	expect([first, last]).toEqual([10, 14]);
	expect(growthPerSample([10, 11, 12, 7, 8, 9])).toBe(1);
	expect(growthPerSample([10, 10, 11, 10, 10, 15, 15])).toBe(0);
});
