import { describe, expect, it } from 'vitest';
import type { DialectName, JsonSchemaObject } from '../../index.ts';
import { toDialect } from '../../index.ts';
import { linesOf, lowerPart, lowerRequired } from '../fixtures/lower.ts';

const object = (properties: Record<string, JsonSchemaObject>): JsonSchemaObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

describe('gemini', () => {
  it.each<[rule: string, part: JsonSchemaObject, lowered: unknown]>([
    [
      'keeps bounds that are in its list',
      { type: 'number', minimum: 1, exclusiveMaximum: 9 },
      { type: 'number', minimum: 1, description: '(exclusiveMaximum: 9)' },
    ],
    ['says patterns in words', { type: 'string', pattern: '^a' }, { type: 'string', description: '(pattern: ^a)' }],
    [
      'lists strings and numbers',
      { enum: ['a', 1] },
      {
        anyOf: [
          { type: 'string', enum: ['a'] },
          { type: 'integer', enum: [1] },
        ],
      },
    ],
    ['writes both truths as a type', { enum: [true, false] }, { type: 'boolean' }],
    ['writes one truth as text', { const: true }, { type: 'string', enum: ['true'] }],
    ['writes null as one of the types', { type: ['string', 'null'] }, { type: ['string', 'null'] }],
    [
      'writes tuples',
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'boolean' }], items: false },
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'boolean' }], maxItems: 2 },
    ],
    [
      'writes maps',
      { type: 'object', additionalProperties: { type: 'integer' } },
      { type: 'object', additionalProperties: { type: 'integer' } },
    ],
    [
      'writes closed objects',
      { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
      { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
    ],
    [
      'leaves open objects open',
      { type: 'object', properties: { a: { type: 'string' } } },
      { type: 'object', properties: { a: { type: 'string' } } },
    ],
  ])('%s', (_, part, lowered) => {
    expect(lowerPart(part, 'gemini')).toEqual(lowered);
  });

  it('restores values that were written as JSON text', () => {
    const lowered = lowerRequired({ const: true }, 'gemini');
    expect(lowered.raise({ x: 'true' })).toEqual({ x: true });
    expect(lowered.lower({ x: true })).toEqual({ x: 'true' });
  });

  it.each<[where: string, wrap: (part: JsonSchemaObject) => JsonSchemaObject, put: (part: unknown) => unknown]>([
    ['items', (items) => ({ type: 'array', items }), (item) => [item]],
    ['keys of keys', (b) => object({ a: object({ b }) }), (b) => ({ a: { b } })],
    ['items of keys', (items) => object({ a: { type: 'array', items } }), (item) => ({ a: [item] })],
  ])('distinguishes the branches of a union by their %s', (_, wrap, put) => {
    const lowered = lowerRequired({ anyOf: [wrap({ type: 'null' }), wrap({})] }, 'gemini');
    for (const [part, text] of [
      [null, null],
      [['x'], '["x"]'],
      ['x', '"x"'],
    ]) {
      expect(lowered.lower({ x: put(part) })).toEqual({ x: put(text) });
      expect(lowered.raise({ x: put(text) })).toEqual({ x: put(part) });
    }
  });
});

describe('gemini-openapi', () => {
  it.each<[rule: string, part: JsonSchemaObject, lowered: unknown]>([
    ['writes null as a flag', { type: ['string', 'null'] }, { type: 'string', nullable: true }],
    [
      'writes the flag beside a type, never beside anyOf',
      { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] },
      { anyOf: [{ type: 'string', nullable: true }, { type: 'integer' }] },
    ],
    ['writes null alone as text', { type: 'null' }, { type: 'string', enum: ['null'] }],
    ['lists strings only', { enum: [1, 2] }, { type: 'string', enum: ['1', '2'] }],
    [
      'keeps patterns and lengths',
      { type: 'string', pattern: '^a', minLength: 2 },
      { type: 'string', pattern: '^a', minLength: 2 },
    ],
    ['knows one format', { type: 'string', format: 'date' }, { type: 'string', description: '(format: date)' }],
    [
      'writes maps as lists of pairs',
      { type: 'object', additionalProperties: { type: 'integer' } },
      {
        type: 'array',
        items: {
          type: 'object',
          properties: { key: { type: 'string' }, value: { type: 'integer' } },
          required: ['key', 'value'],
        },
      },
    ],
    [
      'never says additionalProperties',
      { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
      { type: 'object', properties: { a: { type: 'string' } } },
    ],
    [
      'has no empty object',
      { type: 'object', properties: {}, additionalProperties: false },
      { type: 'string', enum: ['{}'] },
    ],
  ])('%s', (_, part, lowered) => {
    expect(lowerPart(part, 'gemini-openapi')).toEqual(lowered);
  });

  it('leaves a root without keys to the caller', () => {
    expect(toDialect({ type: 'object', properties: {} }, 'gemini-openapi').schema).toEqual({
      type: 'object',
      properties: {},
    });
  });
});

describe.each<DialectName>(['gemini', 'gemini-openapi'])('%s', (name) => {
  it('unrolls recursion and renames keys to the allowed form', () => {
    const lowered = toDialect(
      { type: 'object', properties: { '1st': { type: 'string' }, self: { $ref: '#' } }, additionalProperties: false },
      name,
    );
    const value = { '1st': 'a', self: { self: { self: { '1st': 'b' } } } };
    expect(lowered.lower(value)).toEqual({ _1st: 'a', self: { self: { self: '{"1st":"b"}' } } });
    expect(lowered.raise(lowered.lower(value))).toEqual(value);
    expect(linesOf(lowered)).toEqual(['wider # $ref']);
  });
});
