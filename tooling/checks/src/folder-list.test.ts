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
  const pageOf = (name: string, rows: readonly string[]): string =>
    [`### \`${name}\``, '', '| folder | contains |', '|---|---|', ...rows, ''].join('\n');
  const problemsOf = (...rows: readonly string[]): string =>
    describeProblems(findFolderListProblems(pageOf('mcp', rows), [mcp]));

  it('is accepted if it names exactly the folders with shipped files', () => {
    expect(problemsOf('| `client/` | connects |', '| `server/` | serves |')).toBe('');
    expect(problemsOf('| `client/`, `server/` | both |', '| directly in `src` | errors |')).toBe('');
  });

  it('is rejected if a folder is missing', () => {
    expect(problemsOf('| `client/` | connects |')).toContain('ARCHITECTURE.md: mcp/server/ is not listed');
  });

  it('is rejected if it names a folder that does not exist', () => {
    const problems = problemsOf('| `client/` | connects |', '| `server/` | serves |', '| `attic/` | old |');
    expect(problems).toContain('ARCHITECTURE.md:7: mcp/attic/ does not exist');
  });

  it('is rejected if a folder has no description', () => {
    const problems = problemsOf('| `client/` | connects |', '| `server/` |  |');
    expect(problems).toContain('ARCHITECTURE.md:6: mcp/server/ has no description');
  });

  it('is rejected if a folder inside a folder is missing', () => {
    const nested = madeUpPackage({ name: '@haft/mcp', files: { 'src/client/tools/deep/a.ts': '' } });
    const problemsOfNested = (row: string): string =>
      describeProblems(findFolderListProblems(pageOf('mcp', ['| `client/` | connects |', row]), [nested]));
    expect(problemsOfNested('| `client/tools/deep/` | tools |')).toBe('');
    expect(problemsOfNested('| `client/tools/` | tools |')).toContain('mcp/client/tools/deep/ is not listed');
  });

  it('is rejected if the package or the whole table is missing', () => {
    expect(describeProblems(findFolderListProblems('', [mcp]))).toContain('it has no table of folders');
    const other = pageOf('core', ['| `contracts/` | types |']);
    expect(describeProblems(findFolderListProblems(other, [mcp]))).toContain('mcp/client/ is not listed');
  });
});
