import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayBeJson } from './may-be-json.ts';

/** Longer than a short text. */
const long = ' '.repeat(256);

describe('mayBeJson', () => {
  it('returns true for all valid JSON', () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.constantFrom(0, 2, '\t'),
        fc.constantFrom('', ' ', '\r\n', long),
        (json, indent, around) => {
          expect(mayBeJson(around + JSON.stringify(JSON.parse(json), null, indent) + around)).toBe(true);
        },
      ),
    );
    expect(mayBeJson('{\n\n"a"\n:\n[\n1\n,\ntrue\n]\n}\n')).toBe(true);
    expect(mayBeJson('{"":{"a":null},"\\"":1}')).toBe(true);
    expect(mayBeJson(`${'['.repeat(40)}${']'.repeat(40)}`)).toBe(true);
  });

  it.each([
    ['', 'nothing'],
    ['  \n ', 'nothing but white space'],
    ['Sure: {"a": 1}', 'prose before'],
    ['{a: 1}', 'a key without quotes'],
    ['[True]', "another language's word"],
    ['{"a": [1', 'no closers'],
    ['{"a": [1]', 'another closer than that of the root'],
    ['{"a": 1,}', 'a comma before the closer'],
    ['{"a": "one\ntwo"}', 'a line break in a string'],
    ['{"a": 1}\n```', 'a fence after'],
  ])('returns false for %j: %s', (text) => {
    expect(mayBeJson(long + text)).toBe(false);
  });
});
