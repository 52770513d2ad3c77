import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { CompileOptions, SchemaInput } from './index.ts';
import { compileSchema } from './index.ts';

type Json = Readonly<Record<string, unknown>>;

const list = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index));
const record = <Item>(count: number, make: (index: number) => readonly [string, Item]): Record<string, Item> =>
  Object.fromEntries(list(count, make));
const nested = (depth: number): unknown => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);

/** A growing case: a schema and a value for a given size. */
interface Case {
  readonly schema: (size: number) => SchemaInput;
  readonly value: (size: number) => unknown;
  readonly size: number;
  readonly options?: CompileOptions;
}

const keys = (count: number, make: (index: number) => string): Json => ({
  type: 'object',
  properties: record(count, (index) => [make(index), { type: 'integer' }]),
});
const letters = (index: number): string => index.toString(36).padStart(6, 'qz');

const isLong = process.env['HAFT_TEST_LONG'] === '1';

const cases: Readonly<Record<string, Case>> = {
  'unlike objects in a list of unique items': {
    schema: () => ({ type: 'array', uniqueItems: true }),
    value: (size) => list(size, (index) => ({ index, a: [index] })),
    size: 1000,
  },
  'values of a long enum': {
    schema: (size) => ({ type: 'array', items: { enum: list(size, (index) => `value ${index}`) } }),
    value: (size) => list(size, (index) => `value ${index}`),
    size: 1000,
  },
  'objects listed in an enum': {
    schema: (size) => ({ type: 'array', items: { enum: list(size, (index) => ({ index })) } }),
    value: (size) => list(size, (index) => ({ index })),
    size: 500,
  },
  'values of a long enum in another case': {
    schema: (size) => ({ type: 'array', items: { enum: list(size, (index) => `Value ${index}`) } }),
    value: (size) => list(size, (index) => `VALUE ${index}`),
    size: 500,
  },
  'values that are none of a long enum': {
    schema: (size) => ({ type: 'array', items: { enum: list(size, (index) => `value ${index}`) } }),
    value: (size) => list(size, (index) => `other ${index}`),
    size: 500,
  },
  'keys that a closed object does not know': {
    schema: (size) => ({ ...keys(size, letters), additionalProperties: false }),
    value: (size) => record(size, (index) => [`unknown ${index}`, 1]),
    size: 250,
  },
  'keys with a slip': {
    schema: (size) => ({ ...keys(size, letters), additionalProperties: false }),
    value: (size) => record(size, (index) => [`${letters(index)}x`, 1]),
    size: 250,
  },
  'keys of another spelling': {
    schema: (size) => ({ ...keys(size, (index) => `someKey${index}`), additionalProperties: false }),
    value: (size) => record(size, (index) => [`some_key${index}`, 1]),
    size: 250,
  },
  'keys that an open object does not know': {
    schema: (size) => keys(size, letters),
    value: (size) => record(size, (index) => [`${letters(index)}x`, 1]),
    size: 250,
  },
  'keys that zod would strip': {
    schema: (size) => z.object(record(size, (index) => [`someKey${index}`, z.int().optional()])),
    value: (size) => record(size, (index) => [`some_key${index}`, 1]),
    size: 250,
  },
  'keys that zod refuses': {
    schema: (size) => z.strictObject(record(size, (index) => [`someKey${index}`, z.int().optional()])),
    value: (size) => record(size, (index) => [`other${index}`, 1]),
    size: 250,
  },
  'missing keys': {
    schema: (size) => ({ ...keys(size, letters), required: list(size, letters) }),
    value: () => ({}),
    size: 1000,
  },
  'keys that have to match a pattern': {
    schema: () => ({
      type: 'object',
      propertyNames: { pattern: 'a+$' },
      patternProperties: { 'b*a+$': { type: 'integer' } },
    }),
    value: (size) => record(size, (index) => [`${index}${'a'.repeat(20)}`, 1]),
    size: 500,
  },
  'characters of a text that nearly matches a pattern': {
    schema: () => ({ type: 'string', pattern: '(?:a|b)*(?:a|c)*d$' }),
    value: (size) => 'a'.repeat(size),
    size: 4000,
  },
  'texts that nearly match a pattern': {
    schema: () => ({ type: 'array', items: { type: 'string', pattern: 'x*a+$' } }),
    value: (size) => list(size, () => `${'a'.repeat(200)} `),
    size: 20,
  },
  'wrong items under a wide union': {
    schema: () => ({
      type: 'array',
      items: {
        anyOf: list(40, (index) => ({
          type: 'object',
          required: [`k${index}`],
          properties: { [`k${index}`]: { type: 'string' } },
        })),
      },
    }),
    value: (size) => list(size, (index) => ({ [`x${index}`]: 1 })),
    size: 50,
  },
  'wrong items whose schema is hard to describe': {
    schema: () => ({
      type: 'array',
      items: {
        type: 'object',
        anyOf: list(200, (index) => ({ anyOf: list(20, () => ({ title: `${index}`, properties: { a: {} } })) })),
      },
    }),
    value: (size) => list(size, () => 'text'),
    size: 50,
  },
  'objects with aliases': {
    schema: () => ({ type: 'array', items: { type: 'object', properties: { text: { type: 'string' } } } }),
    value: (size) => list(size, () => ({ body: 'x' })),
    size: 500,
    options: { aliases: { '[].text': ['body'] } },
  },
  'items in a JSON text': {
    schema: () => ({ type: 'object', properties: { items: { type: 'array', items: { type: 'integer' } } } }),
    value: (size) => ({ items: JSON.stringify(list(size, (index) => index)) }),
    size: 2000,
  },
  'JSON texts in a list': {
    schema: () => ({ type: 'array', items: { type: 'array', items: { type: 'integer' } } }),
    value: (size) => list(size, () => '[1,"2",3]'),
    size: 250,
  },
  'levels of a recursive schema': {
    schema: () => ({
      $ref: '#/$defs/n',
      $defs: {
        n: {
          anyOf: [{ type: 'object', properties: { a: { $ref: '#/$defs/n' } }, required: ['a'] }, { type: 'string' }],
        },
      },
    }),
    value: nested,
    size: 40,
  },
};

describe.each(Object.entries(cases))('%s', (_, { schema, value, size: longSize, options }) => {
  const size = isLong ? longSize : Math.ceil(longSize / 2);
  const measure = async (isReady: boolean): Promise<number> => {
    const compiled = new Map<number, ReturnType<typeof compileSchema>>();
    for (const count of [size, size * 8]) {
      // If only the value grows, both sizes use the same schema, because preparing a large schema takes seconds.
      const one = (schema.length === 0 && compiled.get(size)) || compileSchema(schema(count), options);
      if (isReady) await one.ready();
      compiled.set(count, one);
    }
    return growthOf(
      (count) => ({ count, text: JSON.stringify(value(count)) }),
      ({ count, text }) => void compiled.get(count)?.validate(JSON.parse(text)),
      size,
    );
  };

  it('take time in proportion to their number, before and after ready()', async () => {
    expect(await measure(false)).toBeLessThan(linearGrowth);
    expect(await measure(true)).toBeLessThan(linearGrowth);
  }, 120_000);
});

describe('preparing a schema', () => {
  it.each<[string, (size: number) => Json]>([
    ['keys', (size) => keys(size, letters)],
    [
      'required keys of a closed object',
      (size) => ({ ...keys(size, letters), required: list(size, letters), additionalProperties: false }),
    ],
    ['branches', (size) => ({ anyOf: list(size, (index) => ({ const: index })) })],
    ['listed values', (size) => ({ enum: list(size, (index) => `v${index}`) })],
    ['patterns', (size) => ({ anyOf: list(size, (index) => ({ pattern: `^${index}$` })) })],
    [
      'definitions',
      (size) => ({ ...keys(size, letters), $defs: record(size, (index) => [letters(index), { type: 'string' }]) }),
    ],
  ])(
    'takes time in proportion to its %s',
    async (_, make) => {
      let count = 0;
      const growth = await growthOf(
        (size) => make(size),
        (schema) => compileSchema({ ...schema, title: `fresh ${(count += 1)}` }).ready() ?? undefined,
        35,
      );
      expect(growth).toBeLessThan(linearGrowth);
    },
    60_000,
  );
});
