import { describe, expect, it } from 'vitest';
import type { JsonSchemaObject } from '../../index.ts';
import { toDialect } from '../../index.ts';
import { linesOf, lowerPart, lowerRequired } from '../fixtures/lower.ts';

const keysOf = (count: number, part: JsonSchemaObject): JsonSchemaObject => ({
  type: 'object',
  properties: Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, part])),
  additionalProperties: false,
});

describe('anthropic-strict', () => {
  it('closes objects and leaves optional keys optional', () => {
    const lowered = toDialect({ type: 'object', properties: { a: { type: 'string' } } }, 'anthropic-strict');
    expect(lowered.schema).toEqual({
      type: 'object',
      properties: { a: { type: 'string' } },
      additionalProperties: false,
    });
    expect(linesOf(lowered)).toEqual(['narrower # additionalProperties']);
  });

  it.each<[rule: string, part: JsonSchemaObject, lowered: unknown]>([
    [
      'says bounds in words',
      { type: 'integer', minimum: 1, maximum: 9 },
      { type: 'integer', description: '(minimum: 1; maximum: 9)' },
    ],
    ['says lengths in words', { type: 'string', maxLength: 9 }, { type: 'string', description: '(maxLength: 9)' }],
    [
      'keeps minItems of 1',
      { type: 'array', items: { type: 'string' }, minItems: 1 },
      { type: 'array', items: { type: 'string' }, minItems: 1 },
    ],
    [
      'says minItems of 2 in words',
      { type: 'array', items: { type: 'string' }, minItems: 2 },
      { type: 'array', items: { type: 'string' }, description: '(minItems: 2)' },
    ],
    ['keeps ten formats', { type: 'string', format: 'uri' }, { type: 'string', format: 'uri' }],
    ['keeps regular patterns', { type: 'string', pattern: '^a+$' }, { type: 'string', pattern: '^a+$' }],
    [
      'says others in words',
      { type: 'string', pattern: '(a)\\1' },
      { type: 'string', description: '(pattern: (a)\\1)' },
    ],
    ['lists no lists', { enum: [[1], [2]] }, { type: 'string', enum: ['[1]', '[2]'] }],
  ])('%s', (_, part, lowered) => {
    expect(lowerPart(part, 'anthropic-strict')).toEqual(lowered);
  });

  it('renames keys to the allowed form, and back', () => {
    const lowered = toDialect(
      {
        type: 'object',
        properties: {
          'filter[id]': { type: 'string' },
          'filter.id': { type: 'string' },
          filter_id_: { type: 'string' },
        },
        required: ['filter[id]'],
        additionalProperties: false,
      },
      'anthropic-strict',
    );
    expect(Object.keys(lowered.schema.properties ?? {})).toEqual(['filter_id__2', 'filter.id', 'filter_id_']);
    expect(lowered.schema.required).toEqual(['filter_id__2']);
    expect(lowered.raise({ filter_id__2: 'a', filter_id_: 'b' })).toEqual({ 'filter[id]': 'a', filter_id_: 'b' });
  });

  it('unrolls recursion three times and writes the rest as JSON text', () => {
    const tree: JsonSchemaObject = {
      type: 'object',
      properties: { next: { $ref: '#' } },
      additionalProperties: false,
    };
    const lowered = toDialect(tree, 'anthropic-strict');
    const value = { next: { next: { next: { next: { next: {} } } } } };
    expect(lowered.lower(value)).toEqual({ next: { next: { next: '{"next":{"next":{}}}' } } });
    expect(lowered.raise(lowered.lower(value))).toEqual(value);
    expect(linesOf(lowered)).toEqual(['wider # $ref']);
  });

  it('writes objects beyond 24 optional keys, and unions beyond 16, as JSON text', () => {
    expect(lowerPart(keysOf(24, { type: 'string' }), 'anthropic-strict')).toMatchObject({ type: 'object' });
    expect(linesOf(lowerRequired(keysOf(25, { type: 'string' }), 'anthropic-strict'))).toEqual([
      'wider #/properties/x properties',
    ]);
    const unions = keysOf(17, { type: ['string', 'null'] });
    const lowered = toDialect({ ...unions, required: Object.keys(unions.properties ?? {}) }, 'anthropic-strict');
    expect(linesOf(lowered)).toEqual(['wider #/properties/k16 anyOf']);
  });
});
