import { NodeOperationError } from 'n8n-workflow';

import { serviceError, withProgress } from '../../../nodes/shared/errors';
import { node } from './node.mts';

test('what had been done before is added to an error of the service', () => {
	const error = serviceError(
		node,
		{ status: 500 },
		{ request: 'GET /x', mayHaveBeenApplied: false },
	);
	expect(withProgress(error, 'Two of five were done.', { done: ['a', 'b'] })).toBe(error);
	expect(error.description).toBe('Try again later. (HTTP 500) Two of five were done.');
	expect(error.context.data).toEqual({ request: 'GET /x', status: 500, done: ['a', 'b'] });
});

test('and to an error of the node, which may have no description', () => {
	const error = new NodeOperationError(node, 'Wrong value');
	withProgress(error, 'One was done.', { done: ['a'] });
	expect(error.description).toBe('One was done.');
	expect(error.context.data).toEqual({ done: ['a'] });
});

test.each([[new Error('cancelled')], ['text'], [undefined]])('%p stays as it is', (error) => {
	const before = error instanceof Error ? { ...error } : error;
	expect(withProgress(error, 'note', { done: [] })).toBe(error);
	expect(error instanceof Error ? { ...error } : error).toEqual(before);
});
