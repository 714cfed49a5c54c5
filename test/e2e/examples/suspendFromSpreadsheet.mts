import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import { writesOf, type Example } from './example.mts';

interface Row {
	email: string;
	result: string;
	why: string;
}

const MEMBERS = ['emeka.jones29@aurelia.example', 'jana.wright30@aurelia.example'];

export async function suspendFromSpreadsheet(example: Example): Promise<void> {
	const { admin } = example.stack.sandbox;
	const activeOf = async () => {
		const { users } = await admin.dump();
		return new Map(users.map(({ userName, active }) => [userName, active]));
	};
	const before = await activeOf();
	for (const email of MEMBERS) assert.equal(before.get(email), true);

	await admin.clearRequests();
	const execution = await example.run('Start');
	const { name, text } = await example.fileOf(execution, 'Make the report');
	assert.equal(name, 'suspended.csv');
	const rows = parse(text, { columns: true }) as Row[];
	assert.deepEqual(
		rows.map(({ email, result }) => [email, result]),
		[
			...MEMBERS.map((email) => [email, 'suspended']),
			['nobody@aurelia.example', 'failed'],
			['not an address', 'failed'],
		],
	);
	const [, , nobody, mistyped] = rows;
	assert.match(nobody.why, /No user was found for 'nobody@aurelia\.example'/);
	assert.match(mistyped.why, /'User' is not an e-mail address: 'not an address'/);

	const expected = new Map(before);
	for (const email of MEMBERS) expected.set(email, false);
	assert.deepEqual(await activeOf(), expected);
	const tried = [...MEMBERS, 'nobody@aurelia.example'];
	assert.deepEqual(
		(await writesOf(admin)).toSorted(),
		tried.map((email) => `PATCH /scim/Users/${email}`).sort(),
	);
}
