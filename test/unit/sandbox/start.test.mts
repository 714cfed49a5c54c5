import { startSandbox, type Sandbox } from '../../sandbox/index.mts';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});

afterAll(async () => {
	await sandbox.close();
});

test('answers the seeded log to a key and 401 without one', async () => {
	const headers = { authorization: `apikey ${sandbox.key}` };
	const answer = await fetch(`${sandbox.url}/audit-log?maxResults=3`, { headers });
	expect(answer.status).toBe(200);
	const body = (await answer.json()) as { data: unknown[]; nextToken: string };
	expect(body.data).toHaveLength(3);
	expect(typeof body.nextToken).toBe('string');

	const refused = await fetch(`${sandbox.url}/audit-log`);
	expect(refused.status).toBe(401);
	expect(await refused.json()).toMatchObject({ error: 'API_KEY' });
	expect(sandbox.admin.requests().map(({ status, keyMatched }) => [status, keyMatched])).toEqual([
		[200, true],
		[401, false],
	]);
});
