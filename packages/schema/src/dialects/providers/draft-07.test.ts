import { describe, expect, it } from 'vitest';
import type { JsonSchemaObject } from '../../index.ts';
import { toDialect } from '../../index.ts';
import { linesOf } from '../fixtures/lower.ts';

/** The same schemas in both drafts. */
const pairs: readonly (readonly [what: string, draft07: JsonSchemaObject, draft202012: JsonSchemaObject])[] = [
  [
    'tuples',
    { items: [{ type: 'string' }], additionalItems: false },
    { prefixItems: [{ type: 'string' }], items: false },
  ],
  ['open tuples', { items: [{ type: 'string' }] }, { prefixItems: [{ type: 'string' }] }],
  ['lists', { items: { type: 'string' } }, { items: { type: 'string' } }],
  [
    'definitions and what refers to them',
    { properties: { a: { $ref: '#/definitions/x~1y' } }, definitions: { 'x/y': { type: 'string' } } },
    { properties: { a: { $ref: '#/$defs/x~1y' } }, $defs: { 'x/y': { type: 'string' } } },
  ],
  [
    'references into what is spelt otherwise',
    { items: [{ type: 'string' }, { $ref: '#/items/0' }] },
    { prefixItems: [{ type: 'string' }, { $ref: '#/prefixItems/0' }] },
  ],
  ['dependencies on keys', { dependencies: { a: ['b'] } }, { dependentRequired: { a: ['b'] } }],
  [
    'dependencies on schemas',
    { dependencies: { a: { required: ['b'] } } },
    { dependentSchemas: { a: { required: ['b'] } } },
  ],
];

const uris = {
  'draft-07': 'http://json-schema.org/draft-07/schema#',
  'json-schema-2020-12': 'https://json-schema.org/draft/2020-12/schema',
} as const;

describe.each(pairs)('the %s keywords', (_, draft07, draft202012) => {
  it('are written in draft-07', () => {
    for (const schema of [draft07, draft202012]) {
      const lowered = toDialect(schema, 'draft-07');
      expect(lowered.schema).toEqual({ $schema: uris['draft-07'], ...draft07 });
      expect(lowered.lost).toEqual([]);
    }
  });

  it('are written in 2020-12', () => {
    for (const schema of [draft07, draft202012]) {
      const lowered = toDialect(schema, 'json-schema-2020-12');
      expect(lowered.schema).toEqual({ $schema: uris['json-schema-2020-12'], ...draft202012 });
      expect(lowered.lost).toEqual([]);
    }
  });
});

describe('draft-07', () => {
  it('writes no keywords beside a reference', () => {
    const schema = { $ref: '#/$defs/a', minimum: 3, $defs: { a: { type: 'integer' } } } as const;
    expect(toDialect(schema, 'draft-07').schema).toEqual({
      $schema: uris['draft-07'],
      minimum: 3,
      allOf: [{ $ref: '#/definitions/a' }],
      definitions: { a: { type: 'integer' } },
    });
  });

  it.each<[keyword: string, schema: JsonSchemaObject]>([
    ['unevaluatedProperties', { unevaluatedProperties: false }],
    ['unevaluatedItems', { unevaluatedItems: false }],
    ['maxContains', { contains: { const: 1 }, maxContains: 2 }],
    ['minContains', { contains: { const: 1 }, minContains: 2 }],
    ['$dynamicRef', { $dynamicRef: '#a', $defs: { a: { $dynamicAnchor: 'a', type: 'string' } } }],
  ])('drops %s and reports it', (keyword, schema) => {
    const lowered = toDialect(schema, 'draft-07');
    expect(linesOf(lowered)).toEqual([`wider # ${keyword}`]);
    expect(lowered.schema).not.toHaveProperty(keyword);
  });

  it('requires nothing if minContains is 0', () => {
    const lowered = toDialect({ contains: { const: 1 }, minContains: 0 }, 'draft-07');
    expect(lowered.schema).toEqual({ $schema: uris['draft-07'] });
    expect(lowered.lost).toEqual([]);
  });
});

describe('json-schema-2020-12', () => {
  it('does not write nullable', () => {
    expect(toDialect({ type: 'string', nullable: true }, 'json-schema-2020-12').schema.type).toEqual([
      'string',
      'null',
    ]);
  });

  it('resolves references by name and by identifier', () => {
    const schema: JsonSchemaObject = {
      $id: 'https://example.com/root',
      properties: { a: { $ref: 'other#part' }, b: { $ref: '#here' }, c: { $ref: '#/x-parts/0' } },
      $defs: { other: { $id: 'other', $defs: { part: { $anchor: 'part', type: 'string' } } }, h: { $anchor: 'here' } },
      'x-parts': [{ type: 'boolean' }],
    };
    const lowered = toDialect(schema, 'json-schema-2020-12').schema;
    expect(lowered.properties).toEqual({
      a: { $ref: '#/$defs/part' },
      b: { $ref: '#/$defs/h' },
      c: { $ref: '#/$defs/target' },
    });
    expect(lowered.$defs).toMatchObject({ part: { type: 'string' }, target: { type: 'boolean' } });
  });

  it('writes boolean schemas as equivalent objects', () => {
    expect(toDialect(true, 'json-schema-2020-12').schema).toEqual({ $schema: uris['json-schema-2020-12'] });
    expect(toDialect(false, 'draft-07').schema).toEqual({ $schema: uris['draft-07'], not: {} });
  });
});
