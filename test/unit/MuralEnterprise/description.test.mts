import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { MuralEnterprise } from '../../../nodes/MuralEnterprise/MuralEnterprise.node';
import { resources } from '../../../nodes/MuralEnterprise/actions';
import { AFFECTED_TYPES, KNOWN_ACTIONS } from '../../../nodes/shared/auditActions';

/** What the editor is told of the node fits together. */

const node = new MuralEnterprise();
const { properties } = node.description;

/** Every parameter, those within collections too. */
function all(list: INodeProperties[]): INodeProperties[] {
	const within = (property: INodeProperties) =>
		(property.options ?? []).flatMap((option) => {
			if ('values' in option) return option.values;
			return 'type' in option ? [option as INodeProperties] : [];
		});
	return list.flatMap((property) => [property, ...all(within(property))]);
}

test('every list behind a locator exists', () => {
	const names = all(properties).flatMap(({ modes = [] }) =>
		modes.flatMap(({ typeOptions }) => typeOptions?.searchListMethod ?? []),
	);
	expect(names).toContain('searchUsers');
	for (const name of names) expect(Object.keys(node.methods.listSearch)).toContain(name);
});

test('the credential is tested by a method of the node', () => {
	const [{ testedBy }] = node.description.credentials ?? [];
	expect(Object.keys(node.methods.credentialTest)).toContain(testedBy);
});

test('every resource starts with one of its operations, every operation says what it does', () => {
	for (const { key, operations, defaultOperation } of resources) {
		const list = properties.find(
			({ name, displayOptions }) =>
				name === 'operation' && displayOptions?.show?.resource?.includes(key),
		);
		const values = (list?.options as INodePropertyOptions[]).map(({ value }) => value);
		expect(values).toEqual(operations.map(({ option }) => option.value));
		expect(new Set(values).size).toBe(values.length);
		expect(values).toContain(defaultOperation);
		for (const { option } of operations) {
			expect(option.action).toMatch(/^[A-Z]/);
			expect(option.description).toMatch(/^[A-Z].*[^.]$/);
		}
	}
});

test('a parameter of the same name is never shown twice', () => {
	for (const { key, operations } of resources) {
		for (const { option } of operations) {
			const shown = properties.filter(({ displayOptions: { show } = {} }) => {
				const other = Object.keys(show ?? {}).filter(
					(name) => !['resource', 'operation'].includes(name),
				);
				return (
					other.length === 0 &&
					show?.resource?.includes(key) === true &&
					(show.operation === undefined || show.operation.includes(option.value))
				);
			});
			const names = shown.map(({ name }) => name);
			expect(new Set(names).size).toBe(names.length);
		}
	}
});

test('the lists to pick from hold each name once, as the log writes them', () => {
	for (const list of [KNOWN_ACTIONS, AFFECTED_TYPES]) {
		expect(new Set(list).size).toBe(list.length);
		for (const name of list) expect(name).toMatch(/^[A-Z_]+$/);
	}
});
