import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { describe, expect, it } from 'vitest';
import { compileGlob, compileWildcard, type GlobOptions } from './glob.ts';

/** Returns whether the pattern matches, or the error code of an invalid pattern. */
function matches(pattern: string, path: string, options?: GlobOptions): boolean | string {
  const glob = compileGlob(pattern, options);
  return glob.ok ? glob.matches(path) : glob.code;
}

describe('compileGlob', () => {
  it.each([
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/deep/a.ts', false],
    ['src/*.ts', 'other/src/a.ts', false],
    ['src/*.ts', 'src/a.ts.bak', false],
    ['src/**', 'src', true],
    ['src/**', 'src/a/b/c', true],
    ['src/**', 'srcx/a', false],
    ['**/a.ts', 'a.ts', true],
    ['**/a.ts', 'x/y/a.ts', true],
    ['**/a.ts', 'x/ba.ts', false],
    ['a/**/b', 'a/b', true],
    ['a/**/b', 'a/x/y/b', true],
    ['a/**/b', 'a/x/y/c', false],
    ['**/x/**/y', 'a/x/b/x/c/y', true],
    ['**', '', true],
    ['**', 'a/b', true],
    ['*', 'a', true],
    ['*', 'a/b', false],
    ['*.{ts,tsx}', 'a.tsx', true],
    ['{a,b/c}/d', 'b/c/d', true],
    ['a?c', 'abc', true],
    ['a?c', 'a/c', false],
    ['[a-c]x', 'bx', true],
    ['[!a-c]x', 'bx', false],
    ['[^a]x', 'bx', true],
    ['\\*', '*', true],
    ['\\*', 'a', false],
    ['.env*', '.env.local', true],
    ['a.b', 'axb', false],
    ['(a|b)', 'a', false],
    ['(a|b)', '(a|b)', true],
    ['+(a)', 'aa', false],
    ['@(a)', 'a', false],
    ['!(a)', 'b', false],
    ['(a+)+b', '(a+)+b', true],
    ['a{,.b}c', 'ac', true],
    ['a{,.b}c', 'a.bc', true],
    ['{a,{b,c}}', 'c', true],
    ['[]a]x', ']x', true],
    ['[!]]', 'a', true],
    ['[[:digit:]-]', '-', true],
    ['[[:digit:]-]', '7', true],
    ['[a\\]]', ']', true],
    ['[z-a]', 'm', false],
    ['a[/]b', 'a/b', false],
    ['[{]a,b}', '{a,b}', true],
    ['a\\/b', 'a/b', true],
    ['?', '😀', true],
    ['??', '😀', false],
    ['*??', '😀', false],
    ['[😀-😂]', '😁', true],
    ['a**b', 'a/b', false],
    ['a**b', 'axxb', true],
    ['**/', 'a/b', false],
    ['/a', '/a', true],
    ['a//b', 'a/b', false],
  ])('matches %s against %j: %s', (pattern, path, expected) => {
    expect(matches(pattern, path)).toBe(expected);
  });

  it.each([
    '',
    '{a,b',
    '[a',
    'a\\',
    '[a\\',
    '[[:digit:]',
    '{a,b}'.repeat(9),
    'a'.repeat(4_001),
    `{${'a,'.repeat(200)}}${'b'.repeat(200)}`,
  ])('rejects %j', (pattern) => {
    expect(compileGlob(pattern)).toMatchObject({ ok: false, code: 'INVALID_PATTERN', hint: expect.any(String) });
  });

  it('treats braces as literals with braces: false', () => {
    expect(matches('{a,b}', 'a', { braces: false })).toBe(false);
    expect(matches('{a,b', '{a,b', { braces: false })).toBe(true);
  });

  it.each([
    ['stars', '*a'.repeat(30), 'a'],
    ['stars before a missing letter', `${'*a'.repeat(30)}b`, 'a'],
    ['long literals after stars', `*${'a'.repeat(200)}b*${'a'.repeat(200)}c`, 'a'],
    ['nested regular expression groups', '(a+)+b', 'a'],
    ['regular expression alternatives', `${'(a|a)'.repeat(22)}b`, 'a'],
    ['question marks', `${'?'.repeat(30)}*${'?'.repeat(30)}*b`, 'a'],
    ['classes', `${'*[a-z]'.repeat(30)}b`, 'a'],
    ['brace alternatives', `${'{*a,*aa}'.repeat(8)}b`, 'a'],
    ['segments', `${'**/a/'.repeat(30)}b`, 'a/'],
    ['stars in segments', `**/${'*a'.repeat(30)}b/**/${'**/x/'.repeat(10)}y`, `${'a'.repeat(200)}/`],
  ])('takes time proportional to the path for patterns with %s', async (_, pattern, unit) => {
    const glob = compileGlob(pattern);
    if (!glob.ok) throw new Error(glob.message);
    const growth = await growthOf(
      (length) => unit.repeat(Math.ceil(length / unit.length)),
      (path) => void glob.matches(path),
      10_000,
    );
    expect(growth).toBeLessThan(linearGrowth);
  });

  it('rejects or compiles patterns of many braces quickly', () => {
    for (const unit of ['{', '{a', '{a,', '{a}', '}', '{,}', '[', '[a', '\\', '{[']) {
      const glob = compileGlob(unit.repeat(4_000 / unit.length));
      expect(glob.ok ? glob.matches('x') : glob.code).toBeDefined();
    }
    expect(compileGlob(`${'{'.repeat(2_000)}${'}'.repeat(2_000)}`).ok).toBe(true);
  });
});

describe('compileWildcard', () => {
  it.each([
    ['github_*', 'github_create/issue', true],
    ['read', 'read_file', false],
    ['**', 'a/b', true],
    ['a/?', 'a/b', true],
    ['', '', true],
    ['*', '', true],
    ['[ab]x', 'bx', true],
  ])('matches %s against %j: %s', (pattern, text, expected) => {
    const wildcard = compileWildcard(pattern);
    expect(wildcard.ok && wildcard.matches(text)).toBe(expected);
  });

  it('rejects an unclosed bracket', () => {
    expect(compileWildcard('[a')).toMatchObject({ ok: false, code: 'INVALID_PATTERN' });
  });
});
