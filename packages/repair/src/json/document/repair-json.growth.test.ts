import { describe, expect, it } from 'vitest';
import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { repairJson } from './repair-json.ts';

const repeat =
  (unit: string, before = '', after = '') =>
  (length: number): string =>
    before + unit.repeat(Math.ceil(length / unit.length)) + after;

// Each makes a naive reader look ahead, look back or recurse repeatedly.
const shapes: readonly (readonly [string, (length: number) => string])[] = [
  ['opening brackets', repeat('[')],
  ['opening braces', repeat('{')],
  ['nested members', repeat('{"a":')],
  ['deep and balanced', (length) => `${'['.repeat(length / 2)}${']'.repeat(length / 2)},`],
  ['quotes', repeat('"')],
  ['backslashes in a string', repeat('\\', '{"a":"')],
  ['commas', repeat(',', '[')],
  ['semicolons in full width', repeat('；', '[')],
  ['unclosed comments', repeat('/*', '{"a":"x"')],
  ['quotes before unclosed comments', repeat('"/*', '{"a":"')],
  ['quotes before line comments', repeat('"//', '{"a":"')],
  ['quotes before hashes', repeat('" #', '{"a":"')],
  ['inner quotes', repeat('x"y', '{"a":"', '"}')],
  ['quotes and commas', repeat('",', '{"a":"')],
  ['quotes and colons', repeat('":', '{"a":"')],
  ['quotes and braces', repeat('"},', '{"a":"')],
  ['quotes and openers that never close', repeat('",\u00ab', '{"a":"')],
  ['missing closing quotes', repeat('"a":"b,', '{')],
  ['unquoted text', repeat('k: v, ', '{')],
  ['raw line breaks', repeat('x\n', '{"a":"', '"}')],
  ['objects with doubled braces', repeat('{{"a":1}},', '[')],
  ['damaged objects in a row', repeat('{a:1,}')],
  ['joined strings', repeat('+"a"', '["a"', ']')],
  ['lists in a row that braces close', repeat('[true}')],
  ['wrong closers', (length) => '['.repeat(500) + '}'.repeat(length)],
  ['Windows paths', repeat('"C:\\Users\\x",', '[', ']')],
  ['JavaScript literals', repeat("{name: 'x', value: [1,2,],}, ", '[', ']')],
  ['unquoted text with ambiguous ends', repeat('C:\\new"__proto__": ', '{"a": "')],
  ['tags', repeat('<think>')],
  ['tags before a value', repeat('<think>', '', '{a:1}')],
  ['attributes that touch', repeat(`${'c'.repeat(30)}=`, '{"a" b=', '!: 1}')],
  ['a sentence in braces', repeat('a ', '{"', '"}')],
  ['tags after a value', repeat('<think>', '{a:1}')],
  ['fences', repeat('```json\n{')],
  ['missing commas', repeat('"x" ', '{"a":')],
  ['odd closers after strings', repeat('"x"]],', '{"a":[{')],
  ['extra closers', repeat('{"a":1]],', '[')],
  ['items without opening quotes', repeat('"x",y z,w",', '[')],
  ['lost quotes of items', repeat('"x, ', '[')],
  ['keys without colons', repeat('"a" "b", ', '{')],
  ['keys without closing quotes', repeat('"a: "b", ', '{')],
  ['words that turn out to be text', repeat('1 x, ', '[')],
  ['apostrophes that end nothing', repeat("］it's)", '{"a": [')],
  ['keys without values', repeat('{"a":"b","c"},', '[')],
  ['attributes after keys', repeat('"a" b=x, ', '{')],
  ['strings in parentheses', repeat('"x " ', '{"a": (', ')}')],
  ['rows without commas', repeat('[2]  ', '{"a": [1], ', '"z": 1}')],
  ['rows without the first bracket', repeat('[1, 2], ', '{"a": ', '"z": 1}')],
  ['members without their braces', repeat('"a": "b": 1, ', '{')],
  ['items without their brackets', repeat('"a": "b", "c"], ', '{')],
  ['objects in brackets', repeat('["a": 1}, ', '[')],
  ['other quotes after strings', repeat(`"a": "b', `, '{')],
  ['quotes that close twice', repeat('"a": "x"", ', '{')],
  ['escaped quotes before strings', repeat('"a": \\"b", ', '{')],
  ['other signs for commas', repeat('"a":"b":', '{')],
  ['white space after a name and a bracket', repeat(' ', 'a[')],
  ['brackets of prose', repeat('a["b"] x [[c d]] [e](f) ')],
  ['rows without a list', repeat('{"a": "b"}, ', '{"x": ')],
  ['escaped documents', repeat('{\\"a\\": \\"b\\"}, ', '[')],
];

describe('the time to repair', () => {
  it.each(shapes)('grows no faster than the text: %s', async (_name, make) => {
    expect(await growthOf(make, (text) => void repairJson(text), 4_000)).toBeLessThan(linearGrowth);
  });

  it('is short for extreme nesting, which is rejected', () => {
    expect(repairJson('['.repeat(100_000))).toMatchObject({ ok: false, code: 'JSON_TOO_DEEP' });
    expect(repairJson(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)},`)).toMatchObject({ code: 'JSON_TOO_DEEP' });
  });

  it('returns deep valid JSON unless a depth limit is given', () => {
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    expect(repairJson(deep)).toMatchObject({ ok: true, risk: 'none' });
    expect(repairJson(deep, { limits: { depth: 100 } })).toMatchObject({ ok: false, code: 'JSON_TOO_DEEP' });
  });

  it('rejects text above the size limit', () => {
    expect(repairJson('{"a": 1}', { limits: { size: 4 } })).toMatchObject({ ok: false, code: 'JSON_TOO_LARGE' });
  });

  it('lists repairs up to the limit, and includes the others in the risk', () => {
    const result = repairJson('{a: 1, b: 2, c: oops, d: 4}', { limits: { repairs: 2 } });
    expect(result).toMatchObject({ ok: true, risk: 'lossy', value: { a: 1, b: 2, c: 'oops', d: 4 } });
    expect(result.ok && result.repairs.length).toBe(2);
  });
});
