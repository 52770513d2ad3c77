import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { describe, expect, it } from 'vitest';
import { compileGlob, compileWildcard } from './glob-pattern.ts';

describe('a path pattern', () => {
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
  ])('%s on %j: %s', (pattern, path, matches) => {
    expect(compileGlob(pattern)(path)).toBe(matches);
  });

  it.each(['', '{a,b', '[a', '{a,b}{c,d}{e,f}{g,h}{i,j}{k,l}{m,n}{o,p}{q,r}'])('%j is refused', (pattern) => {
    expect(() => compileGlob(pattern)).toThrow(TypeError);
  });

  it('takes time in proportion to the path, however many stars it has', async () => {
    const matches = compileGlob(`**/${'*a'.repeat(30)}b/**/${'**/x/'.repeat(10)}y`);
    const makePath = (count: number): string => `${'a'.repeat(200)}/`.repeat(count);
    expect(await growthOf(makePath, (path) => void matches(path), 50)).toBeLessThan(linearGrowth);
  });

  it('over words takes a slash for any character', () => {
    expect(compileWildcard('github_*')('github_create/issue')).toBe(true);
    expect(compileWildcard('read')('read_file')).toBe(false);
  });
});
