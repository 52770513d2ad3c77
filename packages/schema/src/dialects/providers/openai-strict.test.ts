import { describe, expect, it } from 'vitest';
import type { JsonSchemaObject } from '../../index.ts';
import { toDialect } from '../../index.ts';
import { linesOf, lowerPart, lowerRequired } from '../fixtures/lower.ts';

const open = { type: 'object', properties: { a: { type: 'string' } } } as const;

describe('openai-strict', () => {
  it('requires every key and closes every object', () => {
    const lowered = toDialect(
      { ...open, properties: { a: { type: 'string' }, b: open }, required: ['a'] },
      'openai-strict',
    );
    const inner = {
      type: 'object',
      properties: { a: { type: ['string', 'null'] } },
      required: ['a'],
      additionalProperties: false,
    };
    expect(lowered.schema).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { anyOf: [inner, { type: 'null' }] } },
      required: ['a', 'b'],
      additionalProperties: false,
    });
    expect(linesOf(lowered)).toEqual([
      'narrower # additionalProperties',
      'narrower #/properties/b additionalProperties',
    ]);
    expect(lowered.raise({ a: 'x', b: null })).toEqual({ a: 'x' });
    expect(lowered.raise({ a: 'x', b: { a: null } })).toEqual({ a: 'x', b: {} });
  });

  it.each<[rule: string, part: JsonSchemaObject, lowered: unknown]>([
    [
      'keeps what is in its list',
      { type: 'integer', minimum: 1, multipleOf: 2 },
      { type: 'integer', minimum: 1, multipleOf: 2 },
    ],
    ['keeps patterns', { type: 'string', pattern: '^[a-z]+$' }, { type: 'string', pattern: '^[a-z]+$' }],
    ['keeps nine formats', { type: 'string', format: 'date-time' }, { type: 'string', format: 'date-time' }],
    [
      'says other formats in words',
      { type: 'string', format: 'uri' },
      { type: 'string', description: '(format: uri)' },
    ],
    [
      'says lookarounds in words',
      { type: 'string', pattern: '^(?!a)' },
      { type: 'string', description: '(pattern: ^(?!a))' },
    ],
    [
      'says lengths and defaults in words, after those that are there',
      { type: 'string', minLength: 2, description: 'A name.', default: 'me' },
      { type: 'string', description: 'A name. (minLength: 2; default: "me")' },
    ],
    ['writes const as enum', { const: 'a' }, { type: 'string', enum: ['a'] }],
    [
      'writes types that are only listed',
      { enum: [1, 2, 'a'] },
      {
        anyOf: [
          { type: 'integer', enum: [1, 2] },
          { type: 'string', enum: ['a'] },
        ],
      },
    ],
    ['writes null beside a scalar as a list of types', { type: ['number', 'null'] }, { type: ['number', 'null'] }],
    [
      'writes null beside an enum in both places',
      { enum: ['a', null] },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    ['understands nullable of OpenAPI', { type: 'boolean', nullable: true }, { type: ['boolean', 'null'] }],
    [
      'writes oneOf as anyOf',
      { oneOf: [{ type: 'string' }, { type: 'integer' }] },
      { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    ],
    [
      'merges allOf',
      {
        allOf: [
          { type: 'integer', minimum: 1 },
          { minimum: 3, maximum: 9 },
        ],
        description: 'Some.',
      },
      { type: 'integer', minimum: 3, maximum: 9, description: 'Some.' },
    ],
    [
      'leaves out what not refuses among listed values',
      { enum: ['a', 'b'], not: { const: 'a' } },
      { type: 'string', enum: ['b'] },
    ],
    [
      'writes a list',
      { type: 'array', items: { type: 'string' }, minItems: 2, uniqueItems: true },
      { type: 'array', items: { type: 'string' }, minItems: 2, description: '(uniqueItems)' },
    ],
    [
      'writes a tuple as a list',
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false, minItems: 2 },
      {
        type: 'array',
        items: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
        minItems: 2,
        maxItems: 2,
        description: '(items in this order: string, integer)',
      },
    ],
    [
      'writes anything as text',
      { description: 'What?' },
      { type: 'string', description: 'What? (JSON text of any value)' },
    ],
    ['writes lists in an enum as texts', { enum: [[1], 'a'] }, { type: 'string', enum: ['[1]', '"a"'] }],
    [
      'follows references',
      { $ref: '#/properties/x/$defs/id', $defs: { id: { type: 'integer' } } },
      { type: 'integer' },
    ],
  ])('%s', (_, part, lowered) => {
    expect(lowerPart(part, 'openai-strict')).toEqual(lowered);
  });

  it('reports each lost rule with its path and consequence', () => {
    const lowered = lowerRequired({ type: 'string', minLength: 2, format: 'uri', pattern: 'a\\b' }, 'openai-strict');
    expect(linesOf(lowered)).toEqual([
      'wider #/properties/x minLength',
      'wider #/properties/x pattern',
      'wider #/properties/x format',
    ]);
    expect(lowered.lost[0]?.meaning).toBe('minLength: 2 is not enforced by the provider');
    expect(linesOf(lowerRequired({ type: 'string', format: 'colour' }, 'openai-strict'))).toEqual([]);
  });

  it.each<[keyword: string, part: JsonSchemaObject]>([
    ['not', { type: 'string', not: { const: 'a' } }],
    ['if', { type: 'integer', if: { minimum: 3 }, then: { multipleOf: 2 } }],
    ['contains', { type: 'array', items: { type: 'string' }, contains: { const: 'a' } }],
    ['propertyNames', { type: 'object', properties: {}, propertyNames: { maxLength: 3 }, additionalProperties: false }],
    [
      'dependentRequired',
      { type: 'object', properties: {}, dependentRequired: { a: ['b'] }, additionalProperties: false },
    ],
    ['minProperties', { type: 'object', properties: { a: {} }, minProperties: 1, additionalProperties: false }],
    [
      'oneOf',
      {
        oneOf: [
          { type: 'string', minLength: 0 },
          { type: 'string', format: 'date' },
        ],
      },
    ],
  ])('reports that %s is not enforced', (keyword, part) => {
    expect(linesOf(lowerRequired(part, 'openai-strict'))).toContain(`wider #/properties/x ${keyword}`);
  });

  it('distinguishes a null that fills a required key from a given null', () => {
    const lowered = toDialect(
      { type: 'object', properties: { a: { type: ['string', 'null'] } }, additionalProperties: false },
      'openai-strict',
    );
    for (const value of [{}, { a: null }, { a: 'x' }]) expect(lowered.raise(lowered.lower(value))).toEqual(value);
    expect(lowered.lower({ a: null })).toEqual({ a: { value: null } });
    expect(lowered.lower({})).toEqual({ a: null });
  });

  it('writes maps as lists of pairs, also beside declared keys', () => {
    const map = { type: 'object', additionalProperties: { type: 'integer' } } as const;
    const lowered = lowerRequired(map, 'openai-strict');
    expect(lowered.lower({ x: { b: 1, ['__proto__x']: 2 } })).toEqual({
      x: [
        { key: 'b', value: 1 },
        { key: '__proto__x', value: 2 },
      ],
    });
    const proto = lowered.raise({ x: [{ key: '__proto__', value: 1 }] }) as { x: object };
    expect(Object.getPrototypeOf(proto.x)).toBe(Object.prototype);
    expect(Object.keys(proto.x)).toEqual(['__proto__']);
    // A key that occurs twice has no single value; validation refuses it.
    const twice = [
      { key: 'b', value: 1 },
      { key: 'b', value: 2 },
    ];
    expect(lowered.raise({ x: twice })).toEqual({ x: twice });
    const both = lowerRequired({ ...map, properties: { a: { type: 'string' } }, required: ['a'] }, 'openai-strict');
    expect(both.lower({ x: { a: 's', b: 1 } })).toEqual({ x: { a: 's', further_keys: [{ key: 'b', value: 1 }] } });
    expect(both.raise({ x: { a: 's', further_keys: [{ key: 'b', value: 1 }] } })).toEqual({ x: { a: 's', b: 1 } });
  });

  it('wraps a root that is not an object, and merges branches that only restrict combinations of keys', () => {
    const list = toDialect({ type: 'array', items: { type: 'string' } }, 'openai-strict');
    expect(list.schema.properties).toEqual({ value: { type: 'array', items: { type: 'string' } } });
    expect(list.raise({ value: ['a'] })).toEqual(['a']);
    const union = toDialect(
      {
        anyOf: [
          { type: 'object', properties: { a: { const: 1 } }, required: ['a'], additionalProperties: false },
          { type: 'object', properties: { b: { type: 'string' } }, additionalProperties: false },
        ],
      },
      'openai-strict',
    );
    expect(union.raise({ value: { b: null } })).toEqual({});
    expect(union.raise({ value: { a: 1 } })).toEqual({ a: 1 });
    const either = toDialect(
      { ...open, anyOf: [{ required: ['a'] }, { required: ['b'] }], additionalProperties: false },
      'openai-strict',
    );
    expect(either.schema.properties).toEqual({ a: { type: ['string', 'null'] } });
    expect(linesOf(either)).toEqual(['wider # anyOf']);
  });

  it('keeps recursion as references', () => {
    const lowered = toDialect(
      {
        $ref: '#/$defs/node',
        $defs: {
          node: {
            type: 'object',
            properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
            required: ['name', 'children'],
            additionalProperties: false,
          },
        },
      },
      'openai-strict',
    );
    expect(lowered.schema.properties?.['children']).toEqual({ type: 'array', items: { $ref: '#/$defs/node' } });
    expect(Object.keys(lowered.schema.$defs ?? {})).toEqual(['node']);
    expect(lowered.lost).toEqual([]);
  });

  it('writes a union as JSON text if an answer could match two branches', () => {
    const part: JsonSchemaObject = { anyOf: [{ type: 'string' }, { type: 'object' }] };
    const lowered = lowerRequired(part, 'openai-strict');
    expect(lowered.schema.properties?.['x']).toMatchObject({ type: 'string' });
    for (const x of ['{"a":1}', { a: 1 }, 'a']) expect(lowered.raise(lowered.lower({ x }))).toEqual({ x });
  });

  it.each([
    ['1,001 values', Array.from({ length: 1001 }, (_, index) => `v${index}`)],
    ['300 values of 60 characters', Array.from({ length: 300 }, (_, index) => String(index).padEnd(60, '-'))],
  ])('writes an enum of %s as text', (_, values) => {
    const lowered = lowerRequired({ enum: values }, 'openai-strict');
    expect(lowered.schema.properties?.['x']).toEqual({ type: 'string' });
    expect(linesOf(lowered)).toEqual(['wider #/properties/x enum']);
  });

  it('writes objects nested deeper than ten levels, or beyond 5,000 keys, as JSON text', () => {
    let deep: JsonSchemaObject = { type: 'string' };
    for (let level = 0; level < 12; level += 1) {
      deep = { type: 'object', properties: { in: deep }, required: ['in'], additionalProperties: false };
    }
    const lowered = toDialect(deep, 'openai-strict');
    expect(JSON.stringify(lowered.schema).split('"in":').length - 1).toBe(10);
    expect(linesOf(lowered)).toHaveLength(1);
    const wide = (count: number): JsonSchemaObject => ({
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, { type: 'boolean' }])),
      additionalProperties: false,
    });
    const two = toDialect(
      {
        type: 'object',
        properties: { a: wide(3000), b: wide(3000) },
        required: ['a', 'b'],
        additionalProperties: false,
      },
      'openai-strict',
    );
    expect(two.schema.properties?.['b']).toMatchObject({ type: 'string' });
    expect(linesOf(two)).toEqual(['wider #/properties/b properties']);
  });

  it.each<[limit: string, part: JsonSchemaObject, within: unknown, beyond: unknown]>([
    ['a format', { type: 'string', format: 'date' }, '2024-05-01', 'one day'],
    ['a length', { type: 'string', minLength: 2 }, 'ab', ''],
    ['being whole', { type: 'integer' }, 3, 0.5],
    ['a bound', { type: 'number', minimum: 3 }, 3, 1],
    ['a number of items', { type: 'array', items: { type: 'string' }, minItems: 1 }, ['a'], []],
    [
      'a number of keys',
      { type: 'object', additionalProperties: { type: 'string' }, minProperties: 1 },
      { a: 'b' },
      {},
    ],
  ])('chooses the branch of a union that fits a value, by its %s', (_, part, within, beyond) => {
    const limited: JsonSchemaObject = { type: 'object', additionalProperties: part };
    const free: JsonSchemaObject = {
      type: 'object',
      properties: { k: { ...part, format: 'none', minLength: 0, minimum: -9, minItems: 0, minProperties: 0 } },
      required: ['k'],
      additionalProperties: false,
    };
    if (part.type === 'integer') Object.assign(free.properties?.['k'] as object, { type: 'number' });
    const lowered = lowerRequired({ anyOf: [limited, free] }, 'openai-strict');
    for (const value of [within, beyond]) {
      const answer = lowered.lower({ x: { k: value } });
      expect(Array.isArray((answer as { readonly x: unknown }).x)).toBe(value === within);
      expect(lowered.raise(answer)).toEqual({ x: { k: value } });
    }
  });
});
