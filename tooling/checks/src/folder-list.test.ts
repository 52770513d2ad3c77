import { describe, expect, it } from 'vitest';

import { findFolderListProblems } from './folder-list.ts';
import { madeUpPackage } from './made-up-package.ts';
import { assertNoProblems, describeProblems } from './problem.ts';
import { readPublishedPackages, readRepositoryFile } from './workspace.ts';

describe('the table of folders in ARCHITECTURE.md', () => {
  it('lists every folder of every package, and no other', () => {
    assertNoProblems(findFolderListProblems(readRepositoryFile('ARCHITECTURE.md'), readPublishedPackages()));
  });

  const mcp = madeUpPackage({
    name: '@haft/mcp',
    files: { 'src/index.ts': '', 'src/client/a.ts': '', 'src/server/b.ts': '', 'src/fixtures/c.ts': '' },
  });
  const problemsOf = (folders: string): string =>
    describeProblems(findFolderListProblems(`| package | folders |\n|---|---|\n| \`mcp\` | ${folders} |\n`, [mcp]));

  it('is accepted if it names exactly the folders with shipped files', () => {
    expect(problemsOf('`client/` connects; `server/` serves')).toBe('');
  });

  it('is rejected if a folder is missing', () => {
    expect(problemsOf('`client/` connects')).toContain('ARCHITECTURE.md:3: mcp/src/server/ is not listed');
  });

  it('is rejected if it names a folder that does not exist', () => {
    expect(problemsOf('`client/`, `server/`, `attic/`')).toContain('mcp/src/attic/ does not exist');
  });

  it('is rejected if a folder inside a folder is missing, or does not exist', () => {
    const nested = madeUpPackage({ name: '@haft/mcp', files: { 'src/client/tools/deep/a.ts': '' } });
    const packages = '| package | folders |\n|---|---|\n| `mcp` | `client/` |\n\n';
    const problemsOfNested = (contains: string): string =>
      describeProblems(
        findFolderListProblems(`${packages}| folder | contains |\n|---|---|\n| \`mcp/client\` | ${contains} |\n`, [
          nested,
        ]),
      );
    expect(problemsOfNested('`tools/deep/` tools')).toBe('');
    expect(problemsOfNested('`tools/` tools')).toContain('mcp/client/tools/deep/ is not listed');
    expect(problemsOfNested('`tools/deep/`, `attic/`')).toContain(
      'ARCHITECTURE.md:7: mcp/client/attic/ does not exist',
    );
  });

  it('is rejected if the package or the whole table is missing', () => {
    expect(describeProblems(findFolderListProblems('', [mcp]))).toContain('it has no table of folders');
    const other = '| package | folders |\n|---|---|\n| `core` | `contracts/` |\n';
    expect(describeProblems(findFolderListProblems(other, [mcp]))).toContain('mcp/src/client/ is not listed');
  });
});
