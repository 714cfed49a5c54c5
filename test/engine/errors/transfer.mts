import type { Sandbox } from '../../sandbox/index.mts';
import type { BadInput } from './rows.mts';
import { locator, notBoolean, notEmail, text } from './rows.mts';

const member = (value: string) => ({ __rl: true, mode: 'email', value });
const emails = ({ state }: Sandbox) => [...state.users.values()].map(({ userName }) => userName);
const toUser = (sandbox: Sandbox) => ({ toUser: member(emails(sandbox)[0]) });
const fromUser = (sandbox: Sandbox) => ({ fromUser: member(emails(sandbox)[7]) });
/** Named by e-mail, so that no look-up comes before the check of the other parameters. */
const byEmail = (sandbox: Sandbox) => ({ ...fromUser(sandbox), ...toUser(sandbox) });

export const transfer: BadInput[] = [
	...locator('fromUser', { given: toUser }),
	...locator('toUser', { given: fromUser }),
	notEmail('fromUser', { mode: 'email', given: toUser }),
	notEmail('toUser', { mode: 'email', given: fromUser }),
	notBoolean('options.checkMembersFirst', { given: byEmail, good: false }),
	notBoolean('options.failedAsItems', { given: byEmail }),
	...[0, -1, 10_081, 'an hour', null].map((bad) => ({
		at: 'options.waitMinutes',
		given: byEmail,
		good: 1,
		bad,
		message: "'…' is not a number of minutes above 0 and up to 10080",
	})),
	...text('jobId'),
];
