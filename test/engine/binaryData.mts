import { createRequire } from 'node:module';
import { BinaryDataConfig, BinaryDataService } from 'n8n-core';

/** Where n8n keeps files of items, as its setting N8N_DEFAULT_BINARY_DATA_MODE tells it. */

/** n8n-core's own; npm may put further copies of the package elsewhere. Scripts outside jest import this as ESM. */
const core = createRequire(import.meta.url).resolve('n8n-core');
const { Container } = createRequire(core)('@n8n/di') as {
	Container: { set<T>(type: new (...all: never[]) => T, instance: T): void };
};

type Dependencies = ConstructorParameters<typeof BinaryDataService>;

/** Base64 in the items themselves: what the service does as long as it has no store. */
export function keepBinaryDataInMemory(): BinaryDataService {
	return use('default', '');
}

/** One file each below `folder`, n8n's own choice when it is not told otherwise. */
export async function keepBinaryDataIn(folder: string): Promise<BinaryDataService> {
	const service = use('filesystem', folder);
	await service.init();
	return service;
}

function use(mode: 'default' | 'filesystem', localStoragePath: string): BinaryDataService {
	const config = {
		mode,
		localStoragePath,
		signingSecret: 'test',
		availableModes: [mode],
		dbMaxFileSize: 1,
		initialize: async () => undefined,
	};
	const reporter = {
		error: (error: unknown) => {
			throw error;
		},
	};
	const service = new BinaryDataService(
		config as Dependencies[0],
		reporter as unknown as Dependencies[1],
		console as unknown as Dependencies[2],
	);
	Container.set(BinaryDataConfig, config as BinaryDataConfig);
	Container.set(BinaryDataService, service);
	return service;
}
