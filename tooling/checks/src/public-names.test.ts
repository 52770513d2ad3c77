import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';

import { describe, expect, it } from 'vitest';

import { findOpenExports } from './exported-names.ts';
import { madeUpPackage } from './made-up-package.ts';
import { assertNoProblems, describeProblems } from './problem.ts';
import { findNameProblems, renderPublicNames } from './public-names.ts';
import { readPublishedPackages, repositoryRoot } from './workspace.ts';

const pinnedFolder = join(repositoryRoot, 'tooling', 'checks', 'pinned');

describe('the public names of the packages', () => {
  it('equal the pinned names', () => {
    const update = process.env['HAFT_PIN_NAMES'] === '1';
    if (update) mkdirSync(pinnedFolder, { recursive: true });
    const problems = readPublishedPackages().flatMap((each) => {
      const path = join(pinnedFolder, `${posix.basename(each.folder)}.txt`);
      const actual = renderPublicNames(each);
      if (update) writeFileSync(path, actual);
      return findNameProblems(each.folder, actual, existsSync(path) ? readFileSync(path, 'utf8') : undefined);
    });
    assertNoProblems(problems);
  });

  it('cannot change unnoticed', () => {
    const text = describeProblems(
      findNameProblems(
        'packages/core',
        '@haft/core value b\n@haft/core type C\n',
        '@haft/core value a\n@haft/core type C\n',
      ),
    );
    expect(text).toContain('packages/core: "@haft/core value a" is missing');
    expect(text).toContain('"@haft/core value b" is new');
    expect(describeProblems(findNameProblems('packages/core', '', undefined))).toContain('not pinned');
  });

  it('are read from every entry, with values and types distinguished', () => {
    const made = madeUpPackage({
      manifest: {
        exports: { '.': { '@haft/source': './src/index.ts' }, './testing': { '@haft/source': './src/testing.ts' } },
      },
      files: {
        'src/index.ts': `export { a, type B } from './a.ts'; export type { C as D } from './c.ts'; export interface E {}`,
        'src/testing.ts': 'export const t = 1; export function u() {}',
      },
    });
    expect(renderPublicNames(made)).toBe(
      [
        '@haft/core type B\n@haft/core type D\n@haft/core type E\n@haft/core value a\n',
        '@haft/core/testing value t\n@haft/core/testing value u\n',
      ].join(''),
    );
  });

  // Reading all packages takes long while other processes use the machine.
  it('are exported one by one', { timeout: 120_000 }, () => {
    assertNoProblems(readPublishedPackages().flatMap(findOpenExports));
    const open = madeUpPackage({
      files: { 'src/index.ts': `export * from './a.ts';`, 'src/a.ts': 'export const a = 1;' },
    });
    expect(describeProblems(findOpenExports(open))).toContain(
      `packages/core/src/index.ts: it re-exports everything of './a.ts'`,
    );
  });
});
