/**
 * Builds and packs all packages, publishes those whose version is new, and tags them. The release workflow runs it.
 *
 * usage: node tooling/release/src/publish.ts [--tag <tag>]
 *
 * Exit code 2: the addresses of the project are placeholders, or an option is unknown. Nothing is published then.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { packPackages } from '@haft-tooling/checks/packed';
import { runCommand } from '@haft-tooling/checks/run-command';

import { readOrganization } from './organization.ts';
import { publishTarballs } from './publish-tarballs.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { tag: { type: 'string', default: 'latest' } } });
  if (readOrganization().placeholder === true) {
    process.stderr.write(
      'The addresses in tooling/release/organization.json are placeholders: write the real ones, remove "placeholder", then run node tooling/release/src/write-manifests.ts.\n',
    );
    return 2;
  }
  const directory = mkdtempSync(join(tmpdir(), 'haft-release-'));
  try {
    process.stderr.write('building and packing…\n');
    const packed = await packPackages(directory);
    for (const { name, version, outcome } of await publishTarballs(packed, { cwd: root, tag: values.tag })) {
      process.stderr.write(`${name} ${version}: ${outcome}\n`);
    }
    const changesets = join(root, 'node_modules', '@changesets', 'cli', 'bin.js');
    const { stdout } = await runCommand(process.execPath, [changesets, 'tag'], { cwd: root });
    // The action that runs this reads "New tag: …" to write the release notes.
    process.stdout.write(stdout);
    return 0;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof TypeError ? 2 : 1;
}
