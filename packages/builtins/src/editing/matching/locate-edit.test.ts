import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../fixtures/create-ground.ts';
import { findClosestRegion } from '../advice/closest-region.ts';
import { findSequence } from './find-sequence.ts';
import { applySpans, locateEdit } from './locate-edit.ts';
import { relateIndentation } from './relate-indentation.ts';

const edit = (text: string, oldText: string, newText: string, all = false): string | undefined => {
  const located = locateEdit(text, { oldText, newText }, all);
  return located.ok ? applySpans(text, located.spans) : undefined;
};

describe('locateEdit', () => {
  it.each([
    [
      'indents what it adds like the file',
      '\tif (x) {\n\t\ta();\n\t}\n',
      'if (x) {\n  a();\n}',
      'if (x) {\n  a();\n  b();\n}',
      '\tif (x) {\n\t\ta();\n\t\tb();\n\t}\n',
    ],
    [
      'keeps alignment behind tabs',
      '\tfoo(a,\n\t    b)\n',
      '    foo(a,\n        b)',
      '    foo(a,\n        c)',
      undefined,
    ],
    [
      'keeps typographic text where only another word changes',
      'say “hi” to – him\n',
      'say "hi" to - him',
      'say "hi" to - her',
      'say “hi” to – her\n',
    ],
    ['finds typographic text in the middle of a line', 'x = “a”;\n', '"a"', '"b"', 'x = “b”;\n'],
    ['prefers the place that matches to the letter', 'a  b\na b\n', 'a b', 'c', 'a  b\nc\n'],
    ['takes no half line for a whole one', 'foobar\n', 'foo  ', 'x', undefined],
    ['does not bridge a digit', 'x = 1;\n', 'x = 2;', 'x = 3;', undefined],
    ['does not bridge letter case', 'Foo\n', 'foo', 'x', undefined],
    ['does not bridge a missing blank line inside', 'a\n\nb\n', 'a\nb', 'x', undefined],
    ['removes a line with its break', 'a\r\nb\r\nc\r\n', 'b\n', '', 'a\r\nc\r\n'],
    ['takes patterns for text', 'a.c\nabc\n', 'a.c', '$1', '$1\nabc\n'],
    ['lets numbers in the text be', '1: a\n2: b\n', '1: a\n2: b', '1: x', '1: x\n'],
    ['takes numbers for pasted only when they count up', 'a\nb\n', '7: a\n9: b', 'x', undefined],
    [
      'unescapes quotes without touching line feeds in strings',
      'print("a\\n")\n',
      'print(\\"a\\n\\")',
      'print(\\"b\\n\\")',
      'print("b\\n")\n',
    ],
  ])('%s', (_, text, oldText, newText, expected) => {
    expect(edit(text, oldText, newText)).toBe(expected);
  });

  it('rejects an edit if the indentation of the added lines is unknown', () => {
    expect(edit('a\nb\n', '    a\n    b', '    a\n  c')).toBeUndefined();
  });

  it('leaves every byte outside the range unchanged, for any text', () => {
    const random = createRandom(7);
    const pieces = ['a', ' ', '\t', '\n', '\r\n', '\r', '“', '"', '😀', 'b', '  ', '—', '\uFEFF', '0'];
    const make = (length: number): string =>
      Array.from({ length }, () => pieces[Math.floor(random() * pieces.length)]!).join('');
    let matched = 0;
    for (let round = 0; round < 3_000; round += 1) {
      const text = make(40);
      const located = locateEdit(text, { oldText: make(3), newText: make(3) }, random() < 0.3);
      if (!located.ok) continue;
      matched += 1;
      let at = 0;
      const after = applySpans(text, located.spans);
      let position = 0;
      for (const { start, end, replacement } of located.spans) {
        expect(start).toBeGreaterThanOrEqual(at);
        expect(after.slice(position, position + start - at)).toBe(text.slice(at, start));
        position += start - at + replacement.length;
        at = end;
      }
      expect(after.slice(position)).toBe(text.slice(at));
    }
    expect(matched).toBeGreaterThan(100);
  });

  it.each([
    [
      'a line repeated throughout',
      (lines: number) => 'same line here\n'.repeat(lines),
      (lines: number) => 'same line here \n'.repeat(lines / 10),
    ],
    ['one letter repeated', (lines: number) => 'a'.repeat(lines * 20), (lines: number) => `${'a'.repeat(lines)}b`],
    ['blank lines', (lines: number) => '\n'.repeat(lines * 10), (lines: number) => `${'\n'.repeat(lines)}x`],
    [
      'blanks',
      (lines: number) => `${' '.repeat(50)}\n`.repeat(lines),
      (lines: number) => `${' '.repeat(49)}\n`.repeat(lines / 10),
    ],
    [
      'text that is not there',
      (lines: number) => Array.from({ length: lines }, (_, index) => `line ${index}\r\n`).join(''),
      () => 'line 5\nline 7\nline 9',
    ],
  ])('takes linear time: %s', async (_, makeText, makeOld) => {
    const locate = ([text, oldText]: readonly [string, string]): void => {
      const located = locateEdit(text, { oldText, newText: 'new' }, false);
      if (!located.ok) findClosestRegion(text, oldText);
    };
    expect(await growthOf((lines) => [makeText(lines), makeOld(lines)] as const, locate, 1_000)).toBeLessThan(
      linearGrowth,
    );
  });
});

describe('relateIndentation', () => {
  it.each([
    [
      'a shift',
      [
        ['', '  '],
        ['  ', '    '],
      ],
      '    ',
      '      ',
    ],
    [
      'a shift back',
      [
        ['    ', ''],
        ['      ', '  '],
      ],
      '        ',
      '    ',
    ],
    [
      'tabs for four spaces',
      [
        ['    ', '\t'],
        ['        ', '\t\t'],
      ],
      '            ',
      '\t\t\t',
    ],
    [
      'tabs for two spaces',
      [
        ['  ', '\t'],
        ['    ', '\t\t'],
      ],
      '      ',
      '\t\t\t',
    ],
    [
      'two spaces for tabs',
      [
        ['\t', '  '],
        ['\t\t', '    '],
      ],
      '\t\t\t',
      '      ',
    ],
    [
      'four spaces for two',
      [
        ['  ', '    '],
        ['    ', '        '],
      ],
      '',
      '',
    ],
    [
      'tabs for spaces, and shifted',
      [
        ['', '\t'],
        ['  ', '\t\t'],
      ],
      '    ',
      '\t\t\t',
    ],
  ] as const)('%s', (_, pairs, written, stored) => {
    expect(relateIndentation(pairs)!(written)).toBe(stored);
  });

  it.each([
    [
      [
        ['', '  '],
        ['  ', '  '],
      ],
    ],
    [
      [
        ['  ', ''],
        ['', '  '],
      ],
    ],
    [
      [
        ['  ', '   '],
        ['    ', '       '],
      ],
    ],
  ] as const)('returns undefined if the lines disagree: %j', (pairs) => {
    expect(relateIndentation(pairs)).toBeUndefined();
  });
});

describe('findSequence', () => {
  it('finds the same occurrences as a simple search', () => {
    const random = createRandom(3);
    for (let round = 0; round < 2_000; round += 1) {
      const haystack = Int32Array.from({ length: 20 }, () => Math.floor(random() * 2));
      const needle = Int32Array.from({ length: 1 + Math.floor(random() * 4) }, () => Math.floor(random() * 2));
      const expected = [...haystack.keys()].filter((at) =>
        needle.every((value, index) => haystack[at + index] === value),
      );
      expect(findSequence(haystack, needle)).toEqual(expected);
    }
  });
});

describe('closestRegion', () => {
  it('finds the region where most lines have the right distance', () => {
    const text = 'function a() {\n  one();\n}\nfunction b() {\n  one();\n  two();\n  three();\n}\n';
    expect(findClosestRegion(text, 'function c() {\n  one();\n  two();\n  four();\n}')).toMatchObject({
      firstLine: 4,
      lastLine: 8,
      alike: 3,
      looked: 5,
    });
  });

  it('falls back on the line with the most words in common', () => {
    expect(
      findClosestRegion('alpha beta gamma\nconst total = price * amount;\n', 'const total = price * count;'),
    ).toMatchObject({ firstLine: 2 });
    expect(findClosestRegion('alpha\nbeta\n', 'nothing like it')).toBeUndefined();
    expect(findClosestRegion('', 'x')).toBeUndefined();
  });
});
