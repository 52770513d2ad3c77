import { expect, it } from 'vitest';

import { madeUpPackage } from './made-up-package.ts';
import { findPlatformProblems } from './platforms.ts';
import { assertNoProblems, describeProblems } from './problem.ts';
import { readAllPackages, readRepositoryFile } from './workspace.ts';

it('lists exactly the files that depend on the platform', () => {
  const shipped = readAllPackages().filter(({ folder }) => folder.startsWith('packages/') || folder === 'apps/demo');
  assertNoProblems(findPlatformProblems(shipped, readRepositoryFile('docs/platforms.md')));
});

it('reports a file that is not listed, and a listed file that does not depend on the platform', () => {
  const made = madeUpPackage({ files: { 'src/path.ts': `export const isWindows = process.platform === 'win32';` } });
  const said = describeProblems(findPlatformProblems([made], '- `packages/core/src/other.ts`'));
  expect(said).toContain('packages/core/src/path.ts: it asks for the platform');
  expect(said).toContain('packages/core/src/other.ts does not ask for the platform');
  expect(findPlatformProblems([made], '- `packages/core/src/path.ts`')).toEqual([]);
});
