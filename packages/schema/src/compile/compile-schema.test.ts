import { type } from 'arktype';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { compileSchema, describeIssues, schemaFor, SchemaError } from '../index.ts';

const jsonSchema = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    startLine: { type: 'integer' },
    endLine: { type: 'integer' },
    flags: { type: 'array', items: { type: 'string' } },
  },
  required: ['path', 'flags'],
} as const;

const zodSchema = z.object({
  path: z.string(),
  startLine: z.int().optional(),
  endLine: z.int().optional(),
  flags: z.array(z.string()),
});

const arkSchema = type({
  path: 'string',
  'startLine?': 'number.integer',
  'endLine?': 'number.integer',
  flags: 'string[]',
});

describe.each([
  ['JSON Schema', jsonSchema],
  ['zod', zodSchema],
  ['ArkType', arkSchema],
] as const)('compileSchema over %s', (_, schema) => {
  const compiled = compileSchema(schema as Parameters<typeof compileSchema>[0]);

  it('returns synchronously for a value that fits, before and after ready()', async () => {
    const value = { path: 'a', flags: ['-n'] };
    expect(compiled.validate(value)).toEqual({ ok: true, value, issues: [], coercions: [] });
    await compiled.ready();
    expect(compiled.ready()).toBeUndefined();
    expect(compiled.validate(value)).toEqual({ ok: true, value, issues: [], coercions: [] });
  });

  it('reports every issue in document order, missing keys last', () => {
    const result = compiled.validate({ startLine: 'x', path: 5 });
    expect(result).toMatchObject({
      ok: false,
      issues: [
        { path: '$.startLine', code: 'type', expected: 'integer', received: 'string "x"' },
        { path: '$.path', code: 'type', expected: 'string', received: 'number 5' },
        { path: '$.flags', code: 'required', expected: 'array of string', received: 'nothing' },
      ],
    });
  });

  it('tells a model what to do in one line per issue', () => {
    const result = compiled.validate({ startLine: 'x', path: 'a', flags: [] });
    expect(result).toHaveProperty('ok', false);
    if (result instanceof Promise || result.ok) return;
    expect(describeIssues(result.issues)).toBe('$.startLine: expected integer, received string "x". Example: 1');
  });
});

describe('compileSchema', () => {
  it('returns the same compiled schema for the same object and for an equal one', () => {
    expect(compileSchema(jsonSchema)).toBe(compileSchema(jsonSchema));
    expect(compileSchema(structuredClone<Record<string, unknown>>(jsonSchema))).toBe(compileSchema(jsonSchema));
    expect(compileSchema(zodSchema)).toBe(compileSchema(zodSchema));
  });

  it('keeps unknown keywords and the order of keys, and ignores later changes by the owner', () => {
    const mutable = { 'x-order': 3, type: 'object', properties: { b: { type: 'string' }, a: {} } };
    const text = JSON.stringify(mutable);
    const shown = schemaFor(mutable);
    Object.assign(mutable.properties.b, { type: 'number' });
    expect(JSON.stringify(shown)).toBe(text);
    expect(Object.isFrozen(shown)).toBe(true);
  });

  it.each([null, undefined, 5, 'string', [], new Map()])('refuses %j, which is not a schema', (input) => {
    expect(() => compileSchema(input as never)).toThrow(SchemaError);
    expect(() => compileSchema(input as never)).toThrow(/Expected a zod schema/);
  });
});

describe('a mistake in a schema', () => {
  it.each<[string, unknown, { readonly code: string; readonly message: RegExp }]>([
    ['a shape of zod schemas', { a: z.string() }, { code: 'SCHEMA_NOT_RECOGNISED', message: /z\.object/ }],
    [
      'a zod schema inside a JSON Schema',
      { type: 'object', properties: { a: z.string() } },
      { code: 'SCHEMA_INVALID', message: /schema of a library/ },
    ],
    ['a date', { enum: [new Date(0)] }, { code: 'SCHEMA_INVALID', message: /object that is not plain \(Date\)/ }],
  ])('is reported with its cause: %s', (_, input, { code, message }) => {
    let thrown: unknown;
    try {
      compileSchema(input as never);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code, message: expect.stringMatching(message) as string });
  });
});
