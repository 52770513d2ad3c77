import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Issue, IssueCode, SchemaInput } from '../../index.ts';
import { compileSchema, describeIssues, issueCodes } from '../../index.ts';

function issuesOf(schema: SchemaInput, value: unknown): readonly Issue[] {
  const result = compileSchema(schema).validate(value);
  if (result instanceof Promise) throw new Error('expected an answer at once');
  return result.issues;
}

const node = { type: 'object', properties: { a: { $ref: '#' } } };
let deep: unknown = {};
for (let level = 0; level < 500; level += 1) deep = { a: deep };

/** A value for every code, and its description in both languages. */
const cases: readonly (readonly [
  code: IssueCode,
  schema: SchemaInput,
  value: unknown,
  english: string,
  chinese: string,
])[] = [
  [
    'type',
    { type: 'integer' },
    'x',
    '$: expected integer, received string "x". Example: 1',
    '$:应为整数,实际为字符串 "x"。示例:1',
  ],
  [
    'type',
    { type: ['string', 'null'] },
    5,
    '$: expected string or null, received number 5. Example: "text"',
    '$:应为字符串或null,实际为数字 5。示例:"text"',
  ],
  [
    'type',
    { type: 'array', items: { type: ['integer', 'null'] } },
    {},
    '$: expected array of (integer or null), received empty object. Example: [1]',
    '$:应为元素为整数或null的数组,实际为空对象。示例:[1]',
  ],
  [
    'type',
    { type: 'string', format: 'date' },
    [1, 2],
    '$: expected string (date), received array of 2. Example: "2025-01-31"',
    '$:应为字符串(date 格式),实际为含 2 个元素的数组。示例:"2025-01-31"',
  ],
  [
    'type',
    { type: 'boolean' },
    { b: 1 },
    '$: expected boolean, received object {b}. Example: true',
    '$:应为布尔值,实际为对象 {b}。示例:true',
  ],
  [
    'required',
    { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    {},
    '$.a: expected string, received nothing. Example: "text"',
    '$.a:应为字符串,但未给出。示例:"text"',
  ],
  [
    'unknown_key',
    { properties: { path: {} }, additionalProperties: false },
    { pth: 1 },
    '$.pth: expected the key "path", received key "pth".',
    '$.pth:应为键 "path",实际为键 "pth"。',
  ],
  [
    'unknown_key',
    { properties: { a: {}, b: {} }, additionalProperties: false },
    { zzz: 1 },
    '$.zzz: expected one of the keys "a", "b", received key "zzz".',
    '$.zzz:应为以下键之一:"a", "b",实际为键 "zzz"。',
  ],
  [
    'unknown_key',
    { properties: { a: {} }, additionalProperties: false },
    { zzz: 1 },
    '$.zzz: expected only the key "a", received key "zzz".',
    '$.zzz:应为键 "a"(没有其他键),实际为键 "zzz"。',
  ],
  [
    'unknown_key',
    { additionalProperties: false },
    { zzz: 1 },
    '$.zzz: expected no keys, received key "zzz".',
    '$.zzz:应为不含任何键的对象,实际为键 "zzz"。',
  ],
  [
    'enum',
    { enum: ['a or b', 'c'] },
    'x',
    '$: expected one of "a or b", "c", received string "x". Example: "a or b"',
    '$:应为以下值之一:"a or b", "c",实际为字符串 "x"。示例:"a or b"',
  ],
  [
    'const',
    { const: 'array of 3' },
    false,
    '$: expected "array of 3", received boolean false.',
    '$:应为"array of 3",实际为布尔值 false。',
  ],
  [
    'union',
    { oneOf: [{ type: 'integer' }, { minimum: 3 }] },
    5,
    '$: expected exactly one of integer or a value, received number 5.',
    '$:应为恰好一种:整数或一个值,实际为数字 5。',
  ],
  [
    'union',
    { anyOf: [{ required: ['a'] }, { required: ['b', 'or'] }] },
    {},
    '$: expected object with "a" or object with "b", "or", received empty object.',
    '$:应为含键 "a" 的对象或含键 "b", "or" 的对象,实际为空对象。',
  ],
  [
    'not',
    { not: { type: 'string' } },
    'x',
    '$: expected anything but string, received string "x".',
    '$:应为字符串以外的值,实际为字符串 "x"。',
  ],
  [
    'never',
    { properties: { a: false } },
    { a: 1 },
    '$.a: expected nothing, received number 1.',
    '$.a:应为不给出任何值,实际为数字 1。',
  ],
  [
    'minimum',
    { minimum: 3 },
    1,
    '$: expected at least 3, received number 1. Example: 3',
    '$:应为不小于 3 的数,实际为数字 1。示例:3',
  ],
  [
    'maximum',
    { maximum: 3 },
    5,
    '$: expected at most 3, received number 5. Example: 3',
    '$:应为不大于 3 的数,实际为数字 5。示例:3',
  ],
  [
    'exclusive_minimum',
    { exclusiveMinimum: 3 },
    1,
    '$: expected more than 3, received number 1.',
    '$:应为大于 3 的数,实际为数字 1。',
  ],
  [
    'exclusive_maximum',
    { exclusiveMaximum: 3 },
    5,
    '$: expected less than 3, received number 5.',
    '$:应为小于 3 的数,实际为数字 5。',
  ],
  [
    'multiple_of',
    { multipleOf: 0.5 },
    0.2,
    '$: expected a multiple of 0.5, received number 0.2.',
    '$:应为0.5 的倍数,实际为数字 0.2。',
  ],
  [
    'min_length',
    { minLength: 2 },
    'a',
    '$: expected at least 2 characters, received string "a".',
    '$:应为至少 2 个字符,实际为字符串 "a"。',
  ],
  [
    'max_length',
    { maxLength: 1 },
    'ab',
    '$: expected at most 1 character, received string "ab".',
    '$:应为至多 1 个字符,实际为字符串 "ab"。',
  ],
  [
    'pattern',
    { pattern: '^[a-z]+ or b$' },
    '1',
    '$: expected text matching /^[a-z]+ or b$/, received string "1".',
    '$:应为匹配 /^[a-z]+ or b$/ 的文本,实际为字符串 "1"。',
  ],
  [
    'format',
    { type: 'string', format: 'email' },
    'a or b',
    '$: expected email, received string "a or b". Example: "name@example.com"',
    '$:应为email 格式的字符串,实际为字符串 "a or b"。示例:"name@example.com"',
  ],
  [
    'min_items',
    { minItems: 2 },
    [],
    '$: expected at least 2 items, received empty array.',
    '$:应为至少 2 个元素,实际为空数组。',
  ],
  [
    'max_items',
    { maxItems: 1 },
    [1, 2],
    '$: expected at most 1 item, received array of 2.',
    '$:应为至多 1 个元素,实际为含 2 个元素的数组。',
  ],
  [
    'unique_items',
    { uniqueItems: true },
    [1, 1],
    '$[1]: expected an item unlike item 0, received number 1.',
    '$[1]:应为与第 0 号元素不同的元素,实际为数字 1。',
  ],
  [
    'contains',
    { contains: { const: 1 }, minContains: 2 },
    [1],
    '$: expected at least 2 matching items, received array of 1.',
    '$:应为至少 2 个符合要求的元素,实际为含 1 个元素的数组。',
  ],
  [
    'min_properties',
    { minProperties: 1 },
    {},
    '$: expected at least 1 key, received empty object.',
    '$:应为至少 1 个键,实际为空对象。',
  ],
  [
    'max_properties',
    { maxProperties: 1 },
    { a: 1, b: 2 },
    '$: expected at most 1 key, received object {a, b}.',
    '$:应为至多 1 个键,实际为对象 {a, b}。',
  ],
  [
    'key_name',
    { propertyNames: { pattern: '^a' } },
    { b: 1 },
    '$.b: expected a key that is text matching /^a/, received key "b".',
    '$.b:应为符合以下要求的键:匹配 /^a/ 的文本,实际为键 "b"。',
  ],
  [
    'dependent_required',
    { dependentRequired: { a: ['b'] } },
    { a: 1 },
    '$.b: expected a value, since "a" is given, received nothing.',
    '$.b:应为一个值(因为给出了 "a"),但未给出。',
  ],
  ['limit', node, deep, '$', '嵌套不超过 400 层且检查代价不高的值'],
  [
    'custom',
    z.string().refine(() => false, '必须更好'),
    'x',
    '$: expected 必须更好, received string "x".',
    '$:应为必须更好,实际为字符串 "x"。',
  ],
];

describe('issues in English and in Chinese', () => {
  it.each(cases)('describe %s over %j: %j', (code, schema, value, english, chinese) => {
    const issues = issuesOf(schema, value);
    expect(issues.map((issue) => issue.code)).toEqual([code]);
    const [inEnglish, inChinese] = [describeIssues(issues), describeIssues(issues, { locale: 'zh' })];
    if (code === 'limit') expect(inChinese).toContain(chinese);
    else expect([inEnglish, inChinese]).toEqual([english, chinese]);
  });

  it('exist for every code', () => {
    expect([...new Set(cases.map(([code]) => code))].toSorted()).toEqual([...issueCodes].toSorted());
  });

  it('contain English words only from the schema and the value', () => {
    for (const [code, schema, value] of cases) {
      if (code === 'custom') continue;
      const text = describeIssues(issuesOf(schema, value), { locale: 'zh' });
      const own = text.replaceAll(/"[^"]*"|\/.*\/|\{[^}]*\}|示例.*|^\$[\w.[\]]*/g, '');
      expect(own.match(/[a-z]+/gi) ?? []).toEqual((own.match(/null|date|email|false/g) ?? []) as string[]);
    }
  });

  it('stay the same after a JSON round trip, and are English for an unknown language', () => {
    const issues = issuesOf({ type: 'integer' }, 'x');
    const copy = JSON.parse(JSON.stringify(issues)) as readonly Issue[];
    expect(describeIssues(copy, { locale: 'zh' })).toBe(describeIssues(issues, { locale: 'zh' }));
    expect(describeIssues(issues, { locale: 'xx' as 'en' })).toBe(describeIssues(issues));
  });

  it('never translate a segment of a value', () => {
    const value = { 'object {a, b} or nothing': 1 };
    const text = describeIssues(issuesOf({ additionalProperties: false, properties: { one: {} } }, value), {
      locale: 'zh',
    });
    expect(text).toBe('$["object {a, b} or nothing"]:应为键 "one"(没有其他键),实际为键 "object {a, b} or nothing"。');
    expect(describeIssues(issuesOf({ type: 'integer' }, 'a" or string "b'), { locale: 'zh' })).toBe(
      '$:应为整数,实际为字符串 "a\\" or string \\"b"。示例:1',
    );
  });
});
