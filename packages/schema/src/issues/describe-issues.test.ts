import { describe, expect, it } from 'vitest';
import type { Issue, ValidationResult } from '../index.ts';
import { compileSchema, describeIssues } from '../index.ts';

function validate(schema: Record<string, unknown>, value: unknown): ValidationResult {
  const result = compileSchema(schema).validate(value);
  if (result instanceof Promise) throw new Error('expected an answer at once');
  return result;
}

const one = (schema: Record<string, unknown>, value: unknown): Issue => {
  const { issues } = validate(schema, value);
  expect(issues).toHaveLength(1);
  return issues[0] as Issue;
};

describe('describeIssues', () => {
  it('writes one line per issue, with path, expectation, received value and example', () => {
    const schema = {
      type: 'object',
      properties: {
        items: {
          type: 'array',
          items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        },
        when: { type: 'string', format: 'date-time' },
        mode: { enum: ['read', 'write'] },
        port: { type: 'integer', minimum: 1024, maximum: 65535 },
      },
      required: ['items', 'mode'],
      additionalProperties: false,
    };
    const value = { items: [{ name: 'a' }, { name: 5 }], when: 'today', port: 80, mod: 'x' };
    expect(describeIssues(validate(schema, value).issues)).toBe(
      [
        '$.items[1].name: expected string, received number 5. Example: "text"',
        '$.when: expected date-time, received string "today". Example: "2025-01-31T09:30:00Z"',
        '$.port: expected at least 1024, received number 80. Example: 1024',
        '$.mod: expected the key "mode", received key "mod".',
        '$.mode: expected one of "read", "write", received nothing. Example: "read"',
      ].join('\n'),
    );
  });

  it('returns an empty text for no issues', () => {
    expect(describeIssues([])).toBe('');
  });

  it('repeats at most sixty characters of a value', () => {
    const secret = 'password'.repeat(100);
    const text = describeIssues(validate({ type: 'integer' }, secret).issues);
    expect(text.length).toBeLessThan(120);
  });
});

describe('the example of an issue', () => {
  it.each([
    [{ type: 'string', minLength: 6 }, '"textxx"'],
    [{ type: 'string', maxLength: 2 }, '"te"'],
    [{ type: 'string', format: 'uuid' }, '"123e4567-e89b-42d3-a456-426614174000"'],
    [{ type: 'string', pattern: '^[0-9]{4}$', examples: ['2024'] }, '"2024"'],
    [{ type: 'string', default: 'utf8' }, '"utf8"'],
    [{ type: 'integer', minimum: 10 }, '10'],
    [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, '0.5'],
    [{ type: 'integer', multipleOf: 7, minimum: 15 }, '21'],
    [{ type: 'boolean' }, 'true'],
    [{ type: 'array', items: { type: 'integer' }, minItems: 2 }, '[1,1]'],
    [{ type: 'array', prefixItems: [{ type: 'string' }, { type: 'boolean' }], minItems: 2 }, '["text",true]'],
    [{ type: 'object', properties: { a: { type: 'integer' }, b: {} }, required: ['a'] }, '{"a":1}'],
    [{ anyOf: [{ type: 'integer', minimum: 3 }, { type: 'boolean' }] }, '3'],
  ])('for %j is %s', (schema, example) => {
    expect(one(schema, null).example).toBe(example);
  });

  it.each([
    [{ type: 'string', pattern: '^[0-9]{4}$' }],
    [{ type: 'string', examples: [5], pattern: '^x$' }],
    [{ type: 'array', items: { type: 'string' }, minItems: 50 }],
    [{ type: 'object', required: ['a'], additionalProperties: false }],
  ])('is omitted for %j, where no valid value is known', (schema) => {
    expect(one(schema, 5)).not.toHaveProperty('example');
  });

  it('is always valid', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', format: 'email' } }, required: ['a'] };
    const { example } = one(schema, 5);
    expect(validate(schema, JSON.parse(example ?? 'null')).ok).toBe(true);
  });
});

describe('issues of unions', () => {
  const shape = {
    anyOf: [
      { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] },
      { type: 'array', items: { type: 'integer' } },
      { $ref: '#/$defs/name' },
    ],
    $defs: { name: { type: 'string', minLength: 3 } },
  };

  it.each([
    [{ url: 5 }, '$.url', 'type', 'string'],
    [{}, '$.url', 'required', 'string'],
    [[1, 'x'], '$[1]', 'type', 'integer'],
    ['ab', '$', 'min_length', 'at least 3 characters'],
    [true, '$', 'type', 'object or array of integer or string'],
  ])('name the branch that %j was meant for', (value, path, code, expected) => {
    expect(one(shape, value)).toMatchObject({ path, code, expected });
  });

  it('name the whole union if several branches were possible', () => {
    const schema = {
      anyOf: [
        { type: 'object', required: ['a'] },
        { type: 'object', required: ['b'] },
      ],
    };
    expect(one(schema, { c: 1 })).toMatchObject({
      path: '$',
      code: 'union',
      expected: 'object with "a" or object with "b"',
    });
    const alike = {
      anyOf: [
        { type: 'object', minProperties: 2 },
        { type: 'object', maxProperties: 0 },
      ],
    };
    expect(one(alike, { c: 1 })).toMatchObject({ path: '$', code: 'union', expected: 'object' });
  });

  it('report when more than one branch of oneOf fits', () => {
    const schema = { oneOf: [{ type: 'integer' }, { minimum: 3 }] };
    expect(one(schema, 5)).toMatchObject({ code: 'union', expected: 'exactly one of integer or a value' });
    const objects = { oneOf: [{ required: ['a'] }, { required: ['b', 'c'] }] };
    expect(one(objects, { a: 1, b: 1, c: 1 })).toMatchObject({
      expected: 'exactly one of object with "a" or object with "b", "c"',
    });
  });

  it('keep a listed value intact if it contains the word "or"', () => {
    const schema = { anyOf: [{ const: 'a or b' }, { const: 'c or b' }, { type: 'integer' }] };
    expect(one(schema, true)).toMatchObject({ expected: '"a or b" or "c or b" or integer' });
  });

  it('describe nested unions only as deep as it adds information', () => {
    const schema = { anyOf: [{ anyOf: [{ type: 'integer' }] }, { oneOf: [{ type: 'boolean' }], not: true }] };
    expect(one(schema, true)).toMatchObject({ path: '$' });
  });
});

describe('an unknown key', () => {
  const closed = (...keys: readonly string[]) => ({
    type: 'object',
    properties: Object.fromEntries(keys.map((key) => [key, {}])),
    additionalProperties: false,
  });

  it.each([
    [['path', 'limit'], 'pth', 'the key "path"'],
    [['path', 'limit'], 'paht', 'the key "path"'],
    [['old_text', 'new_text'], 'oldText2', 'the key "old_text"'],
    [['abc', 'abd'], 'abx', 'one of the keys "abc", "abd"'],
    [['path'], 'zebra', 'only the key "path"'],
    [[], 'anything', 'no keys'],
  ])('among %j: %s gets the suggestion %s', (keys, key, expected) => {
    expect(one(closed(...keys), { [key]: 1 })).toMatchObject({ code: 'unknown_key', expected });
  });

  it('gets no suggestion that is already given', () => {
    expect(one(closed('path'), { path: 1, pth: 1 }).expected).toBe('only the key "path"');
  });

  it('is described in one sentence for the developer', () => {
    expect(one(closed('path'), { pth: 1 }).message).toBe('$.pth is not a known key; did you mean "path"?');
  });
});

describe('the order of issues', () => {
  it('follows the value: members in their container, missing keys after present ones', () => {
    const item = { type: 'object', properties: { n: { type: 'integer' }, m: { type: 'integer' } }, required: ['m'] };
    const schema = {
      allOf: [
        { properties: { z: { type: 'array', items: item } } },
        { properties: { a: { type: 'string' } }, required: ['later', 'z'] },
        { properties: { m: { type: 'string' } }, maxProperties: 2 },
      ],
    };
    const issues = validate(schema, { m: 1, z: [{ n: 'x' }, { m: 'y' }], a: 2 }).issues;
    expect(issues.map(({ path }) => path)).toEqual(['$', '$.m', '$.z[0].n', '$.z[0].m', '$.z[1].m', '$.a', '$.later']);
  });

  it('lists each mistake once, even if several rules of the schema report it', () => {
    const part = { type: 'object', properties: { a: { type: 'string' } }, required: ['b'] };
    expect(validate({ allOf: [part, part], ...part }, { a: 1 }).issues).toHaveLength(2);
  });
});
