import { test } from 'node:test';
import { projectDir } from '../paths.mts';
import { scan } from '../scan.mts';
import { tarball } from '../suite.mts';

test("n8n's verification scan passes over sources and tarball", async () => {
	await scan(projectDir, tarball());
});
