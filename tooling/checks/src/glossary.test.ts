import { describe, expect, it } from 'vitest';

import { findGlossaryProblems } from './glossary.ts';
import { assertNoProblems, describeProblems } from './problem.ts';
import { readRepositoryFiles } from './repository-words.ts';
import { readPublishedPackages, readRepositoryFile } from './workspace.ts';

const page = (...rows: readonly string[]): string =>
  ['# Glossary', '', '| term | meaning | used in |', '|---|---|---|', ...rows].join('\n');
const files = [{ path: 'packages/a/src/egress-proxy.ts', text: 'export function createNetChange() {}' }];
const problemsIn = (text: string): string => describeProblems(findGlossaryProblems(text, ['a', 'b'], files));

describe('docs/glossary.md', () => {
  it('lists only terms that occur in the named packages, in alphabetical order', () => {
    const names = readPublishedPackages().map(({ folder }) => folder.slice('packages/'.length));
    assertNoProblems(findGlossaryProblems(readRepositoryFile('docs/glossary.md'), names, readRepositoryFiles()));
  });

  it('accepts terms that occur in a text, in an identifier or in a file name', () => {
    expect(problemsIn(page('| egress proxy | a proxy | `a` |', '| net change | a change | `a` |'))).toBe('');
  });

  it('reports a term that does not occur, an unknown package and a wrong order', () => {
    expect(problemsIn(page('| net change | a change | `b` |'))).toContain('"net change" does not occur in b');
    expect(problemsIn(page('| net change | a change | `c` |'))).toContain('names the unknown package c');
    expect(problemsIn(page('| net change | x | `a` |', '| egress proxy | x | `a` |'))).toContain('stands after');
  });

  it('fails if the table is missing', () => {
    expect(problemsIn('# Glossary')).toContain('it has no table of terms');
  });
});
