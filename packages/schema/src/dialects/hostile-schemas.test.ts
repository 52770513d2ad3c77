import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { describe, expect, it } from 'vitest';
import type { DialectName, JsonSchemaObject } from '../index.ts';
import { dialects, SchemaError, toDialect } from '../index.ts';
import { vendorChecks } from './fixtures/vendor-checks.ts';

const names = Object.keys(dialects) as DialectName[];
const list = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index));
const object = (properties: Readonly<Record<string, JsonSchemaObject>>): JsonSchemaObject => ({
  type: 'object',
  properties,
});

const cyclic: Record<string, unknown> = { type: 'object' };
cyclic['properties'] = { self: cyclic };

/** Schemas that expand to many schemas, each for a given size. */
const bombs: readonly (readonly [what: string, make: (size: number) => JsonSchemaObject])[] = [
  [
    'definitions that name the next twice',
    (size) => ({
      $ref: '#/$defs/d0',
      $defs: Object.fromEntries(
        list(size, (index) => [
          `d${index}`,
          index === size - 1
            ? { type: 'string' }
            : object({ a: { $ref: `#/$defs/d${index + 1}` }, b: { $ref: `#/$defs/d${index + 1}` } }),
        ]),
      ),
    }),
  ],
  [
    'definitions that all name each other',
    (size) => ({
      $ref: '#/$defs/d0',
      $defs: Object.fromEntries(
        list(size, (index) => [
          `d${index}`,
          object(Object.fromEntries(list(size, (at) => [`p${at}`, { $ref: `#/$defs/d${at}` }]))),
        ]),
      ),
    }),
  ],
  [
    'unions that all have to hold',
    (size) => ({ allOf: list(size, () => ({ anyOf: list(20, (index) => object({ [`k${index}`]: {} })) })) }),
  ],
];

describe.each(names)('%s', (name) => {
  it('refuses an infinite schema and an unresolved one', () => {
    expect(() => toDialect(cyclic, name)).toThrow(SchemaError);
    expect(() => toDialect({ $ref: 'https://example.com/x' }, name)).toThrow(SchemaError);
    expect(() => toDialect({ type: 'object', properties: { a: { pattern: '(a+)+$' } } }, name)).toThrow(SchemaError);
  });

  it.each(bombs)('converts %s to a bounded size', (_, make) => {
    const { schema } = toDialect(make(30), name);
    expect(JSON.stringify(schema).length).toBeLessThan(1_000_000);
    expect(vendorChecks[name]?.(schema as Record<string, unknown>)).toEqual([]);
  });

  it('keeps inherited key names apart from prototypes', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":["integer","null"]}},"additionalProperties":false}',
    ) as JsonSchemaObject;
    const lowered = toDialect(schema, name);
    expect(Object.keys(lowered.schema.properties ?? {})).toHaveLength(2);
    for (const text of ['{}', '{"__proto__":"a"}', '{"__proto__":"a","constructor":null}', '{"constructor":1}']) {
      const raised = lowered.raise(lowered.lower(JSON.parse(text))) as object;
      expect(JSON.stringify(raised)).toBe(text);
      expect(Object.getPrototypeOf(raised)).toBe(Object.prototype);
    }
  });
});

// One dialect of each kind, because the others differ only in data.
describe.each<DialectName>(['openai-strict', 'anthropic-strict', 'gemini', 'anthropic'])('%s', (name) => {
  it.each<[what: string, make: (size: number) => JsonSchemaObject, size: number]>([
    ['keys', (size) => object(Object.fromEntries(list(size, (index) => [`k${index}`, { type: 'string' }]))), 250],
    [
      'keys that need other names',
      (size) => object(Object.fromEntries(list(size, (index) => [`${'[]'.repeat(40)}${index}`, {}]))),
      250,
    ],
    ['listed values', (size) => object({ a: { enum: list(size, (index) => ({ index })) } }), 1000],
    [
      'branches',
      (size) => object({ a: { anyOf: list(size, (index) => ({ type: 'object', required: [`k${index}`] })) } }),
      250,
    ],
    ['branches that list values', (size) => ({ oneOf: list(size, (index) => ({ const: index })) }), 500],
    [
      'definitions',
      (size) => ({
        ...object({}),
        $defs: Object.fromEntries(list(size, (index) => [`d${index}`, { $defs: { x: {} } }])),
      }),
      500,
    ],
  ])('takes time in proportion to the number of %s', async (_, make, size) => {
    const growth = await growthOf(
      (count) => JSON.stringify(make(count)),
      (text) => void toDialect(JSON.parse(text) as JsonSchemaObject, name),
      size,
    );
    expect(growth).toBeLessThan(linearGrowth);
  });
});

describe('values of a recursive schema', () => {
  const tree: JsonSchemaObject = {
    $ref: '#/$defs/node',
    $defs: {
      node: {
        anyOf: [
          { type: 'object', properties: { a: { $ref: '#/$defs/node' } }, required: ['a'], additionalProperties: false },
          {
            type: 'object',
            properties: { a: { $ref: '#/$defs/node' }, b: {} },
            required: ['a'],
            additionalProperties: false,
          },
          { type: 'null' },
        ],
      },
    },
  };
  const nested = (depth: number): string => `${'{"a":'.repeat(depth)}null${'}'.repeat(depth)}`;

  it.each(names)('are converted by %s in proportional time, and left unchanged if nested too deep', async (name) => {
    const lowered = toDialect(tree, name);
    const run = (text: string): void => void lowered.raise(lowered.lower(JSON.parse(text)));
    expect(await growthOf(nested, run, 100)).toBeLessThan(linearGrowth);
    const deep = JSON.parse(nested(100_000)) as unknown;
    expect(() => lowered.raise(deep)).not.toThrow();
    expect(() => lowered.lower(deep)).not.toThrow();
  });
});
