import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test, type TestContext } from 'node:test';
import { accessReview } from '../examples/accessReview.mts';
import { alertOnAuditEvents } from '../examples/alertOnAuditEvents.mts';
import { Example } from '../examples/example.mts';
import { nightlyAuditExport } from '../examples/nightlyAuditExport.mts';
import { offboardLeaver } from '../examples/offboardLeaver.mts';
import { onboardJoiner } from '../examples/onboardJoiner.mts';
import { suspendAndVerify } from '../examples/suspendAndVerify.mts';
import { suspendFromSpreadsheet } from '../examples/suspendFromSpreadsheet.mts';
import { workflowDir } from '../paths.mts';
import { suiteStack } from '../suite.mts';

/** Every example is imported, executed and its effect checked in the sandbox. */

type Check = (example: Example, t: TestContext) => Promise<void>;

const CHECKS: Record<string, Check> = {
	'access-review.json': accessReview,
	'alert-on-audit-events.json': alertOnAuditEvents,
	'nightly-audit-export.json': nightlyAuditExport,
	'offboard-leaver.json': offboardLeaver,
	'onboard-joiner.json': onboardJoiner,
	'suspend-from-spreadsheet.json': suspendFromSpreadsheet,
	'suspend-member-and-verify.json': suspendAndVerify,
};

const files = (await readdir(workflowDir)).filter((file) => file.endsWith('.json'));

test('every example has a check, and every check an example', () => {
	assert.deepEqual(files.toSorted(), Object.keys(CHECKS));
});

const stack = await suiteStack('examples');

for (const [file, check] of Object.entries(CHECKS)) {
	test(file, async (t) => {
		await stack.sandbox.admin.reset();
		await check(new Example(file, stack), t);
		const requests = await stack.sandbox.admin.requests();
		assert.ok(requests.length > 0);
		assert.ok(requests.every(({ keyMatched, keyLeaked }) => keyMatched && !keyLeaked));
	});
}
