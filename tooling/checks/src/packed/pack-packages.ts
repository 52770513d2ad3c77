import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { readReleasedPackages, readRepositoryFile, repositoryRoot } from '../workspace.ts';
import type { WorkspacePackage } from '../workspace.ts';
import { runCommand } from './run-command.ts';

/** A package as it would be published. */
export interface PackedPackage {
  readonly name: string;
  readonly version: string;
  /** Absolute path of its `.tgz`. */
  readonly tarball: string;
}

/**
 * Builds what a release publishes, or some packages of it, and packs it into `directory`, exactly as a release does.
 * Leaves out the build if it is done already.
 */
export async function packPackages(
  directory: string,
  packages: readonly WorkspacePackage[] = readReleasedPackages(),
  isBuilt = false,
): Promise<readonly PackedPackage[]> {
  if (!isBuilt) await buildPackages(packages);
  const { packageManager } = JSON.parse(readRepositoryFile('package.json')) as { readonly packageManager: string };
  await runCommand(
    'npx',
    [
      '--yes',
      packageManager,
      '--recursive',
      ...packages.flatMap(({ folder }) => ['--filter', `./${folder}`]),
      'pack',
      // Packed once, downloaded often.
      '--pack-gzip-level',
      '9',
      '--pack-destination',
      directory,
    ],
    { cwd: repositoryRoot },
  );
  const tarballs = readdirSync(directory).filter((file) => file.endsWith('.tgz'));
  return packages.map(({ manifest: { name, version = '' } }) => {
    const file = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
    if (!tarballs.includes(file))
      throw new Error(`packing created no ${file}, only ${tarballs.join(', ') || 'nothing'}`);
    return { name, version, tarball: join(directory, file) };
  });
}

async function buildPackages(packages: readonly WorkspacePackage[]): Promise<void> {
  const compiler = join(repositoryRoot, 'node_modules', 'typescript', 'bin', 'tsc');
  await runCommand(process.execPath, [compiler, '-b', ...packages.map(({ folder }) => folder)], {
    cwd: repositoryRoot,
  });
  const bundler = join(repositoryRoot, 'tooling', 'bundle', 'src', 'main.ts');
  await runCommand(process.execPath, [bundler], { cwd: repositoryRoot });
  for (const { folder } of packages) {
    const cwd = join(repositoryRoot, folder);
    if (existsSync(join(cwd, 'page'))) {
      const vite = join(cwd, 'node_modules', 'vite', 'bin', 'vite.js');
      await runCommand(process.execPath, [vite, 'build', 'page', '--logLevel', 'warn'], { cwd });
    }
    const database = join(cwd, 'database', 'write-database.ts');
    if (existsSync(database)) await runCommand(process.execPath, [database], { cwd });
  }
}
