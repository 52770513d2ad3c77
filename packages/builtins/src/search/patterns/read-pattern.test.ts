import { describe, expect, it } from 'vitest';
import { readPattern } from './read-pattern.ts';

const kindsOf = (source: string, flags = ''): string | undefined =>
  readPattern(source, flags)
    ?.map(({ kind, text }) => `${kind[0]}${text}`)
    .join(' ');

describe('reading a pattern', () => {
  it.each([
    ['ab', '', 'aa ab'],
    ['a.b', '', 'aa a. ab'],
    ['[^]a]*', '', 'a[^] aa a] q*'],
    ['[\\]a]{2,}?', '', 'a[\\]a] q{2,}?'],
    ['a{b', '', 'aa a{ ab'],
    ['^(?:a|b)$', '', 'a^ o(?: aa o| ab c) a$'],
    ['(?<n>a)\\k<n>', '', 'o(?<n> aa c) r\\k<n>'],
    ['(a)\\1', '', 'o( aa c) r\\1'],
    ['\\b\\x41\\u0041\\cA\\0', '', 'a\\b a\\x41 a\\u0041 a\\cA a\\0'],
    ['\\u{1F600}😀', 'u', 'a\\u{1F600} a😀'],
    ['\\p{Lu}+', 'u', 'a\\p{Lu} q+'],
    ['(?<!a)b(?=c)', '', 'o(?<! aa c) ab o(?= ac c)'],
  ])('%s', (source, flags, expected) => {
    expect(kindsOf(source, flags)).toBe(expected);
  });

  it.each(['\\1', '(a)\\2', '\\07', '(?i:a)', '\\c', '\\k', '\\x4'])('gives up on %s', (source) => {
    expect(kindsOf(source)).toBeUndefined();
  });
});
