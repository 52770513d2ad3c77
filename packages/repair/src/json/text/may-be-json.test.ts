import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayBeJson } from './may-be-json.ts';

/** Shorter text is left to `JSON.parse`. */
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
    // The last key occurs before, where more containers are open.
    expect(mayBeJson(`{"a":[{"b":1,"c":"${long}"}],"d":{"b":1}}`)).toBe(true);
    expect(mayBeJson(`{"a":[{"b":1,"c":"${long}"}],"d":{"b":1}`)).toBe(false);
  });

  it('returns true for long valid JSON that repeats its keys at several depths', () => {
    const key = fc.constantFrom('a', 'b', 'c');
    const value = fc.object({ key, maxDepth: 4, maxKeys: 3, withNullPrototype: false });
    fc.assert(
      fc.property(value, value, (one, other) => {
        expect(mayBeJson(JSON.stringify({ a: [one, long], ...other }))).toBe(true);
        expect(mayBeJson(JSON.stringify([[{ b: one, c: long }], other]))).toBe(true);
      }),
    );
  });

  it.each([
    ['', 'nothing'],
    ['  \n ', 'nothing but white space'],
    ['Sure: {"a": 1}', 'prose before'],
    ['{a: 1}', 'a key without quotes'],
    ['[True]', "another language's word"],
    ['{"a": [1', 'no closers'],
    ['{"a": [1]', 'too few closers'],
    ['{"a": [1, 2,]}', 'a comma before the closers'],
    ['{"a": "one\ntwo"}', 'a line break in a string'],
    ['{"a": 1}\n```', 'a fence after'],
  ])('returns false for %j: %s', (text) => {
    expect(mayBeJson(long + text)).toBe(false);
  });

  it('counts closers only in long text, because JSON.parse rejects short text as fast', () => {
    const text = '[{"a": {"b": 1}}, {"a": {"b": 2}]';
    expect(mayBeJson(text)).toBe(true);
    expect(mayBeJson(long + text)).toBe(false);
  });
});
