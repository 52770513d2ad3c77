/**
 * Bundles the packages whose compiler writes declarations only, after `tsc -b`: all of them, or the given folders. Also writes
 * the documentation that they ship.
 *
 * usage: node tooling/bundle/src/main.ts [FOLDER …]
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { bundlePackage } from './bundle-package.ts';
import { writePackageDocs } from './package-docs.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const packages = join(root, 'packages');
const given = process.argv.slice(2).map((folder) => resolve(folder));
const folders = given.length > 0 ? given : readdirSync(packages).map((name) => join(packages, name));

for (const folder of folders) {
  if (!leavesCodeToBundler(folder)) continue;
  await bundlePackage(folder);
  await writePackageDocs(root, relative(root, folder).replaceAll('\\', '/'));
}

function leavesCodeToBundler(folder: string): boolean {
  const path = join(folder, 'tsconfig.json');
  if (!existsSync(path)) return false;
  const { compilerOptions } = JSON.parse(readFileSync(path, 'utf8')) as {
    readonly compilerOptions?: { readonly emitDeclarationOnly?: boolean };
  };
  return compilerOptions?.emitDeclarationOnly === true;
}
