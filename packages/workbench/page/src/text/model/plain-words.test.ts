import { describe, expect, test } from 'vitest';
import { repairJson } from '@haft/repair';
import { replacementOf } from '../../../../src/contract/replacement-of.ts';
import { countOf, withVisibleBlanks } from './plain-words.ts';

describe('plain words', () => {
  test('make blanks and control characters visible', () => {
    expect(withVisibleBlanks('a\n\tb c')).toBe('a↵⇥b c');
    expect(withVisibleBlanks('\u0000\u001b[1m\u202egnp\u200b\u00a0\ufeff')).toBe(
      '\\u0000\\u001b[1m\\u202egnp\\u200b\\u00a0\\ufeff',
    );
    expect(withVisibleBlanks(`ls${String.fromCodePoint(0xe0041)}`)).toBe('ls\\u{e0041}');
    expect(withVisibleBlanks('grün 😀')).toBe('grün 😀');
  });

  test('show a repaired string with other quotes as a whole, so that no text seems to be lost', () => {
    const shown = (text: string): unknown => {
      const result = repairJson(text);
      return result.ok && result.repairs.map((repair) => `${repair.found} → ${replacementOf(repair)}`);
    };
    expect(shown(`{"name": 'billing-api'}`)).toEqual([`'billing-api' → "billing-api"`]);
    expect(shown('{“a”: `b c`}')).toEqual(['“a” → "a"', '`b c` → "b c"']);
    expect(shown('{a: True,}')).toEqual(['a → "a"', 'True → true', ', → ']);
  });

  test('exist for counts', () => {
    expect([countOf(0, 'repair'), countOf(1, 'repair'), countOf(2_000, 'repair')]).toEqual([
      '0 repairs',
      '1 repair',
      '2,000 repairs',
    ]);
  });
});
