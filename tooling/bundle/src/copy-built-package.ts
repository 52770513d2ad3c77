import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { bundlePackage } from './bundle-package.ts';

/**
 * Copies a package as it is published, with what the bundler writes. Bundles its sources, or copies what was built if
 * `HAFT_BUILT` is set.
 */
export async function copyBuiltPackage(folder: string, copy: string): Promise<void> {
  const isBuilt = process.env['HAFT_BUILT'] !== undefined;
  mkdirSync(join(copy, 'dist'), { recursive: true });
  for (const part of ['package.json', isBuilt ? 'dist' : 'src'])
    cpSync(join(folder, part), join(copy, part), { recursive: true });
  if (!isBuilt) await bundlePackage(copy);
}
