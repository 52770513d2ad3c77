import { describe, expect, it } from 'vitest';

import { findDialect } from './plain-language.ts';
import { assertNoProblems, describeProblems } from './problem.ts';
import { readRepositoryFiles } from './repository-words.ts';

const problemsIn = (text: string, path = 'packages/a/src/a.ts'): string =>
  describeProblems(findDialect({ path, text }));

describe('plain language', () => {
  it('is used in the whole repository', () => {
    const files = readRepositoryFiles();
    assertNoProblems(files.filter(({ path }) => !path.includes('plain-language')).flatMap(findDialect));
  });

  it('reports a retired phrase in a comment, a message, a test title and a document', () => {
    expect(problemsIn('const a = 1;\n// Bytes; nothing when it is none.')).toContain('src/a.ts:2: it says "is none"');
    expect(problemsIn("throw new Error('a content part is none');")).toContain('it says "is none"');
    expect(problemsIn("it('asks nobody', () => {});", 'src/a.test.ts')).toContain('it says "nobody"');
    expect(problemsIn("it.each([1])('asks nobody', () => {});", 'src/a.test.ts')).toContain('it says "nobody"');
    expect(problemsIn('one\nthe policy that there is', 'docs/a.md')).toContain('docs/a.md:2: it says "that there is"');
  });

  it('reports a retired word in a name, in a file name and at the start of a shared limit', () => {
    expect(problemsIn('export function createProcessBoard() {}')).toContain('holds the retired word "board"');
    expect(problemsIn('interface Options { readonly longestMs: number }')).toContain('the name `longestMs`');
    expect(problemsIn('const mostParts = 3;')).toContain('holds the retired word "most"');
    expect(problemsIn('', 'packages/a/src/tool-desk.ts')).toContain('the file name holds the retired word "desk"');
  });

  it('reports a constant in capitals', () => {
    expect(problemsIn('export const LIMIT = 3;')).toContain('the constant `LIMIT` is in capitals');
  });

  it('accepts everyday words, data of tests and local results of a search', () => {
    expect(problemsIn('function f() { const longest = 1; const keyboard = 2; return longest + keyboard; }')).toBe('');
    expect(problemsIn("read('nobody', 65534);", 'src/a.test.ts')).toBe('');
    expect(problemsIn("export const text = 'nobody came';", 'packages/a/src/fixtures/a.ts')).toBe('');
  });
});
