import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { StandardSchema, ValidationResult } from './index.ts';
import { compileSchema, describeIssues, schemaFor, SchemaError } from './index.ts';

function validate(schema: StandardSchema, value: unknown): ValidationResult {
  const result = compileSchema(schema).validate(value);
  if (result instanceof Promise) throw new Error('expected an answer at once');
  return result;
}

const lines = (result: ValidationResult): readonly string[] =>
  result.issues.map((issue) => `${issue.path} ${issue.code} ${issue.expected} | ${issue.received}`);

describe("a refusal of the library's own schema", () => {
  const range = z
    .object({ from: z.int(), to: z.int(), name: z.string().refine((text) => !text.includes('!'), 'Must not shout.') })
    .refine(({ from, to }) => from <= to, { message: 'from must not be after to', path: ['from'] });

  it('becomes an issue with code custom and the message of the check', () => {
    expect(lines(validate(range, { from: 5, to: 1, name: 'a' }))).toEqual([
      '$.from custom from must not be after to | from number 5, to number 1',
    ]);
    expect(lines(validate(range, { from: 1, to: 5, name: 'a!' }))).toEqual([
      '$.name custom Must not shout | string "a!"',
    ]);
  });

  it('is reported beside the issues of the JSON Schema, in document order, each mistake once', () => {
    expect(lines(validate(range, { name: 'a!', from: 'x', to: 1.5 }))).toEqual([
      '$.name custom Must not shout | string "a!"',
      '$.from type integer | string "x"',
      '$.to type integer | number 1.5',
    ]);
  });

  it('is reported at the root if the check does so', () => {
    const schema = z.object({ a: z.int() }).refine(() => false, 'never right');
    expect(describeIssues(validate(schema, { a: 1 }).issues)).toBe('$: expected never right, received object {a}.');
  });
});

describe('zod', () => {
  it('keeps its defaults, transforms and stripping', () => {
    const schema = z.object({ a: z.string().transform((text) => text.length), b: z.int().default(7) });
    expect(validate(schema, { a: 'four', extra: 1 })).toMatchObject({ ok: true, value: { a: 4, b: 7 } });
    expect(validate(schema, { a: 'four', extra: 1 }).value).not.toHaveProperty('extra');
  });

  it('returns a promise with asynchronous checks, coercions included', async () => {
    const schema = z.object({ n: z.int().refine(async (n) => n > 1, 'too small') });
    const compiled = compileSchema(schema);
    for (let round = 0; round < 2; round += 1) {
      const pending = compiled.validate({ n: '5' });
      expect(pending).toBeInstanceOf(Promise);
      expect(await pending).toMatchObject({ ok: true, value: { n: 5 }, coercions: [{ code: 'number_parsed' }] });
      expect(await compiled.validate({ n: 1 })).toMatchObject({ ok: false, issues: [{ path: '$.n', code: 'custom' }] });
    }
  });

  it('refuses the value if a check throws, and does not reveal what was thrown', async () => {
    const thrower = (): boolean => {
      throw new Error('secret /etc/host path');
    };
    const sync = validate(z.object({ a: z.string().refine(thrower) }), { a: 'x' });
    expect(sync).toMatchObject({ ok: false, issues: [{ path: '$', code: 'custom' }] });
    expect(JSON.stringify(sync)).not.toContain('secret');
    const later = compileSchema(z.object({ a: z.string().refine(async () => thrower()) })).validate({ a: 'x' });
    expect(await later).toMatchObject({ ok: false, issues: [{ code: 'custom' }] });
  });

  it('returns synchronously with user functions if nothing is awaited', async () => {
    const schema = z.object({
      a: z.string().transform((text) => text.length),
      b: z
        .string()
        .refine(async () => true)
        .optional(),
    });
    const compiled = compileSchema(schema);
    expect(compiled.validate({ a: 'four' })).toMatchObject({ ok: true, value: { a: 4 } });
    expect(compiled.validate({ a: 5 })).toMatchObject({ ok: false, issues: [{ path: '$.a', code: 'type' }] });
    expect(await compiled.validate({ a: 'four', b: 'x' })).toMatchObject({ ok: true, value: { a: 4, b: 'x' } });
  });

  it.each([
    ['transform', z.string().transform(async () => Promise.reject(new Error('no')))],
    ['preprocess', z.preprocess(async () => Promise.reject(new Error('no')), z.string())],
    ['superRefine', z.string().superRefine(async () => Promise.reject(new Error('no')))],
    ['pipe', z.string().pipe(z.transform(async () => Promise.reject(new Error('no'))))],
    ['lazy', z.lazy(() => z.string().refine(async () => Promise.reject(new Error('no'))))],
    ['custom', z.custom(async () => Promise.reject(new Error('no')))],
  ])('refuses the value if its %s rejects, without an unhandled rejection', async (_, schema) => {
    const result = await compileSchema(z.object({ a: schema })).validate({ a: 'x' });
    expect(result).toMatchObject({ ok: false });
  });

  it('offers its JSON Schema without a dialect, and accepts any value where JSON Schema cannot express it', () => {
    expect(schemaFor(z.object({ a: z.string() }))).toEqual({
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
    });
    const schema = z.object({ when: z.date(), name: z.string() });
    expect(schemaFor(schema)).toMatchObject({ properties: { when: {}, name: { type: 'string' } } });
    expect(lines(validate(schema, { when: new Date(0), name: 5 }))).toEqual(['$.name type string | number 5']);
    expect(validate(schema, { when: 'x', name: 'a' })).toMatchObject({ issues: [{ path: '$.when', code: 'custom' }] });
  });

  it('may be recursive', () => {
    const tree = z.object({
      name: z.string(),
      get children() {
        return z.array(tree);
      },
    });
    const result = validate(tree, {
      name: 'a',
      children: [
        { name: 'b', children: '[]' },
        { name: 5, children: [] },
      ],
    });
    expect(lines(result)).toEqual(['$.children[1].name type string | number 5']);
    expect(result.coercions).toMatchObject([{ path: '$.children[0].children', code: 'json_parsed' }]);
  });
});

describe('a schema that offers no JSON Schema', () => {
  it('validates with its own messages', () => {
    const schema = v.object({ a: v.number(), b: v.string() });
    expect(validate(schema, { a: 1, b: 'x' })).toMatchObject({ ok: true, value: { a: 1, b: 'x' } });
    const result = validate(schema, { a: 'x', b: 'x' });
    expect(result).toMatchObject({ ok: false, issues: [{ path: '$.a', code: 'custom', received: 'string "x"' }] });
    expect(schemaFor(schema)).toBe(true);
  });

  it('is explained and coerced with a given JSON Schema', () => {
    const schema = v.object({ a: v.number() });
    expect(() => compileSchema(schema, { jsonSchema: { $ref: '#/nowhere' } })).toThrow(SchemaError);
    const compiled = compileSchema(schema, { jsonSchema: { ...toJsonSchema(schema) } as Record<string, unknown> });
    expect(compiled.validate({ a: '5' })).toMatchObject({ ok: true, value: { a: 5 } });
    expect(compiled.validate({ a: 'x' })).toMatchObject({
      issues: [{ path: '$.a', code: 'type', expected: 'number' }],
    });
  });
});

describe('an unknown Standard Schema', () => {
  const custom = (check: (value: unknown) => unknown): StandardSchema => ({
    '~standard': { version: 1, vendor: 'test', validate: check as StandardSchema['~standard']['validate'] },
  });

  it('may return a promise, reject it, or throw', async () => {
    expect(await compileSchema(custom(async (value) => ({ value }))).validate(5)).toMatchObject({ ok: true, value: 5 });
    const rejecting = compileSchema(custom(() => Promise.reject(new Error('no')))).validate(5);
    expect(await rejecting).toMatchObject({ ok: false, issues: [{ code: 'custom' }] });
    const throwing = custom(() => {
      throw new Error('no');
    });
    expect(validate(throwing, 5)).toMatchObject({ ok: false, issues: [{ code: 'custom' }] });
  });

  it('may give paths as keys, as segments, and as symbols', () => {
    const path = ['a', { key: 0 }, { key: 'odd key' }, Symbol('s')];
    const result = validate(
      custom(() => ({ issues: [{ message: 'No.', path }] })),
      { a: [] },
    );
    expect(result.issues[0]).toMatchObject({
      path: '$.a[0]["odd key"]["Symbol(s)"]',
      message: expect.stringMatching(/No\.$/),
    });
  });
});
