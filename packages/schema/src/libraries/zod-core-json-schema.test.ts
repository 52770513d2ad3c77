import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { compileSchema, schemaFor } from '../index.ts';

/** The object that TypeScript generates for `enum Level { Low, High = 'high' }`. */
const Level = { 0: 'Low', Low: 0, High: 'high' } as const;

/** Returns the result of zod's own converter for a schema's input, without the dialect. */
function zodSays(schema: z.ZodMiniType): unknown {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
}

const schemas: readonly (readonly [what: string, schema: z.ZodMiniType])[] = [
  ['strings', z.string()],
  ['lengths', z.string().check(z.minLength(2), z.maxLength(5))],
  ['a length', z.string().check(z.length(3))],
  ['an address', z.email()],
  ['an identifier', z.uuid()],
  ['a web address', z.url()],
  ['a date', z.iso.date()],
  ['a date with time', z.iso.datetime()],
  ['a local date with time', z.iso.datetime({ local: true })],
  ['a time', z.iso.time()],
  ['a pattern', z.string().check(z.regex(/^a+$/))],
  ['two patterns', z.string().check(z.regex(/^a/), z.regex(/b$/))],
  ['numbers', z.number()],
  ['bounds', z.number().check(z.gte(1), z.lt(9), z.multipleOf(2))],
  ['the tighter of two bounds', z.number().check(z.gte(1), z.gte(3))],
  ['integers', z.int()],
  ['integers with bounds', z.int().check(z.positive())],
  ['small integers', z.int32()],
  ['booleans', z.boolean()],
  ['null', z.null()],
  ['nothing', z.never()],
  ['anything', z.any()],
  ['what is unknown', z.unknown()],
  ['an enum', z.enum(['a', 'b'])],
  ['an enum of TypeScript', z.enum(Level)],
  ['a literal', z.literal('a')],
  ['literals', z.literal(['a', 'b'])],
  ['literals of several types', z.literal(['a', 1, null])],
  ['lists', z.array(z.string()).check(z.minLength(1))],
  ['tuples', z.tuple([z.string(), z.optional(z.number())])],
  ['tuples with a rest', z.tuple([z.string()], z.boolean())],
  ['objects', z.object({ a: z.string(), b: z.optional(z.number()), c: z._default(z.boolean(), true) })],
  ['closed objects', z.strictObject({ a: z.string() })],
  ['open objects', z.looseObject({ a: z.string() })],
  ['objects with a rest', z.catchall(z.object({ a: z.string() }), z.number())],
  ['objects without keys', z.object({})],
  ['records', z.record(z.string(), z.int())],
  ['records of some keys', z.record(z.enum(['a', 'b']), z.int())],
  ['partial records', z.partialRecord(z.enum(['a', 'b']), z.int())],
  ['unions', z.union([z.string(), z.number()])],
  ['tagged unions', z.discriminatedUnion('k', [z.object({ k: z.literal('a') }), z.object({ k: z.literal('b') })])],
  ['null beside others', z.nullable(z.string())],
  ['what may be left out and be null', z.object({ a: z.nullish(z.string()) })],
  [
    'transforms',
    z.pipe(
      z.string(),
      z.transform((text: string) => text.length),
    ),
  ],
  ['what is prepared', z.object({ a: z.pipe(z.transform(String), z.string()) })],
  ['what is caught', z.object({ a: z.readonly(z.string()) })],
  ['dates, which JSON has not', z.object({ a: z.date() })],
  ['templates', z.templateLiteral(['a-', z.number()])],
  ['what has been described', z.object({ a: z.string().register(z.globalRegistry, { description: 'A word.' }) })],
];

describe('the JSON Schema of zod/mini', () => {
  it.each(schemas)("equals zod's own result for %s", (_, schema) => {
    expect(schemaFor(schema)).toEqual(zodSays(schema));
  });

  it('turns recursion into references', () => {
    const tree = z.object({
      name: z.string(),
      get children() {
        return z.array(tree);
      },
    });
    expect(schemaFor(tree)).toEqual({
      $ref: '#/$defs/part0',
      $defs: {
        part0: {
          type: 'object',
          properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/part0' } } },
          required: ['name', 'children'],
        },
      },
    });
    const result = compileSchema(tree).validate({ name: 'a', children: [{ name: 5, children: '[]' }] });
    expect(result).toMatchObject({ issues: [{ path: '$.children[0].name', code: 'type' }] });
  });

  it("explains and coerces like zod's", () => {
    const schema = z.object({ limit: z.int().check(z.gte(1)), mode: z.enum(['read', 'write']) });
    expect(compileSchema(schema).validate({ Limit: '5', mode: 'READ' })).toMatchObject({
      ok: true,
      value: { limit: 5, mode: 'read' },
    });
    expect(compileSchema(schema).validate({ limit: 0, mode: 'read' })).toMatchObject({
      issues: [{ path: '$.limit', code: 'minimum', expected: 'at least 1' }],
    });
  });
});
