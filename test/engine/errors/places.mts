import type {
	IDataObject,
	INodeParameters,
	INodeProperties,
	NodeParameterValueType,
} from 'n8n-workflow';

/** Every place of an operation that a person or an expression fills in. */

export interface Place {
	/** e.g. `limit`, `options.timeout`, `memberList.entries.userId`. */
	path: string;
	/** Display name, by which errors call it. */
	label: string;
	type: INodeProperties['type'];
	default: unknown;
	/** n8n takes the value as it is, expression or not. */
	isFixed: boolean;
}

/** Shown to AI agents only, and without expressions; test/e2e/suites/mcp.mts tries it in n8n. */
const isForTools = ({ displayOptions }: INodeProperties) =>
	displayOptions?.show?.['@tool'] !== undefined;

export function placesOf(properties: INodeProperties[], prefix = ''): Place[] {
	const places = properties
		.filter((property) => !isForTools(property))
		.flatMap((property) => {
			const { type, displayName: label } = property;
			const path = prefix + property.name;
			if (type === 'notice') return [];
			if (type === 'collection') {
				return placesOf((property.options ?? []) as INodeProperties[], `${path}.`);
			}
			if (type === 'fixedCollection') {
				const lists = (property.options ?? []) as Array<{
					name: string;
					values: INodeProperties[];
				}>;
				return lists.flatMap(({ name, values }) => placesOf(values, `${path}.${name}.`));
			}
			const isFixed = property.noDataExpression === true;
			return [{ path, label, type, default: property.default, isFixed }];
		});
	return places.filter(({ path }, index) => places.findIndex((p) => p.path === path) === index);
}

/** What stands there now; of a locator its value. */
export function valueAt(parameters: INodeParameters, { path, type }: Place): unknown {
	const found = path
		.split('.')
		.reduce<unknown>((value, name) => (value as IDataObject | undefined)?.[name], parameters);
	return type === 'resourceLocator' ? (found as IDataObject | undefined)?.value : found;
}

/** The parameters with `value` there. @param mode of a locator */
export function withValue(
	parameters: INodeParameters,
	{ path, type }: Place,
	value: NodeParameterValueType,
	mode = 'id',
): INodeParameters {
	const [name, list, child] = path.split('.');
	const filled = (
		type === 'resourceLocator' ? { __rl: true, mode, value } : value
	) as NodeParameterValueType;
	const inside = (parameters[name] ?? {}) as INodeParameters;
	if (child !== undefined)
		return { ...parameters, [name]: { [list]: [{ [child]: filled }] } } as INodeParameters;
	if (list !== undefined)
		return { ...parameters, [name]: { ...inside, [list]: filled } } as INodeParameters;
	return { ...parameters, [name]: filled } as INodeParameters;
}
