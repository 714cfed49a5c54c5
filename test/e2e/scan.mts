import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// @ts-expect-error The package comes without types.
import * as scanner from '@n8n/scan-community-package/scanner/scanner.mjs';

/**
 * n8n's verification scan, with inline configuration off, over the sources and over the packed tarball. Its own
 * command line also asks the public registry for the provenance of a published version, which a version that is
 * being built does not have.
 * @throws Error with the scanner's report
 */
export async function scan(projectDir: string, tarball: string): Promise<void> {
	const unpacked = mkdtempSync(join(tmpdir(), 'mural-scan-'));
	try {
		execFileSync('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
		const results = [
			await scanner.analyzePackage(projectDir, scanner.SOURCE_FILE_PATTERNS),
			await scanner.analyzePackage(unpacked, ['**/*.js', 'package.json']),
		];
		const report = results
			.filter(({ passed }) => !passed)
			.map(({ message, details }) => `${message}\n${details ?? ''}`);
		if (report.length > 0) throw new Error(report.join('\n'));
	} finally {
		rmSync(unpacked, { recursive: true });
	}
}
