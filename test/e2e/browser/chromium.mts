import { execFileSync } from 'node:child_process';
import { chromium, selectors, type Browser } from 'playwright-core';

/** n8n marks what its own tests look for. */
selectors.setTestIdAttribute('data-test-id');

/** Nothing calls its maker, and no name but this machine's is found. */
const ARGUMENTS = [
	'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
	'--no-sandbox',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	'--no-first-run',
];

/** The system's Chromium; installs Debian's when there is none and this may do so. */
export async function startChromium(): Promise<Browser> {
	const executablePath = find() ?? install();
	return await chromium.launch({ executablePath, args: ARGUMENTS });
}

function find(): string | undefined {
	for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
		try {
			return execFileSync('which', [name], { encoding: 'utf8' }).trim();
		} catch {
			// `which` ends with 1 when there is none.
		}
	}
	return undefined;
}

function install(): string {
	if (process.getuid?.() !== 0) {
		throw new Error('The browser suite needs Chromium: install the package chromium.');
	}
	const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
	for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
		execFileSync('apt-get', args, options as object);
	}
	const installed = find();
	if (installed === undefined) throw new Error('Chromium was installed but is not found.');
	return installed;
}
