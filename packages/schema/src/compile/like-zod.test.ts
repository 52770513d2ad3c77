import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { compileSchema } from './compile-schema.ts';
import type { CompileOptions, SchemaInput, ValidationResult } from './compiled-schema.ts';
import { describeIssues } from '../issues/describe-issues.ts';

function validate(schema: unknown, value: unknown, options?: CompileOptions): ValidationResult {
  return compileSchema(schema as SchemaInput, options).validate(value) as ValidationResult;
}

/** Returns the text that a model reads about a refused value. */
function refusal(schema: unknown, value: unknown, options?: CompileOptions): string {
  const result = validate(schema, value, options);
  expect(result.ok).toBe(false);
  return describeIssues(result.issues);
}

const object = (properties: object, more: object = {}): Readonly<Record<string, unknown>> => ({
  type: 'object',
  properties,
  ...more,
});

describe('defaults of a JSON Schema', () => {
  const json = object({
    limit: { type: 'integer', default: 10 },
    sort: object({ by: { type: 'string', default: 'name' }, down: { type: 'boolean' } }),
    tags: { type: 'array', items: object({ color: { type: 'string', default: 'red' } }) },
  });
  const zod = z.object({
    limit: z.int().default(10),
    sort: z.object({ by: z.string().default('name'), down: z.boolean().optional() }).optional(),
    tags: z.array(z.object({ color: z.string().default('red') })).optional(),
  });

  it.each([
    [{}],
    [{ limit: 3 }],
    [{ limit: '3' }],
    [{ limit: null }],
    [{ sort: {} }],
    [{ sort: { down: true }, tags: [{}, { color: 'blue' }] }],
    ['{"sort": {"by": "size"}}'],
  ])('are applied to %j as those of zod', (value) => {
    const [ofJson, ofZod] = [validate(json, value), validate(zod, value)];
    expect(ofJson.ok && ofZod.ok).toBe(true);
    expect(ofJson.value).toEqual(ofZod.value);
    expect(ofJson.coercions).toEqual(ofZod.coercions);
  });

  it('make a required key optional, after its aliases and spelling variants', () => {
    const schema = object({ type: { enum: ['png', 'jpeg'], default: 'png' } }, { required: ['type'] });
    expect(validate(schema, {})).toMatchObject({ ok: true, value: { type: 'png' }, coercions: [] });
    expect(validate(schema, { Type: 'jpeg' })).toMatchObject({ ok: true, value: { type: 'jpeg' } });
    expect(validate(schema, { format: 'jpeg' }, { aliases: { type: ['format'] } })).toMatchObject({
      value: { type: 'jpeg' },
    });
    expect(validate(schema, { type: 'gif' }).ok).toBe(false);
  });

  it('are ignored where their own schema refuses them, and in unions', () => {
    expect(
      validate(object({ a: { type: 'string', default: null }, b: { type: 'integer', default: '5' } }), {}),
    ).toEqual({
      ok: true,
      value: {},
      issues: [],
      coercions: [],
    });
    const branches = [object({ a: { default: 1 } }), object({ b: { default: 2 } })];
    expect(validate({ type: 'object', anyOf: branches }, {})).toMatchObject({ value: {} });
  });

  it('are copied for each value, and never change the input', async () => {
    const schema = compileSchema(object({ list: { type: 'array', default: [1] }, __proto__: { default: 1 } }));
    const input = Object.freeze({});
    const first = schema.validate(input) as ValidationResult<{ list: number[] }>;
    first.value!.list.push(2);
    expect(schema.validate(input)).toMatchObject({ value: { list: [1] } });
    await schema.ready();
    for (let count = 0; count < 10; count += 1) expect(schema.validate(input)).toMatchObject({ value: { list: [1] } });
    expect(input).toEqual({});
  });

  it('are found through references, also in a recursive schema', () => {
    const schema = {
      $ref: '#/$defs/node',
      $defs: { node: object({ size: { default: 1 }, next: { $ref: '#/$defs/node' } }) },
    };
    expect(validate(schema, { next: { next: {} } }).value).toEqual({ size: 1, next: { size: 1, next: { size: 1 } } });
  });
});

describe('undeclared keys', () => {
  const silent = {
    json: object({ a: { type: 'integer' }, inner: object({ b: { type: 'integer' } }) }),
    zod: z.object({ a: z.int().optional(), inner: z.object({ b: z.int().optional() }).optional() }),
  };
  const value = { a: 1, extra: 'x', inner: { b: 2, more: true } };

  it.each(['json', 'zod'] as const)('are stripped, kept or refused by one option (%s)', (kind) => {
    const schema = silent[kind];
    expect(validate(schema, value, { undeclaredKeys: 'strip' }).value).toEqual({ a: 1, inner: { b: 2 } });
    expect(validate(schema, value, { undeclaredKeys: 'keep' }).value).toEqual(value);
    expect(validate(schema, { ...value, a: '1' }, { undeclaredKeys: 'strip' }).value).toEqual({
      a: 1,
      inner: { b: 2 },
    });
    expect(validate(schema, { ...value, a: '1' }, { undeclaredKeys: 'keep' }).value).toEqual(value);
    const refused = refusal(schema, value, { undeclaredKeys: 'refuse' });
    expect(refused).toContain('$.extra');
    expect(refused).toContain('$.inner.more');
    expect(validate(schema, { a: 1, inner: { b: 2 } }, { undeclaredKeys: 'refuse' })).toMatchObject({ ok: true });
    expect(validate(schema, { A: 1 }, { undeclaredKeys: 'refuse' })).toMatchObject({ ok: true, value: { a: 1 } });
  });

  it.each(['strip', 'keep', 'refuse'] as const)(
    'follow the schema if it says how to handle them (%s)',
    (undeclaredKeys) => {
      const given = { a: 1, extra: 'x' };
      const properties = { a: { type: 'integer' } };
      for (const open of [
        object(properties, { additionalProperties: true }),
        object(properties, { additionalProperties: { type: 'string' } }),
        object(properties, { patternProperties: { '^e': { type: 'string' } } }),
        { type: 'object' },
        { type: 'object', allOf: [object(properties), object({ extra: {} })] },
        z.looseObject({ a: z.int() }),
        z.object({ a: z.int() }).catchall(z.string()),
      ])
        expect(validate(open, given, { undeclaredKeys })).toMatchObject({ ok: true, value: given });
      for (const closed of [object(properties, { additionalProperties: false }), z.strictObject({ a: z.int() })])
        expect(validate(closed, given, { undeclaredKeys }).ok).toBe(false);
    },
  );
});

describe('messages that an author wrote into a zod schema', () => {
  it('reach the model instead of the expectation', () => {
    const schema = z.object({
      name: z.string().min(3, 'Give the full name.'),
      city: z.enum(['Rome', 'Oslo'], { error: 'Only Rome and Oslo are served' }),
      zip: z.string({ error: 'A zip code is required' }),
      mail: z.email('Invalid company address'),
      size: z.int().max(5),
    });
    const text = refusal(schema, { name: 'Al', city: 'Paris', mail: 'x', size: 9 });
    expect(text).toContain('$.name: expected Give the full name, received string "Al"');
    expect(text).toContain('$.city: expected Only Rome and Oslo are served, received string "Paris"');
    expect(text).toContain('$.zip: expected A zip code is required, received nothing');
    expect(text).toContain('$.mail: expected Invalid company address, received string "x"');
    expect(text).toContain('$.size: expected at most 5, received number 9');
  });

  it('do not replace the messages of Haft if they are the defaults of zod', () => {
    const schema = z.object({
      url: z.url(),
      id: z.uuid(),
      n: z.number().multipleOf(2),
      e: z.enum(['a']),
      d: z.iso.date(),
    });
    const text = refusal(schema, { url: 'x', id: 'x', n: 3, e: 'b', d: 'x' });
    expect(text).not.toMatch(/Invalid|Too |Expected/);
  });
});

describe('the issue of a refinement', () => {
  const range = z.object({ min: z.number(), max: z.number() });

  it('names both values that it compares', () => {
    const placed = range.refine(({ min, max }) => min <= max, { message: 'max must be at least min', path: ['max'] });
    expect(refusal(placed, { min: 9, max: 2 })).toContain(
      '$.max: expected max must be at least min, received max number 2, min number 9',
    );
    const whole = range.refine(({ min, max }) => min <= max, 'min must be at most max');
    expect(refusal(whole, { min: 9, max: 2 })).toContain('received min number 9, max number 2');
    const nested = z.object({ range: whole });
    expect(refusal(nested, { range: { min: 9, max: 2 } })).toContain('received min number 9, max number 2');
  });

  it('shows the values of a small object if it has no message, or its message names none of them', () => {
    const range = z.object({ from: z.int(), to: z.int() });
    expect(
      refusal(
        range.refine(({ from, to }) => to > from),
        { from: 5, to: 2 },
      ),
    ).toContain('$: expected a value that passes the check of the schema, received from number 5, to number 2');
    expect(
      refusal(
        range.refine(({ from, to }) => to > from, 'not a period'),
        { from: 5, to: 2 },
      ),
    ).toContain('$: expected not a period, received from number 5, to number 2');
  });

  it('shows the value at its path if the message names no other key', () => {
    const single = z.object({ n: z.number().refine((n) => n % 2 === 0, 'must be even') });
    expect(refusal(single, { n: 3 })).toContain('$.n: expected must be even, received number 3');
  });
});

describe('texts that mean null', () => {
  it.each([
    ['null', { type: ['integer', 'null'] }],
    ['None', { type: ['integer', 'null'] }],
    ['nil', { anyOf: [{ type: 'boolean' }, { type: 'null' }] }],
    ['None', { enum: [1, null] }],
  ])('%j becomes null if %j allows null and no string', (text, schema) => {
    expect(validate(object({ a: schema }), { a: text })).toMatchObject({
      ok: true,
      value: { a: null },
      coercions: [{ path: '$.a', code: 'null_parsed', from: text, to: null }],
    });
  });

  it.each([
    [{ type: ['string', 'null'] }, true],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, true],
    [{ type: 'string' }, true],
    [{ enum: ['a', null] }, false],
    [{ type: 'integer' }, false],
  ])('stay unchanged for %j', (schema, isValid) => {
    for (const text of ['null', 'None']) {
      const result = validate(object({ a: schema }), { a: text });
      expect(result.ok).toBe(isValid);
      if (result.ok) expect(result.value).toEqual({ a: text });
    }
  });

  it('become null for a nullable zod schema', () => {
    expect(validate(z.strictObject({ a: z.int().nullable() }), { a: 'None' })).toMatchObject({ value: { a: null } });
  });
});

describe("a model's reasoning beside its arguments", () => {
  it.each(['thought', 'reasoning', 'explanation', 'Thinking'])(
    '%s is dropped from a closed schema, with a note',
    (key) => {
      for (const schema of [
        object({ a: { type: 'integer' } }, { additionalProperties: false }),
        z.strictObject({ a: z.int() }),
      ])
        expect(validate(schema, { [key]: 'I should add.', a: 1 })).toMatchObject({
          ok: true,
          value: { a: 1 },
          coercions: [{ path: `$.${key}`, code: 'reasoning_dropped', from: 'I should add.', to: undefined }],
        });
    },
  );

  it('stays if it is declared, means another key, is nested, or is not text', () => {
    const closed = { additionalProperties: false };
    const declared = object({ reasoning: { type: 'string' } }, closed);
    expect(validate(declared, { reasoning: 'x' })).toMatchObject({ value: { reasoning: 'x' }, coercions: [] });
    const aliased = { aliases: { why: ['explanation'] } };
    expect(validate(object({ why: { type: 'string' } }, closed), { explanation: 'x' }, aliased)).toMatchObject({
      value: { why: 'x' },
    });
    expect(validate(object({ in: object({}, closed) }, closed), { in: { thought: 'x' } }).ok).toBe(false);
    expect(validate(object({}, closed), { thought: { deep: true } }).ok).toBe(false);
    expect(validate(object({}, closed), { other: 'x' }).ok).toBe(false);
  });
});
