import type { BadInput } from './rows.mts';
import { ABSENT, locator, notBoolean, notEmail, optionalText, text } from './rows.mts';

export const user: BadInput[] = [
	...locator('userId'),
	notEmail('userId', { mode: 'email' }),
	...text('email'),
	notEmail('email'),
	...text('givenName'),
	...text('familyName'),
	notBoolean('active'),
	...optionalText('additionalFields.externalId', ABSENT),
	...optionalText('additionalFields.profileUrl', 'https://example.com/a.png').slice(1),
	notBoolean('updateFields.active'),
	notEmail('updateFields.email', { good: 'new-address@example.com' }),
	{ at: 'updateFields.email', good: 'new-address@example.com', bad: '', message: "'…' is empty" },
	{ at: 'updateFields.givenName', bad: ['Ann'], message: "'…' is not a text" },
	{ at: 'updateFields.familyName', bad: { a: 1 }, message: "'…' is not a text" },
	notEmail('filters.email', { good: 'nobody@example.com' }),
	...optionalText('filters.email', 'nobody@example.com'),
	...optionalText('filters.externalId', 'nobody'),
];
