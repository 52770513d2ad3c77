import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as z3 from 'zod/v3';
import { compileSchema, schemaFor } from '../index.ts';

/** The object that TypeScript generates for `enum Level { Low, High = 'high' }`. */
const Level = { 0: 'Low', Low: 0, High: 'high' } as const;

/** The same schema in both versions; version 4 has its own converter. */
const pairs: readonly (readonly [what: string, third: z3.ZodTypeAny, fourth: z.ZodType])[] = [
  ['strings', z3.string(), z.string()],
  ['lengths', z3.string().min(2).max(5), z.string().min(2).max(5)],
  ['a length', z3.string().length(3), z.string().length(3)],
  ['patterns', z3.string().regex(/^a+$/), z.string().regex(/^a+$/)],
  ['two patterns', z3.string().regex(/^a/).regex(/b$/), z.string().regex(/^a/).regex(/b$/)],
  ['numbers', z3.number(), z.number()],
  ['bounds', z3.number().min(1).lt(9).multipleOf(2), z.number().min(1).lt(9).multipleOf(2)],
  ['booleans', z3.boolean(), z.boolean()],
  ['null', z3.null(), z.null()],
  ['nothing', z3.never(), z.never()],
  ['anything', z3.any(), z.any()],
  ['an enum', z3.enum(['a', 'b']), z.enum(['a', 'b'])],
  ['an enum of TypeScript', z3.nativeEnum(Level), z.enum(Level)],
  ['a literal', z3.literal('a'), z.literal('a')],
  ['lists', z3.array(z3.string()).min(1).max(3), z.array(z.string()).min(1).max(3)],
  ['lists of a length', z3.array(z3.string()).length(2), z.array(z.string()).length(2)],
  ['tuples', z3.tuple([z3.string(), z3.number()]), z.tuple([z.string(), z.number()])],
  ['tuples with a rest', z3.tuple([z3.string()]).rest(z3.boolean()), z.tuple([z.string()], z.boolean())],
  [
    'objects',
    z3.object({ a: z3.string(), b: z3.number().optional(), c: z3.boolean().default(true) }),
    z.object({ a: z.string(), b: z.number().optional(), c: z.boolean().default(true) }),
  ],
  ['closed objects', z3.object({ a: z3.string() }).strict(), z.strictObject({ a: z.string() })],
  ['objects with a rest', z3.object({}).catchall(z3.number()), z.object({}).catchall(z.number())],
  ['records', z3.record(z3.string(), z3.number()), z.record(z.string(), z.number())],
  ['unions', z3.union([z3.string(), z3.number()]), z.union([z.string(), z.number()])],
  ['unions of objects', z3.union([z3.object({}), z3.null()]), z.union([z.object({}), z.null()])],
  [
    'tagged unions',
    z3.discriminatedUnion('k', [z3.object({ k: z3.literal('a') }), z3.object({ k: z3.literal('b') })]),
    z.discriminatedUnion('k', [z.object({ k: z.literal('a') }), z.object({ k: z.literal('b') })]),
  ],
  ['null beside others', z3.string().nullable(), z.string().nullable()],
  ['what may be left out and be null', z3.object({ a: z3.string().nullish() }), z.object({ a: z.string().nullish() })],
  ['transforms', z3.string().transform((text) => text.length), z.string().transform((text) => text.length)],
  ['refinements', z3.string().refine((text) => text !== ''), z.string().refine((text) => text !== '')],
  ['dates, which JSON has not', z3.object({ a: z3.date() }), z.object({ a: z.date() })],
  [
    'what has been described',
    z3.object({ a: z3.string().describe('A word.') }),
    z.object({ a: z.string().describe('A word.') }),
  ],
];

describe('the JSON Schema of zod 3', () => {
  it.each(pairs)('equals the result of zod 4 for %s', (_, third, fourth) => {
    expect(schemaFor(third)).toEqual(schemaFor(fourth));
  });

  it.each<[z3.ZodTypeAny, unknown]>([
    [z3.string().email(), { type: 'string', format: 'email' }],
    [z3.string().uuid(), { type: 'string', format: 'uuid' }],
    [z3.string().url(), { type: 'string', format: 'uri' }],
    [z3.string().datetime(), { type: 'string', format: 'date-time' }],
    [z3.string().datetime({ local: true }), { type: 'string' }],
    [z3.string().ip({ version: 'v4' }), { type: 'string', format: 'ipv4' }],
    [z3.string().startsWith('a.'), { type: 'string', pattern: '^a\\.' }],
    [z3.number().int(), { type: 'integer' }],
    [z3.preprocess(Number, z3.number()), {}],
    [
      z3.intersection(z3.object({}), z3.object({})),
      {
        allOf: [
          { type: 'object', properties: {} },
          { type: 'object', properties: {} },
        ],
      },
    ],
  ])('expresses checks that zod 4 names differently (%#)', (schema, said) => {
    expect(schemaFor(schema)).toEqual(said);
  });

  it('turns recursion into references', () => {
    const tree: z3.ZodTypeAny = z3.object({ name: z3.string(), next: z3.lazy(() => tree).optional() });
    const result = compileSchema(tree).validate({ name: 'a', next: { name: 'b', next: { name: 5 } } });
    expect(result).toMatchObject({ issues: [{ path: '$.next.next.name', code: 'type', expected: 'string' }] });
  });

  it("explains and coerces, and keeps zod's message for other refusals", () => {
    const schema = z3.object({
      limit: z3.number().int().min(1),
      to: z3.string().refine((text) => text !== 'x', 'Not x.'),
    });
    expect(compileSchema(schema).validate({ Limit: '5', to: 'a' })).toMatchObject({ ok: true, value: { limit: 5 } });
    expect(compileSchema(schema).validate({ limit: 0, to: 'x' })).toMatchObject({
      issues: [
        { path: '$.limit', code: 'minimum' },
        { path: '$.to', code: 'custom', expected: 'Not x' },
      ],
    });
  });

  it('validates with an old release without the standard interface', async () => {
    const schema = z3.object({ a: z3.number() });
    const old = {
      _def: schema._def,
      isOptional: () => false,
      safeParse: (value: unknown) => schema.safeParse(value),
      safeParseAsync: (value: unknown) => schema.safeParseAsync(value),
    };
    const compiled = compileSchema(old as never);
    expect(await compiled.validate({ a: '5' })).toMatchObject({ ok: true, value: { a: 5 } });
    expect(await compiled.validate({ a: 'x' })).toMatchObject({
      issues: [{ path: '$.a', code: 'type', expected: 'number' }],
    });
  });
});
