import { describe, expect, it } from 'vitest';
import { createRandom } from '../../fixtures/create-ground.ts';
import { findRequiredText } from './find-required-text.ts';

describe('findRequiredText', () => {
  it.each([
    ['createBuiltins', 'createBuiltins'],
    ['function\\s+foo\\(', 'function'],
    ['a\\.b\\.c', 'a.b.c'],
    ['abcd?e', 'abc'],
    ['abcd+e', 'abcd'],
    ['abcd*', 'abc'],
    ['abcd{2}efgh', 'efgh'],
    ['[abc]defg', 'defg'],
    ['(hello)world', 'world'],
    ['(?:hello)?abc', 'abc'],
    ['foo|barbar', undefined],
    ['ab', undefined],
    ['\\w+', undefined],
    ['\\x41bcd', 'bcd'],
    ['\\u0041bcd', 'bcd'],
    ['\\p{Lu}bcd', 'bcd'],
    ['küchen', 'chen'],
    ['^abc$', 'abc'],
    ['[\\]]abc', 'abc'],
    ['(a\\)b)cde', 'cde'],
  ])('finds in %s the text %s', (source, expected) => {
    expect(findRequiredText(source, '')).toBe(expected);
  });

  it('finds no text if letter case is ignored', () => {
    expect(findRequiredText('hello', 'i')).toBeUndefined();
  });

  it('finds a text that occurs in every match of generated patterns', () => {
    const random = createRandom(11);
    const pieces = [
      'a',
      'b',
      'ab',
      'abc',
      'a?',
      'b*',
      'c+',
      '(ab)',
      '(a|b)',
      '[ab]',
      '[^c]',
      '\\w',
      '\\.',
      '.',
      'a{2}',
      'b{0,1}',
      '(?:c)?',
      '\\b',
      '(?=a)',
      '^',
      '$',
    ];
    const letters = ['a', 'b', 'c', 'ab', 'abc', '.'];
    let held = 0;
    for (let round = 0; round < 4_000; round += 1) {
      const source = Array.from({ length: 6 }, () => pieces[Math.floor(random() * pieces.length)]!).join('');
      const required = findRequiredText(source, '');
      if (required === undefined) continue;
      const pattern = new RegExp(source);
      for (let text = 0; text < 20; text += 1) {
        const line = Array.from({ length: 10 }, () => letters[Math.floor(random() * letters.length)]!).join('');
        if (!pattern.test(line)) continue;
        held += 1;
        expect({ source, line, holds: line.includes(required) }).toEqual({ source, line, holds: true });
      }
    }
    expect(held).toBeGreaterThan(200);
  });
});
