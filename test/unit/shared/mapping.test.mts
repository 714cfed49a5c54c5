import fc from 'fast-check';

import type { MappingPatch, Permission, Workspaces } from '../../../nodes/shared/mapping';
import {
	mappingPatches,
	normalizePermissions,
	PERMISSIONS,
	planMapping,
	simplifyMapping,
	WORKSPACES_PER_REQUEST,
} from '../../../nodes/shared/mapping';

const permissions = fc.subarray([...PERMISSIONS], { minLength: 0 });
const workspaceId = fc.integer({ min: 0, max: 300 }).map((n) => `w${n}`);
const workspaces: fc.Arbitrary<Workspaces> = fc.dictionary(workspaceId, permissions, {
	maxKeys: 260,
	noNullPrototype: true,
});

/** What the service does with a PATCH (spec: Group workspace mapping). */
function apply(state: Workspaces, patch: MappingPatch): Workspaces {
	const next = { ...state };
	for (const id of patch.workspaceIds) {
		if (patch.action === 'remove') delete next[id];
		else next[id] = PERMISSIONS.filter((name) => patch.permissions?.[name]);
	}
	return next;
}

const normalized = (state: Workspaces) =>
	Object.fromEntries(Object.entries(state).map(([id, list]) => [id, normalizePermissions(list)]));

test('the requests of an exact plan make the wanted state', () => {
	fc.assert(
		fc.property(workspaces, workspaces, (current, wanted) => {
			const patches = mappingPatches(planMapping(current, wanted, true));
			expect(normalized(patches.reduce(apply, current))).toEqual(normalized(wanted));
		}),
	);
});

test('the requests of a merging plan leave the other workspaces alone', () => {
	fc.assert(
		fc.property(workspaces, workspaces, (current, wanted) => {
			const patches = mappingPatches(planMapping(current, wanted, false));
			const expected = { ...normalized(current), ...normalized(wanted) };
			expect(normalized(patches.reduce(apply, current))).toEqual(expected);
			expect(patches.every(({ action }) => action === 'add')).toBe(true);
		}),
	);
});

test('only the difference is sent, each workspace once, removals last, in parts', () => {
	fc.assert(
		fc.property(workspaces, workspaces, (current, wanted) => {
			const plan = planMapping(current, wanted, true);
			const patches = mappingPatches(plan);
			const sent = patches.flatMap((patch) => patch.workspaceIds);
			expect(new Set(sent).size).toBe(sent.length);
			expect(plan.keep.some((id) => sent.includes(id))).toBe(false);
			expect(sent.length).toBe(plan.add.length + plan.change.length + plan.remove.length);
			expect(patches.map(({ action }) => action).join()).toMatch(/^(add,?)*(remove,?)*$/);
			for (const patch of patches) {
				expect(patch.workspaceIds.length).toBeLessThanOrEqual(WORKSPACES_PER_REQUEST);
				expect(patch.workspaceIds.length).toBeGreaterThan(0);
			}
		}),
	);
});

test('a plan for what is there already is empty, also when admin stands for all', () => {
	fc.assert(
		fc.property(workspaces, (current) => {
			expect(mappingPatches(planMapping(current, current, true))).toEqual([]);
		}),
	);
	const plan = planMapping({ w1: [...PERMISSIONS] }, { w1: ['admin'] }, true);
	expect(plan).toEqual({ add: [], change: [], remove: [], keep: ['w1'] });
});

test('admin is sent with all other permissions, remove without any', () => {
	const plan = planMapping({ old: [] }, { a: ['admin'], b: [] }, true);
	expect(mappingPatches(plan)).toEqual([
		{
			action: 'add',
			workspaceIds: ['a'],
			permissions: {
				createRooms: true,
				canDiscoverPublicRooms: true,
				canPublishTemplates: true,
				admin: true,
			},
		},
		{
			action: 'add',
			workspaceIds: ['b'],
			permissions: {
				createRooms: false,
				canDiscoverPublicRooms: false,
				canPublishTemplates: false,
				admin: false,
			},
		},
		{ action: 'remove', workspaceIds: ['old'] },
	]);
});

test('a change tells what was there before', () => {
	const before: Permission[] = ['createRooms'];
	expect(planMapping({ w: before }, { w: [] }, false).change).toEqual([
		{ workspaceId: 'w', permissions: [], before },
	]);
});

test('simplified, a mapping lists its workspaces with one flag a permission', () => {
	expect(
		simplifyMapping({ id: 'g', name: 'Design', workspaces: { w1: ['createRooms'], w2: [] } }),
	).toEqual({
		id: 'g',
		name: 'Design',
		workspaceCount: 2,
		workspaces: [
			{
				workspaceId: 'w1',
				createRooms: true,
				canDiscoverPublicRooms: false,
				canPublishTemplates: false,
				admin: false,
			},
			{
				workspaceId: 'w2',
				createRooms: false,
				canDiscoverPublicRooms: false,
				canPublishTemplates: false,
				admin: false,
			},
		],
	});
	expect(simplifyMapping({ id: 'g', name: 'Design' })).toMatchObject({ workspaces: [] });
});
