import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { TypePaths } from './plugin-template.ts';

/** Declaration files of packages that a plugin can import, below each package's folder. */
const declarations: readonly (readonly [specifier: string, packageName: string, file: string])[] = [
  ['@haft/core', '@haft/core', 'dist/index.d.ts'],
  ['@haft/dynamic-tools/plugin', '@haft/dynamic-tools', 'dist/plugin.d.ts'],
  ['zod', 'zod', 'index.d.ts'],
];

/** Finds the types of these packages, for the editor; empty before the first build. */
export function findTypes(): TypePaths {
  const { resolve } = createRequire(import.meta.url);
  const found = declarations.map(
    ([specifier, packageName, file]) =>
      [specifier, join(dirname(resolve(`${packageName}/package.json`)), file)] as const,
  );
  return found.every(([, path]) => existsSync(path)) ? Object.fromEntries(found) : {};
}
