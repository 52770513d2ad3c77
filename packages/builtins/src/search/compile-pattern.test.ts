import { describe, expect, it } from 'vitest';
import { compilePattern } from './compile-pattern.ts';

describe('a search pattern', () => {
  it.each([
    ['foo', '', 'foo'],
    ['(?i)foo', 'i', 'foo'],
    ['\\p{Lu}', 'u', '\\p{Lu}'],
    ['a\\-b\\"c\\/d\\<e', '', 'a\\-b\\"c\\/d\\<e'],
    ['function foo() {', '', 'function foo() {'],
  ])('%s is taken', (pattern, flags, source) => {
    expect(compilePattern(pattern, false)).toMatchObject({ ok: true, source, flags });
  });

  it.each([
    ['createBuiltins', true],
    ['colou?r|grey', true],
    ['[*+]x', true],
    ['\\*\\+', true],
    ['a*', false],
    ['a+', false],
    ['a{2}', false],
    ['(?=a)b', false],
    ['(a)\\1', false],
    ['a?a?a?a?', false],
  ])('%s costs little: %s', (pattern, isCheap) => {
    expect(compilePattern(pattern, false)).toMatchObject({ ok: true, isCheap });
  });

  it.each(['(', '[a', '*', 'a**', '[[:alpha:]]', '\\A', '\\z', '\\Q', 'a\\', '\\p{Nonsense}', '(?<n>a)(?<n>b)'])(
    '%s is refused',
    (pattern) => {
      expect(compilePattern(pattern, true)).toMatchObject({
        ok: false,
        error: { code: 'INVALID_PATTERN', fault: 'model' },
      });
    },
  );
});
