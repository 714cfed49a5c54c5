import type { AddressInfo } from 'node:net';
import { BASE_PATH, createApp } from './app.mts';
import { DEFAULTS, type BehaviourChange } from './behaviour.mts';
import { Clock, type Instant } from './clock.mts';
import { ADMIN_PATH, adminRoutes } from './admin.mts';
import { Controls } from './controls.mts';
import { Live, type LiveMode } from './live.mts';
import { keepSaved, load, save } from './persist.mts';
import { seedLog } from './seedLog.mts';
import { DEFAULT_SIZES, seedState, type Sizes } from './seed.mts';
import { Service } from './service.mts';
import { SCOPES, type State } from './types.mts';

export { connectControls, type RemoteControls } from './admin.mts';
export type { BehaviourChange, EndOfPaging } from './behaviour.mts';
export type { Access, Controls, KeyInput } from './controls.mts';
export type { Dump } from './dump.mts';
export type { EntryInput } from './entries.mts';
export type { Fault, Latency } from './faults.mts';
export type { Counters, LoggedRequest } from './requestLog.mts';

/** The sandbox's key when none is given. It opens nothing but a sandbox. */
export const SANDBOX_KEY = 'sandbox-key';

export interface SandboxOptions {
	/** Default 0: any free port. */
	port?: number;
	key?: string;
	seed?: number;
	/** Default: `DEFAULT_SIZES`. */
	sizes?: Partial<Sizes>;
	/** Sandbox time at the start, default real time. */
	now?: Instant;
	/** The clock stands still until a test moves it. */
	frozen?: boolean;
	behaviour?: BehaviourChange;
	/** People keep working from the start. */
	live?: LiveMode;
	/** File that keeps the state over restarts; a state found there wins over the seed. */
	stateFile?: string;
}

export interface Sandbox {
	/** Base URL, `/enterprise/v1` included, without a trailing slash. */
	url: string;
	/** Address of the admin prefix, without a trailing slash. */
	adminUrl: string;
	/** A key with every scope. */
	key: string;
	admin: Controls;
	/** The live state; a reset replaces it. */
	readonly state: State;
	/** The service itself, for tests of the sandbox. */
	service: Service;
	close(): Promise<void>;
}

/** Milliseconds between two looks at what falls due while no request comes. */
const TICK_MS = 250;

/** Starts the service on 127.0.0.1. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 0, key = SANDBOX_KEY, seed = 1, stateFile } = options;
	const sizes = { ...DEFAULT_SIZES, ...options.sizes };
	const clock = new Clock();
	const startClock = () =>
		clock.set({ now: options.now ?? Date.now(), rate: options.frozen ? 0 : 1, skewMs: 0 });
	startClock();
	const service = new Service(seedState(seed, sizes, clock.now()), clock);
	const live = new Live(service, seed);

	function configureAndOpen(): void {
		const id = 'sandboxkey';
		const name = 'Sandbox key';
		service.state.keys.set(key, { id, key, name, app: 'sandbox', scopes: [...SCOPES] });
		controls.configure(structuredClone(DEFAULTS));
		if (options.behaviour) controls.configure(options.behaviour);
		live.set(options.live ?? null);
	}

	const controls = new Controls(service, live, () => {
		startClock();
		service.state = seedState(seed, sizes, clock.now());
		service.clear();
		seedLog(service, seed, sizes.entries);
		configureAndOpen();
	});

	const restored = stateFile !== undefined && load(service, stateFile);
	if (!restored) seedLog(service, seed, sizes.entries);
	configureAndOpen();

	if (stateFile !== undefined) save(service, stateFile);
	const app = createApp(service, adminRoutes(service, controls, live));
	await app.listen({ host: '127.0.0.1', port });
	const ticking = setInterval(() => service.tick(), TICK_MS);
	ticking.unref();
	const stopSaving = stateFile === undefined ? () => {} : keepSaved(service, stateFile);
	const address = app.server.address() as AddressInfo;
	const origin = `http://127.0.0.1:${address.port}`;
	return {
		url: origin + BASE_PATH,
		adminUrl: origin + ADMIN_PATH,
		key,
		admin: controls,
		get state() {
			return service.state;
		},
		service,
		async close() {
			clearInterval(ticking);
			await app.close();
			stopSaving();
		},
	};
}
