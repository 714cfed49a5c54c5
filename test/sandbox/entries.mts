import { newEntryId } from './auditStore.mts';
import { toMs, type Instant } from './clock.mts';
import type { Service } from './service.mts';
import type { Actor, Affected } from './types.mts';

/** An entry a test puts into the log. */
export interface EntryInput {
	/** Default: now. May lie in the future. */
	date?: Instant;
	/** When the entry becomes visible, default at once: entries may appear long after their date. */
	appearsAt?: Instant;
	id?: string;
	action?: string;
	actor?: Partial<Actor>;
	affected?: Partial<Affected>;
	ip?: string | null;
	/** Fields to leave out of the entry as sent, such as id or date. */
	omit?: string[];
	/** Fields to send instead, such as a garbage date, or unknown ones. */
	overrides?: Record<string, unknown>;
}

/** @returns the ids, in the order given. */
export function insertEntries(service: Service, inputs: EntryInput[]): string[] {
	const { company } = service.state;
	const now = service.clock.now();
	const [someone] = service.state.users.values();
	const person = someone
		? service.userActor(someone)
		: { company: company.id, email: null, id: company.id, name: company.name, type: 'COMPANY' };
	const visible = [];
	const ids: string[] = [];
	for (const input of inputs) {
		const row = {
			date: input.date === undefined ? now : toMs(input.date),
			key: input.id ?? newEntryId(),
			action: input.action ?? 'CREATE_MURAL',
			actor: service.shared({ ...person, ...input.actor }),
			affected: service.shared({
				company: company.id,
				id: company.id,
				type: 'COMPANY',
				...input.affected,
			}),
			ip: input.ip === undefined ? '203.0.113.7' : input.ip,
			...(input.overrides && { overrides: input.overrides }),
			...(input.omit && { omit: input.omit }),
		};
		ids.push(row.key);
		const at = input.appearsAt === undefined ? now : toMs(input.appearsAt);
		if (at > now) service.log.insert(row, at);
		else visible.push(row);
	}
	service.log.insertMany(visible);
	return ids;
}
