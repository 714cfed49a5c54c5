import { join, resolve } from 'node:path';

export const projectDir = resolve(import.meta.dirname, '../..');

/** Everything made at run time; git-ignored, and a dot-folder so that `n8n-node build` does not look into it. */
export const runDir = join(projectDir, '.run');

/** The pinned n8n: package.json, lock file and node_modules. */
export const hostDir = join(runDir, 'host');

/**
 * The user folder of `npm start`. It lies inside the host's folder on purpose: a community package finds
 * `n8n-workflow` and `luxon` by walking up from its own folder, and must meet the host's copies before this project's.
 */
export const userFolder = join(hostDir, 'user');

export const logDir = join(runDir, 'log');
export const workflowDir = join(projectDir, 'workflows');
export const tetherUrl = new URL('tether.mjs', import.meta.url).href;
