import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as m from 'zod/mini';
import * as z3 from 'zod/v3';
import type { SchemaInput } from './index.ts';
import { compileSchema } from './index.ts';

/**
 * One schema in up to six libraries, with values and the issues that each must report: `path code | expected |
 * received`.
 */
interface Family {
  readonly name: string;
  readonly json: SchemaInput;
  readonly zod: SchemaInput;
  readonly mini: SchemaInput;
  readonly zod3: SchemaInput;
  readonly valibot?: SchemaInput;
  readonly arktype?: SchemaInput;
  readonly cases: readonly (readonly [value: unknown, lines: readonly string[]])[];
}

const object = (properties: Record<string, unknown>, required: readonly string[] = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
});

const families: readonly Family[] = [
  {
    name: 'scalars',
    json: object({ s: { type: 'string' }, n: { type: 'number' }, i: { type: 'integer' }, b: { type: 'boolean' } }),
    zod: z.object({ s: z.string(), n: z.number(), i: z.int(), b: z.boolean() }),
    mini: m.object({ s: m.string(), n: m.number(), i: m.int(), b: m.boolean() }),
    zod3: z3.object({ s: z3.string(), n: z3.number(), i: z3.number().int(), b: z3.boolean() }),
    valibot: toStandardJsonSchema(
      v.object({ s: v.string(), n: v.number(), i: v.pipe(v.number(), v.integer()), b: v.boolean() }),
    ),
    arktype: type({ s: 'string', n: 'number', i: 'number.integer', b: 'boolean' }),
    cases: [
      [{ s: 'a', n: 1.5, i: 1, b: true }, []],
      [{ s: '', n: -0, i: 1.0, b: false }, []],
      [{ s: 1, n: 1, i: 1, b: true }, ['$.s type | string | number 1']],
      [{ s: null, n: 1, i: 1, b: true }, ['$.s type | string | null']],
      [{ s: ['a'], n: 1, i: 1, b: true }, ['$.s type | string | array of 1']],
      [{ s: { a: 1 }, n: 1, i: 1, b: true }, ['$.s type | string | object {a}']],
      [{ s: true, n: 1, i: 1, b: true }, ['$.s type | string | boolean true']],
      [{ s: 'a', n: 'x', i: 1, b: true }, ['$.n type | number | string "x"']],
      [{ s: 'a', n: '', i: 1, b: true }, ['$.n type | number | string ""']],
      [{ s: 'a', n: null, i: 1, b: true }, ['$.n type | number | null']],
      [{ s: 'a', n: [], i: 1, b: true }, ['$.n type | number | empty array']],
      [{ s: 'a', n: 1, i: 1.5, b: true }, ['$.i type | integer | number 1.5']],
      [{ s: 'a', n: 1, i: '1.5', b: true }, ['$.i type | integer | string "1.5"']],
      [{ s: 'a', n: 1, i: null, b: true }, ['$.i type | integer | null']],
      [{ s: 'a', n: 1, i: {}, b: true }, ['$.i type | integer | empty object']],
      [{ s: 'a', n: 1, i: 1, b: 'yes' }, ['$.b type | boolean | string "yes"']],
      [{ s: 'a', n: 1, i: 1, b: 1 }, ['$.b type | boolean | number 1']],
      [{ s: 'a', n: 1, i: 1, b: null }, ['$.b type | boolean | null']],
      [
        { b: 'x', i: 'x', n: 'x', s: 5 },
        [
          '$.b type | boolean | string "x"',
          '$.i type | integer | string "x"',
          '$.n type | number | string "x"',
          '$.s type | string | number 5',
        ],
      ],
      ['text', ['$ type | object | string "text"']],
      [5, ['$ type | object | number 5']],
      [null, ['$ type | object | null']],
      [true, ['$ type | object | boolean true']],
      [[1], ['$ type | object | array of 1']],
      [undefined, ['$ type | object | nothing']],
    ],
  },
  {
    name: 'missing keys',
    json: object({ a: { type: 'string' }, b: { type: 'integer' }, c: { type: 'boolean' } }),
    zod: z.object({ a: z.string(), b: z.int(), c: z.boolean() }),
    mini: m.object({ a: m.string(), b: m.int(), c: m.boolean() }),
    zod3: z3.object({ a: z3.string(), b: z3.number().int(), c: z3.boolean() }),
    valibot: toStandardJsonSchema(v.object({ a: v.string(), b: v.pipe(v.number(), v.integer()), c: v.boolean() })),
    arktype: type({ a: 'string', b: 'number.integer', c: 'boolean' }),
    cases: [
      [{}, ['$.a required | string | nothing', '$.b required | integer | nothing', '$.c required | boolean | nothing']],
      [{ b: 1 }, ['$.a required | string | nothing', '$.c required | boolean | nothing']],
      [
        { c: 1 },
        ['$.c type | boolean | number 1', '$.a required | string | nothing', '$.b required | integer | nothing'],
      ],
      [{ a: undefined, b: 1, c: true }, ['$.a required | string | nothing']],
      [JSON.parse('{"__proto__": {"a": "x"}, "b": 1, "c": true}'), ['$.a required | string | nothing']],
    ],
  },
  {
    name: 'closed objects',
    json: {
      ...object({ path: { type: 'string' }, limit: { type: 'integer' } }, ['path']),
      additionalProperties: false,
    },
    zod: z.strictObject({ path: z.string(), limit: z.int().optional() }),
    mini: m.strictObject({ path: m.string(), limit: m.optional(m.int()) }),
    zod3: z3.object({ path: z3.string(), limit: z3.number().int().optional() }).strict(),
    valibot: toStandardJsonSchema(
      v.strictObject({ path: v.string(), limit: v.optional(v.pipe(v.number(), v.integer())) }),
    ),
    arktype: type({ '+': 'reject', path: 'string', 'limit?': 'number.integer' }),
    cases: [
      [{ path: 'a' }, []],
      [{ path: 'a', limit: 3 }, []],
      [{ path: 'a', colour: 1 }, ['$.colour unknown_key | one of the keys "path", "limit" | key "colour"']],
      [{ path: 'a', limti: 1 }, ['$.limti unknown_key | the key "limit" | key "limti"']],
      [
        { path: 'a', constructor: 1 },
        ['$.constructor unknown_key | one of the keys "path", "limit" | key "constructor"'],
      ],
      [{ path: 'a', toString: 1 }, ['$.toString unknown_key | one of the keys "path", "limit" | key "toString"']],
      [
        { path: 'a', hasOwnProperty: 1 },
        ['$.hasOwnProperty unknown_key | one of the keys "path", "limit" | key "hasOwnProperty"'],
      ],
      [
        JSON.parse('{"path":"a","__proto__":1}'),
        ['$.__proto__ unknown_key | one of the keys "path", "limit" | key "__proto__"'],
      ],
      [{ path: 'a', 'odd key': 1 }, ['$["odd key"] unknown_key | one of the keys "path", "limit" | key "odd key"']],
      [
        { x: 1, y: 2 },
        [
          '$.x unknown_key | one of the keys "path", "limit" | key "x"',
          '$.y unknown_key | one of the keys "path", "limit" | key "y"',
          '$.path required | string | nothing',
        ],
      ],
    ],
  },
  {
    name: 'arrays',
    json: object({ list: { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 3 } }),
    zod: z.object({ list: z.array(z.int()).min(1).max(3) }),
    mini: m.object({ list: m.array(m.int()).check(m.minLength(1), m.maxLength(3)) }),
    zod3: z3.object({ list: z3.array(z3.number().int()).min(1).max(3) }),
    valibot: toStandardJsonSchema(
      v.object({ list: v.pipe(v.array(v.pipe(v.number(), v.integer())), v.minLength(1), v.maxLength(3)) }),
    ),
    arktype: type({ list: '1 <= number.integer[] <= 3' }),
    cases: [
      [{ list: [1, 2, 3] }, []],
      [{ list: [] }, ['$.list min_items | at least 1 item | empty array']],
      [{ list: [1, 2, 3, 4] }, ['$.list max_items | at most 3 items | array of 4']],
      [{ list: [1, 'x', 2.5] }, ['$.list[1] type | integer | string "x"', '$.list[2] type | integer | number 2.5']],
      [{ list: [null] }, ['$.list[0] type | integer | null']],
      [{ list: 'x' }, ['$.list type | array of integer | string "x"']],
      [{ list: {} }, ['$.list type | array of integer | empty object']],
      [{ list: null }, ['$.list type | array of integer | null']],
      [{}, ['$.list required | array of integer | nothing']],
    ],
  },
  {
    name: 'nested objects in arrays',
    json: object({
      items: {
        type: 'array',
        items: object({ name: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } }),
      },
    }),
    zod: z.object({ items: z.array(z.object({ name: z.string(), tags: z.array(z.string()) })) }),
    mini: m.object({ items: m.array(m.object({ name: m.string(), tags: m.array(m.string()) })) }),
    zod3: z3.object({ items: z3.array(z3.object({ name: z3.string(), tags: z3.array(z3.string()) })) }),
    valibot: toStandardJsonSchema(
      v.object({ items: v.array(v.object({ name: v.string(), tags: v.array(v.string()) })) }),
    ),
    arktype: type({ items: type({ name: 'string', tags: 'string[]' }).array() }),
    cases: [
      [{ items: [] }, []],
      [{ items: [{ name: 'a', tags: ['b'] }] }, []],
      [
        {
          items: [
            { name: 'a', tags: [] },
            { name: 1, tags: [] },
            { name: 'c', tags: ['x', 5] },
          ],
        },
        ['$.items[1].name type | string | number 1', '$.items[2].tags[1] type | string | number 5'],
      ],
      [{ items: [{ tags: [] }] }, ['$.items[0].name required | string | nothing']],
      [
        { items: [{}, 7] },
        [
          '$.items[0].name required | string | nothing',
          '$.items[0].tags required | array of string | nothing',
          '$.items[1] type | object | number 7',
        ],
      ],
      [{ items: 'x' }, ['$.items type | array of object | string "x"']],
    ],
  },
  {
    name: 'bounds of numbers',
    json: object({
      a: { type: 'number', minimum: 1, maximum: 10 },
      b: { type: 'number', exclusiveMinimum: 0 },
      c: { type: 'integer', multipleOf: 5 },
    }),
    zod: z.object({ a: z.number().min(1).max(10), b: z.number().gt(0), c: z.int().multipleOf(5) }),
    mini: m.object({
      a: m.number().check(m.gte(1), m.lte(10)),
      b: m.number().check(m.gt(0)),
      c: m.int().check(m.multipleOf(5)),
    }),
    zod3: z3.object({ a: z3.number().min(1).max(10), b: z3.number().gt(0), c: z3.number().int().multipleOf(5) }),
    valibot: toStandardJsonSchema(
      v.object({
        a: v.pipe(v.number(), v.minValue(1), v.maxValue(10)),
        b: v.pipe(v.number(), v.gtValue(0)),
        c: v.pipe(v.number(), v.integer(), v.multipleOf(5)),
      }),
    ),
    arktype: type({ a: '1 <= number <= 10', b: 'number > 0', c: 'number % 5' }),
    cases: [
      [{ a: 1, b: 0.1, c: 5 }, []],
      [{ a: 10, b: 1e9, c: 0 }, []],
      [{ a: 0, b: 1, c: 5 }, ['$.a minimum | at least 1 | number 0']],
      [{ a: 11, b: 1, c: 5 }, ['$.a maximum | at most 10 | number 11']],
      [{ a: 1, b: 0, c: 5 }, ['$.b exclusive_minimum | more than 0 | number 0']],
      [{ a: 1, b: 1, c: 7 }, ['$.c multiple_of | a multiple of 5 | number 7']],
      [
        { a: -1, b: -1, c: 1 },
        [
          '$.a minimum | at least 1 | number -1',
          '$.b exclusive_minimum | more than 0 | number -1',
          '$.c multiple_of | a multiple of 5 | number 1',
        ],
      ],
    ],
  },
  {
    name: 'lengths and patterns of strings',
    json: object({ a: { type: 'string', minLength: 2, maxLength: 4 }, b: { type: 'string', pattern: '^[a-z]+$' } }),
    zod: z.object({ a: z.string().min(2).max(4), b: z.string().regex(/^[a-z]+$/) }),
    mini: m.object({ a: m.string().check(m.minLength(2), m.maxLength(4)), b: m.string().check(m.regex(/^[a-z]+$/)) }),
    zod3: z3.object({ a: z3.string().min(2).max(4), b: z3.string().regex(/^[a-z]+$/) }),
    valibot: toStandardJsonSchema(
      v.object({ a: v.pipe(v.string(), v.minLength(2), v.maxLength(4)), b: v.pipe(v.string(), v.regex(/^[a-z]+$/)) }),
    ),
    arktype: type({ a: '2 <= string <= 4', b: /^[a-z]+$/ }),
    cases: [
      [{ a: 'ab', b: 'x' }, []],
      [{ a: 'a', b: 'x' }, ['$.a min_length | at least 2 characters | string "a"']],
      [{ a: 'abcde', b: 'x' }, ['$.a max_length | at most 4 characters | string "abcde"']],
      [{ a: 'ab', b: 'X1' }, ['$.b pattern | text matching /^[a-z]+$/ | string "X1"']],
      [
        { a: '', b: '' },
        ['$.a min_length | at least 2 characters | string ""', '$.b pattern | text matching /^[a-z]+$/ | string ""'],
      ],
      [{ a: 'x'.repeat(100), b: 'x' }, [`$.a max_length | at most 4 characters | string "${'x'.repeat(51)}…`]],
    ],
  },
  {
    name: 'formats',
    json: object({
      mail: { type: 'string', format: 'email' },
      id: { type: 'string', format: 'uuid' },
      day: { type: 'string', format: 'date' },
    }),
    zod: z.object({ mail: z.email(), id: z.uuid(), day: z.iso.date() }),
    mini: m.object({ mail: m.email(), id: m.uuid(), day: m.iso.date() }),
    zod3: z3.object({ mail: z3.string().email(), id: z3.string().uuid(), day: z3.string().date() }),
    valibot: toStandardJsonSchema(
      v.object({
        mail: v.pipe(v.string(), v.email()),
        id: v.pipe(v.string(), v.uuid()),
        day: v.pipe(v.string(), v.isoDate()),
      }),
    ),
    cases: [
      [{ mail: 'a@b.de', id: '123e4567-e89b-42d3-a456-426614174000', day: '2024-02-29' }, []],
      [
        { mail: 'nobody', id: '123e4567-e89b-42d3-a456-426614174000', day: '2024-02-29' },
        ['$.mail format | email | string "nobody"'],
      ],
      [
        { mail: 'a@b.de', id: '123', day: '2024-13-01' },
        ['$.id format | uuid | string "123"', '$.day format | date | string "2024-13-01"'],
      ],
      [
        { mail: 5, id: null, day: '' },
        [
          '$.mail type | string (email) | number 5',
          '$.id type | string (uuid) | null',
          '$.day format | date | string ""',
        ],
      ],
    ],
  },
  {
    name: 'enums and literals',
    json: object({ kind: { const: 'file' }, mode: { enum: ['read', 'write'] } }),
    zod: z.object({ kind: z.literal('file'), mode: z.enum(['read', 'write']) }),
    mini: m.object({ kind: m.literal('file'), mode: m.enum(['read', 'write']) }),
    zod3: z3.object({ kind: z3.literal('file'), mode: z3.enum(['read', 'write']) }),
    valibot: toStandardJsonSchema(v.object({ kind: v.literal('file'), mode: v.picklist(['read', 'write']) })),
    arktype: type({ mode: "'read' | 'write'", kind: "'file'" }),
    cases: [
      [{ mode: 'read', kind: 'file' }, []],
      [{ mode: 'delete', kind: 'file' }, ['$.mode enum | one of "read", "write" | string "delete"']],
      [{ mode: 'read', kind: 'folder' }, ['$.kind const | "file" | string "folder"']],
      [{ mode: 5, kind: null }, ['$.mode enum | one of "read", "write" | number 5', '$.kind const | "file" | null']],
      [{}, ['$.kind required | "file" | nothing', '$.mode required | one of "read", "write" | nothing']],
      [
        { mode: ['read'], kind: {} },
        ['$.mode enum | one of "read", "write" | array of 1', '$.kind const | "file" | empty object'],
      ],
    ],
  },
  {
    name: 'unions of scalars',
    json: object({ a: { anyOf: [{ type: 'string' }, { type: 'number' }] }, b: { type: ['string', 'null'] } }),
    zod: z.object({ a: z.union([z.string(), z.number()]), b: z.string().nullable() }),
    mini: m.object({ a: m.union([m.string(), m.number()]), b: m.nullable(m.string()) }),
    zod3: z3.object({ a: z3.union([z3.string(), z3.number()]), b: z3.string().nullable() }),
    valibot: toStandardJsonSchema(v.object({ a: v.union([v.string(), v.number()]), b: v.nullable(v.string()) })),
    cases: [
      [{ a: 'x', b: null }, []],
      [{ a: 5, b: 'x' }, []],
      [{ a: true, b: 'x' }, ['$.a type | string or number | boolean true']],
      [{ a: null, b: 5 }, ['$.a type | string or number | null', '$.b type | string or null | number 5']],
      [{ a: [], b: false }, ['$.a type | string or number | empty array', '$.b type | string or null | boolean false']],
      [{}, ['$.a required | string or number | nothing', '$.b required | string or null | nothing']],
    ],
  },
  {
    name: 'tagged unions',
    json: object({
      step: {
        oneOf: [
          object({ kind: { const: 'move' }, to: { type: 'string' } }),
          object({ kind: { const: 'wait' }, ms: { type: 'integer' } }),
        ],
      },
    }),
    zod: z.object({
      step: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('move'), to: z.string() }),
        z.object({ kind: z.literal('wait'), ms: z.int() }),
      ]),
    }),
    mini: m.object({
      step: m.discriminatedUnion('kind', [
        m.object({ kind: m.literal('move'), to: m.string() }),
        m.object({ kind: m.literal('wait'), ms: m.int() }),
      ]),
    }),
    zod3: z3.object({
      step: z3.discriminatedUnion('kind', [
        z3.object({ kind: z3.literal('move'), to: z3.string() }),
        z3.object({ kind: z3.literal('wait'), ms: z3.number().int() }),
      ]),
    }),
    valibot: toStandardJsonSchema(
      v.object({
        step: v.variant('kind', [
          v.object({ kind: v.literal('move'), to: v.string() }),
          v.object({ kind: v.literal('wait'), ms: v.pipe(v.number(), v.integer()) }),
        ]),
      }),
    ),
    arktype: type({ step: type({ kind: "'move'", to: 'string' }).or({ kind: "'wait'", ms: 'number.integer' }) }),
    cases: [
      [{ step: { kind: 'move', to: 'a' } }, []],
      [{ step: { kind: 'wait', ms: 5 } }, []],
      [{ step: { kind: 'move', to: 5 } }, ['$.step.to type | string | number 5']],
      [{ step: { kind: 'wait' } }, ['$.step.ms required | integer | nothing']],
      [{ step: { kind: 'jump' } }, ['$.step.kind enum | one of "move", "wait" | string "jump"']],
      [{ step: {} }, ['$.step.kind required | one of "move", "wait" | nothing']],
      [{ step: 5 }, ['$.step type | object | number 5']],
      [{}, ['$.step required | object | nothing']],
    ],
  },
  {
    name: 'tuples',
    json: object({
      pair: {
        type: 'array',
        prefixItems: [{ type: 'string' }, { type: 'number' }],
        items: false,
        minItems: 2,
        maxItems: 2,
      },
    }),
    zod: z.object({ pair: z.tuple([z.string(), z.number()]) }),
    mini: m.object({ pair: m.tuple([m.string(), m.number()]) }),
    zod3: z3.object({ pair: z3.tuple([z3.string(), z3.number()]) }),
    arktype: type({ pair: ['string', 'number'] }),
    cases: [
      [{ pair: ['a', 1] }, []],
      [{ pair: [1, 'a'] }, ['$.pair[0] type | string | number 1', '$.pair[1] type | number | string "a"']],
      [{ pair: [] }, ['$.pair min_items | at least 2 items | empty array']],
      [{ pair: ['a'] }, ['$.pair min_items | at least 2 items | array of 1']],
      [{ pair: ['a', 1, 2] }, ['$.pair max_items | at most 2 items | array of 3']],
      [{ pair: 5 }, ['$.pair type | array | number 5']],
    ],
  },
  {
    name: 'records',
    json: object({ map: { type: 'object', additionalProperties: { type: 'integer' } } }),
    zod: z.object({ map: z.record(z.string(), z.int()) }),
    mini: m.object({ map: m.record(m.string(), m.int()) }),
    zod3: z3.object({ map: z3.record(z3.string(), z3.number().int()) }),
    valibot: toStandardJsonSchema(v.object({ map: v.record(v.string(), v.pipe(v.number(), v.integer())) })),
    arktype: type({ map: 'Record<string, number.integer>' }),
    cases: [
      [{ map: {} }, []],
      [{ map: { a: 1 } }, []],
      [
        { map: { a: 1, b: 'x', c: 1.5 } },
        ['$.map.b type | integer | string "x"', '$.map.c type | integer | number 1.5'],
      ],
      [{ map: { 'a b': 'x' } }, ['$.map["a b"] type | integer | string "x"']],
      [{ map: 5 }, ['$.map type | object | number 5']],
    ],
  },
  {
    name: 'optional keys',
    json: object({ a: { type: 'string' }, b: { type: 'integer' }, c: { type: ['integer', 'null'] } }, ['a']),
    zod: z.object({ a: z.string(), b: z.int().optional(), c: z.int().nullable().optional() }),
    mini: m.object({ a: m.string(), b: m.optional(m.int()), c: m.optional(m.nullable(m.int())) }),
    zod3: z3.object({ a: z3.string(), b: z3.number().int().optional(), c: z3.number().int().nullable().optional() }),
    valibot: toStandardJsonSchema(
      v.object({
        a: v.string(),
        b: v.optional(v.pipe(v.number(), v.integer())),
        c: v.optional(v.nullable(v.pipe(v.number(), v.integer()))),
      }),
    ),
    cases: [
      [{ a: 'x' }, []],
      [{ a: 'x', b: undefined }, []],
      [{ a: 'x', c: null }, []],
      [{ a: 'x', b: null }, ['$.b null_dropped']],
      [{ a: 'x', b: '7' }, ['$.b number_parsed']],
      [{ A: 'x', B: '7' }, ['$.A key_renamed', '$.B key_renamed', '$.b number_parsed']],
      [{ a: null }, ['$.a type | string | null']],
    ],
  },
];

const tracks = ['json', 'zod', 'mini', 'zod3', 'valibot', 'arktype'] as const;

describe.each(families)('$name', (family) => {
  const cases = family.cases.map(([value, lines]) => ({ value, lines, shown: JSON.stringify(value) ?? String(value) }));
  describe.each(tracks.filter((track) => family[track] !== undefined))('in %s', (track) => {
    const compiled = compileSchema(family[track] as SchemaInput);

    it.each(cases)('judges $shown', async ({ value, lines }) => {
      const before = compiled.validate(value);
      await compiled.ready();
      const result = compiled.validate(value);
      expect(result).toEqual(before);
      if (result instanceof Promise) throw new Error('expected an answer at once');
      const said = result.ok
        ? result.coercions.map(({ path, code }) => `${path} ${code}`)
        : result.issues.map((issue) => `${issue.path} ${issue.code} | ${issue.expected} | ${issue.received}`);
      // Libraries may list coercions in the order of their own schema; issues are in document order.
      expect(result.ok ? said.toSorted() : said).toEqual(result.ok ? lines.toSorted() : lines);
      for (const issue of result.issues) expect(issue.received.length).toBeLessThanOrEqual(60);
    });
  });
});

/** Typical wrong values of models. */
const strangers: readonly unknown[] = [
  null, '', 'x', '7', 'true', '[1]', '{"a":1}', 0, -1, 2.5, 7_000, true, [], ['x'], [[1]], {}, { a: 'x' }, { kind: 'b' },
]; // prettier-ignore

/** A value with one change: replaced, removed, duplicated or misspelt. */
function* changesOf(value: unknown): Generator {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      for (const change of changesOf(item)) yield value.with(index, change);
    }
    yield [...value, ...value];
    yield value.slice(1);
  } else if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    for (const [index, [key, member]] of entries.entries()) {
      for (const change of changesOf(member)) yield Object.fromEntries(entries.with(index, [key, change]));
      yield Object.fromEntries(entries.toSpliced(index, 1));
      yield Object.fromEntries(entries.with(index, [key.toUpperCase(), member]));
    }
    yield { ...value, stranger: 1 };
  }
  yield* strangers;
}

describe('values with one change', () => {
  let count = 0;

  it.each(families.map((family) => [family.name, family] as const))(
    'get the same result from every library: %s',
    async (_, family) => {
      const written = family.cases.filter(([, lines]) => lines.length === 0).slice(0, 3);
      const texts = new Set(
        written.flatMap(([value]) => [...changesOf(value)].map((change) => JSON.stringify(change))),
      );
      const compiled = tracks.flatMap((track) => {
        const schema = family[track];
        return schema === undefined ? [] : [{ track, schema: compileSchema(schema) }];
      });
      const differences: unknown[] = [];
      // valibot and ArkType accept a list as an object; here only the arguments as a whole are checked for that.
      if (family.name === 'records') texts.delete('{"map":[]}');
      for (const text of texts) {
        const answers = new Map<string, string[]>();
        for (const { track, schema } of compiled) {
          const { ok, issues, coercions } = await schema.validate(JSON.parse(text));
          const steps = coercions.map(({ path, code }) => `${path} ${code}`).toSorted();
          const said = issues.map(({ path, code, expected, received }) => [path, code, expected, received].join(' | '));
          const answer = JSON.stringify({ ok, said, steps });
          answers.set(answer, [...(answers.get(answer) ?? []), track]);
        }
        if (answers.size > 1) differences.push({ text, answers: Object.fromEntries(answers) });
      }
      count += texts.size;
      expect(differences).toEqual([]);
    },
  );

  it('are numerous', () => {
    expect(count).toBeGreaterThan(1000);
  });
});
