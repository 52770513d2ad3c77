import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';

import { createRandom } from '../../random.ts';
import { makeCall } from './call.ts';
import {
  writeJson,
  writeJsonKeywords,
  writeKeywords,
  writeMarkedLiteral,
  writePython,
  writeYaml,
} from './notations.ts';

const random = createRandom('development/notations');
const calls = Array.from({ length: 120 }, () => makeCall(random));

describe('the notations of arguments', () => {
  it('are JSON if they say so', () => {
    for (const call of calls) expect(JSON.parse(writeJson(call.arguments, random))).toEqual(call.arguments);
  });

  it('have the syntax of the other language for a small value', () => {
    const value = { path: "it's", line: 2, all: true, none: null, tags: ['a "b"'] };
    expect(writePython(value)).toBe(`{'path': "it's", 'line': 2, 'all': True, 'none': None, 'tags': ['a "b"']}`);
    expect(writeJsonKeywords(value)).toBe(`path="it's", line=2, all=true, none=null, tags=["a \\"b\\""]`);
    expect(writeMarkedLiteral({ a: 'x,y', b: [1, { c: true }] }, '|')).toBe('{a:|x,y|,b:[1,{c:true}]}');
    expect(['x=1', "x='a'", 'x="a"']).toContain(writeKeywords({ x: 'a' }, createRandom('1')));
    expect(writeYaml({ a: 'word', b: { c: 'l1\nl2\n', 'd e': '1' }, f: [{ g: 1 }], h: [] }, '')).toBe(
      '\na: word\nb:\n  c: |\n    l1\n    l2\n  "d e": "1"\nf:\n  - g: 1\nh: []',
    );
  });

  it('are Python strings in the quotes that Python chooses', () => {
    expect(['a', "it's", 'say "x"', `it's "x"`, 'l1\nl2\\', '\u001B[0m', 'é😀'].map(writePython)).toEqual([
      "'a'",
      `"it's"`,
      `'say "x"'`,
      `'it\\'s "x"'`,
      "'l1\\nl2\\\\'",
      "'\\x1b[0m'",
      "'é😀'",
    ]);
  });

  it('are YAML of the same value to a YAML reader', () => {
    const plain = calls.filter(({ arguments: value }) => Object.keys(value).length > 0);
    for (const call of plain) expect(parseYaml(writeYaml(call.arguments, ''))).toEqual(call.arguments);
  });
});
