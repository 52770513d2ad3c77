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
const table = (row: string): string => `# Security\n## Enforced today\n| what | by | tests |\n|---|---|---|\n${row}\n`;
const problemsOf = (row: string, text?: string): string =>
  describeProblems(findSecurityTestProblems(table(row), () => text));

describe('SECURITY.md', () => {
  it('names the tests of what it promises', () => {
    assertNoProblems(findSecurityTestProblems(readRepositoryFile('SECURITY.md'), read));
  });

  it('is found out when it names none, or one that is not there', () => {
    expect(problemsOf('| a | `core` | |')).toBe('');
    expect(problemsOf('| a | `core`, `sandbox` | |')).toContain('no test is named for "a"');
    expect(problemsOf('| a | `builtins` | `x.test.ts` |')).toContain('x.test.ts has no tests');
    expect(problemsOf('| a | `builtins` | `x.test.ts` |', 'const a = 1;')).toContain('has no tests');
    expect(problemsOf('| a | `builtins` | `x.ts` |', "it('b', () => {});")).toContain('has no tests');
    expect(problemsOf('| a | `builtins` | `x.test.ts` |', "it.each([1])('b', () => {});")).toBe('');
    expect(describeProblems(findSecurityTestProblems('# Security\n', () => ''))).toContain('no table');
  });

  it('may name an area of attacks that exists', () => {
    expect(problemsOf('| a | `sandbox` | `pnpm attack files` |', 'export const area = {};')).toBe('');
    expect(problemsOf('| a | `sandbox` | `pnpm attack fils` |')).toContain('pnpm attack fils has no tests');
  });
});

describe('the vectors of threat', () => {
  it('are all tried', () => {
    const folder = 'packages/sandbox/src/vectors';
    const names = readdirSync(new URL(`../../../${folder}`, import.meta.url));
    const texts = names.map((name) => readRepositoryFile(`${folder}/${name}`));
    expect(texts.length).toBeGreaterThan(0);
    expect(findMissingVectors(texts)).toEqual([]);
  });

  it('are missed where no test says their number', () => {
    const missing = findMissingVectors(["it('vector 1: a')", "it('vectors 3 to 62: b')", '    number: 63,\n']);
    expect(missing).toEqual([2, 64]);
  });
});
