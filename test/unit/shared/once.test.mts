import type { Client } from '../../../nodes/shared/client';
import { once } from '../../../nodes/shared/once';

const newClient = () => ({}) as Client;

test('those who ask at the same time and later get the one answer', async () => {
	const client = newClient();
	let asked = 0;
	const ask = async () => ++asked;
	expect(await Promise.all([once(client, 'a', ask), once(client, 'a', ask)])).toEqual([1, 1]);
	expect(await once(client, 'a', ask)).toBe(1);
	expect(await once(client, 'b', ask)).toBe(2);
	expect(await once(newClient(), 'a', ask)).toBe(3);
});

test('"no such thing" is an answer too', async () => {
	const client = newClient();
	let asked = 0;
	const ask = async () => {
		asked++;
		return undefined;
	};
	expect(await once(client, 'a', ask)).toBeUndefined();
	expect(await once(client, 'a', ask)).toBeUndefined();
	expect(asked).toBe(1);
});

test('a failure is the own one of everybody who asked, and is not kept', async () => {
	const client = newClient();
	let asked = 0;
	const ask = async () => {
		asked++;
		if (asked <= 2) throw new Error(`failure ${asked}`);
		return 'there';
	};
	const results = await Promise.allSettled(
		[1, 2, 3, 4].map(async () => await once(client, 'a', ask)),
	);
	expect(results).toMatchObject([
		{ reason: { message: 'failure 1' } },
		{ reason: { message: 'failure 2' } },
		{ value: 'there' },
		{ value: 'there' },
	]);
	expect(asked).toBe(3);
});
