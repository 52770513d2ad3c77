import { describe, expect, it } from 'vitest';
import { compilePattern } from './compile-pattern.ts';

describe('a search pattern', () => {
  it.each([
    ['foo', '', 'foo'],
    ['(?i)foo', 'i', 'foo'],
    ['\\p{Lu}', 'u', '\\p{Lu}'],
    ['a\\-b\\"c\\/d\\<e', '', 'a\\-b\\"c\\/d\\<e'],
    ['function foo() {', '', 'function foo() {'],
  ])('compilePattern accepts %s', (pattern, flags, source) => {
    expect(compilePattern(pattern)).toMatchObject({ ok: true, source, flags });
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
  ])('compilePattern rejects %s', (pattern) => {
    expect(compilePattern(pattern, { ignoreCase: true })).toMatchObject({
      ok: false,
      error: { code: 'INVALID_PATTERN', fault: 'model' },
    });
  });
});
