/**
 * Poll times of a trigger node that make it poll every `seconds` (a divisor of 60). One cron expression that fires
 * more than once a minute is refused by n8n; several, each at a second of its own, are not.
 */
export function everySeconds(seconds: number) {
	const item = Array.from({ length: 60 / seconds }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * seconds} * * * * *`,
	}));
	return { item };
}
