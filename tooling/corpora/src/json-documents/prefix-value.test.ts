import { describe, expect, it } from 'vitest';

import { createMaterial } from '../material/material.ts';
import { createRandom } from '../random.ts';
import { readPrefix } from './prefix-value.ts';
import { shapes } from './shapes.ts';
import { textOf, writeTokens } from './tokens.ts';

const documents = shapes.slice(0, 20).map(({ name, make }) => {
  const random = createRandom(`development/${name}`);
  return textOf(writeTokens(make(createMaterial(random), random), { spacing: 'spaced', ascii: false }));
});

const valueOf = (text: string): unknown => {
  const read = readPrefix(text);
  return read.found ? read.value : 'nothing';
};

describe('the value of a cut document', () => {
  it.each<readonly [string, unknown]>([
    ['', 'nothing'],
    ['  ', 'nothing'],
    ['-', 'nothing'],
    ['{', {}],
    ['[', []],
    ['{"a', {}],
    ['{"a"', {}],
    ['{"a":', {}],
    ['{"a": ', {}],
    ['{"a":1', { a: 1 }],
    ['{"a":12.', { a: 12 }],
    ['{"a":1e', { a: 1 }],
    ['{"a":1e+', { a: 1 }],
    ['{"a":1.5e2', { a: 150 }],
    ['{"a":-', {}],
    ['{"a":-0.', { a: -0 }],
    ['{"a":t', { a: true }],
    ['{"a":fals', { a: false }],
    ['{"a":n', { a: null }],
    ['{"a":null', { a: null }],
    ['{"a":true,', { a: true }],
    ['{"a":"', { a: '' }],
    ['{"a":"x\\', { a: 'x' }],
    ['{"a":"x\\n', { a: 'x\n' }],
    ['{"a":"x\\u00', { a: 'x' }],
    ['{"a":"x\\u00e9', { a: 'xé' }],
    ['{"a":"x\\ud83d', { a: 'x' }],
    ['{"a":"x\\ud83d\\ude0', { a: 'x' }],
    ['{"a":"x\\ud83d\\ude00', { a: 'x😀' }],
    ['{"a":"x\uD83D', { a: 'x' }],
    ['{"a":[1,[2,{"b":"c', { a: [1, [2, { b: 'c' }]] }],
    ['{"a":[1,', { a: [1] }],
    ['{"a":{},"b":[]', { a: {}, b: [] }],
    ['["a\\"b', ['a"b']],
    ['{"__proto__":{"x":1', JSON.parse('{"__proto__":{"x":1}}')],
  ])('reads %j as %j', (text, value) => {
    expect(valueOf(text)).toEqual(value);
  });

  it('is the whole document if nothing is cut', () => {
    for (const text of documents) expect(valueOf(text)).toEqual(JSON.parse(text));
  });

  it('never contains more than the document', () => {
    for (const text of documents.filter(({ length }) => length < 450)) {
      const whole = JSON.parse(text) as Readonly<Record<string, unknown>>;
      for (let end = 1; end < text.length; end += 1) {
        const keys = Object.keys(valueOf(text.slice(0, end)) as object);
        expect(Object.keys(whole).slice(0, keys.length)).toEqual(keys);
      }
    }
  });
});
