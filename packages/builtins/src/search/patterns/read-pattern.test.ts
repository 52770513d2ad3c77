import { describe, expect, it } from 'vitest';
import { readPattern } from './read-pattern.ts';

describe('readPattern', () => {
  it.each([
    ['a{b', ''],
    ['(?<n>a)\\k<n>', ''],
    ['(a)\\1', ''],
    ['\\b\\x41\\u0041\\cA\\0', ''],
    ['\\u{1F600}😀', 'u'],
    ['\\p{Lu}+', 'u'],
    ['(?<!a)b(?=c)', ''],
  ])('parses %s', (source, flags) => {
    expect(readPattern(source, flags)).toHaveProperty('tree');
  });

  it.each(['\\1', '(a)\\2', '\\07', '\\012', '[\\12]', '(?i:a)', '\\k', '\\k<\\s>', '\\p{\\s}', '\\u{2,\\s}'])(
    'returns undefined for %s',
    (source) => {
      expect(readPattern(source, '')).toBeUndefined();
    },
  );
});
