import { describe, expect, it } from 'vitest';
import { hostilePatterns } from '../../fixtures/hostile-patterns.ts';
import { compilePattern } from './compile-pattern.ts';

describe('a search pattern', () => {
  it.each([
    ['foo', '', 'foo'],
    ['(?i)foo', 'i', 'foo'],
    ['\\p{Lu}', 'u', '\\p{Lu}'],
    ['a\\-b\\"c\\/d\\<e', '', 'a\\-b\\"c\\/d\\<e'],
    ['function foo() {', '', 'function foo() {'],
  ])('%s is taken', (pattern, flags, source) => {
    expect(compilePattern(pattern)).toMatchObject({ ok: true, source, flags });
  });

  it.each([
    ['createBuiltins', true],
    ['colou?r|grey', true],
    ['[*+]x', true],
    ['[\\]*]x', true],
    ['\\*\\+', true],
    ['^foo\\.bar$', true],
    ['\\u{1F600}|\\x41|\\u0041', true],
    ['foo|bar|baz', true],
    ['a?a?a?a?', false],
    ['a'.repeat(60), true],
    ['a'.repeat(64), false],
    ['a|'.repeat(40), false],
    ['a*', false],
    ['a+', false],
    ['a{2}', false],
    ['(ab)', false],
    ['(?=a)b', false],
    ['a\\1', false],
  ])('%s costs little: %s', (pattern, isCheap) => {
    expect(compilePattern(pattern)).toMatchObject({ ok: true, isCheap });
  });

  it.each(hostilePatterns)('%s is never matched in this thread', (pattern) => {
    const compiled = compilePattern(pattern);
    expect(compiled.ok && compiled.isCheap).toBe(false);
  });

  it.each([
    '(',
    '[a',
    '*',
    'a**',
    '[[:alpha:]]',
    '\\A',
    '\\z',
    '\\Q',
    'a\\',
    '\\p{Nonsense}',
    '(?<n>a)(?<n>b)',
    'x'.repeat(2_001),
  ])('%s is refused', (pattern) => {
    expect(compilePattern(pattern, { ignoreCase: true })).toMatchObject({
      ok: false,
      error: { code: 'INVALID_PATTERN', fault: 'model' },
    });
  });
});
