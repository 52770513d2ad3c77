import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { assertNoProblems, describeProblems } from './problem.ts';
import { findMissingVectors, findSecurityTestProblems } from './security-tests.ts';
import { readRepositoryFile } from './workspace.ts';

const read = (path: string): string | undefined => {
  try {
    return readRepositoryFile(path);
  } catch {
    return undefined;
  }
};
const table = (row: string): string =>
  `# Security\n## Enforced today\n| promise | package | tests |\n|---|---|---|\n${row}\n`;
const problemsOf = (row: string, text?: string): string =>
  describeProblems(findSecurityTestProblems('docs/security/a.md', table(row), () => text));

describe('the pages of docs/security', () => {
  const pages = readdirSync(new URL('../../../docs/security', import.meta.url));

  it.each(pages)('name an existing test for every promise: %s', (name) => {
    const path = `docs/security/${name}`;
    assertNoProblems(findSecurityTestProblems(path, readRepositoryFile(path), read));
  });

  it('are all linked from SECURITY.md', () => {
    const summary = readRepositoryFile('SECURITY.md');
    expect(pages.filter((name) => !summary.includes(`(docs/security/${name})`))).toEqual([]);
  });

  it('are reported when a promise names no test, or a test that is missing', () => {
    expect(problemsOf('| a | `core` | |')).toBe('');
    expect(problemsOf('| a | `core`, `sandbox` | |')).toContain('"a" names no test');
    expect(problemsOf('| a | `builtins` | `x.test.ts` |')).toContain('x.test.ts has no tests');
    expect(problemsOf('| a | `builtins` | `x.test.ts` |', 'const a = 1;')).toContain('has no tests');
    expect(problemsOf('| a | `builtins` | `x.ts` |', "it('b', () => {});")).toContain('has no tests');
    expect(problemsOf('| a | `builtins` | `x.test.ts` |', "it.each([1])('b', () => {});")).toBe('');
    expect(describeProblems(findSecurityTestProblems('docs/security/a.md', '# Security\n', () => ''))).toContain(
      'no table',
    );
  });

  it('may name an existing area of attacks', () => {
    expect(problemsOf('| a | `sandbox` | `pnpm attack files` |', 'export const area = {};')).toBe('');
    expect(problemsOf('| a | `sandbox` | `pnpm attack fils` |')).toContain('pnpm attack fils has no tests');
  });
});

describe('the 64 threats', () => {
  it('have a numbered test each', () => {
    const folder = 'packages/sandbox/src/vectors';
    const names = readdirSync(new URL(`../../../${folder}`, import.meta.url));
    const texts = names.map((name) => readRepositoryFile(`${folder}/${name}`));
    expect(texts.length).toBeGreaterThan(0);
    expect(findMissingVectors(texts)).toEqual([]);
  });

  it('are reported if no test names their number', () => {
    const missing = findMissingVectors(["it('vector 1: a')", "it('vectors 3 to 62: b')", '    number: 63,\n']);
    expect(missing).toEqual([2, 64]);
  });
});
