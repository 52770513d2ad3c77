import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { ValidationResult } from './index.ts';
import { compileSchema, SchemaError, schemaErrorCodes } from './index.ts';

function codeOf(schema: unknown): unknown {
  try {
    compileSchema(schema as Record<string, unknown>);
  } catch (error) {
    if (error instanceof SchemaError) return error.code;
    throw error;
  }
  return undefined;
}

function validate(schema: Record<string, unknown> | boolean, value: unknown): ValidationResult {
  const result = compileSchema(schema).validate(value);
  if (result instanceof Promise) throw new Error('expected an answer at once');
  return result;
}

function nest(depth: number, wrap: (inner: unknown) => unknown, core: unknown): unknown {
  let value = core;
  for (let level = 0; level < depth; level += 1) value = wrap(value);
  return value;
}

const doubling = (definitions: number): Record<string, unknown> => ({
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries(
    Array.from({ length: definitions }, (_, index) => [
      `d${index}`,
      index === definitions - 1
        ? {}
        : { allOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
    ]),
  ),
});

const chain = (definitions: number): Record<string, unknown> => ({
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries(
    Array.from({ length: definitions }, (_, index) => [`d${index}`, { $ref: `#/$defs/d${(index + 1) % definitions}` }]),
  ),
});

const cyclic: Record<string, unknown> = { type: 'object' };
cyclic['properties'] = { self: cyclic };

describe('an unusable schema', () => {
  it.each([
    ['SCHEMA_INVALID', { type: 'text' }],
    ['SCHEMA_INVALID', { type: [] }],
    ['SCHEMA_INVALID', { properties: [] }],
    ['SCHEMA_INVALID', { properties: { a: 'string' } }],
    ['SCHEMA_INVALID', { properties: { a: null } }],
    ['SCHEMA_INVALID', { required: true }],
    ['SCHEMA_INVALID', { required: [1] }],
    ['SCHEMA_INVALID', { minLength: '5' }],
    ['SCHEMA_INVALID', { minItems: -1 }],
    ['SCHEMA_INVALID', { multipleOf: 0 }],
    ['SCHEMA_INVALID', { minimum: Number.NaN }],
    ['SCHEMA_INVALID', { allOf: {} }],
    ['SCHEMA_INVALID', { items: 5 }],
    ['SCHEMA_INVALID', { $ref: 5 }],
    ['SCHEMA_INVALID', { default: () => 1 }],
    ['SCHEMA_INVALID', { enum: 'a' }],
    ['SCHEMA_PATTERN_INVALID', { pattern: '(' }],
    ['SCHEMA_PATTERN_INVALID', { patternProperties: { '[': {} } }],
    ['SCHEMA_PATTERN_UNSAFE', { pattern: '^(a+)+$' }],
    ['SCHEMA_PATTERN_UNSAFE', { patternProperties: { '^(\\w+\\s?)*$': {} } }],
    ['SCHEMA_REF_UNRESOLVED', { $ref: '#/$defs/nothing' }],
    ['SCHEMA_REF_UNRESOLVED', { $ref: 'https://example.com/schema.json' }],
    ['SCHEMA_REF_UNRESOLVED', { $ref: '#/constructor' }],
    ['SCHEMA_REF_UNRESOLVED', { $ref: '#/__proto__' }],
    ['SCHEMA_REF_UNRESOLVED', { properties: { a: { $ref: '#nowhere' } } }],
    ['SCHEMA_REF_LOOP', { $ref: '#' }],
    ['SCHEMA_REF_LOOP', { allOf: [{ $ref: '#' }] }],
    ['SCHEMA_REF_LOOP', { anyOf: [{ type: 'string' }, { not: { $ref: '#' } }] }],
    ['SCHEMA_REF_LOOP', chain(3)],
    ['SCHEMA_TOO_LARGE', chain(30_000)],
    ['SCHEMA_TOO_LARGE', doubling(40)],
    ['SCHEMA_TOO_LARGE', nest(300, (inner) => ({ properties: { a: inner } }), {})],
    ['SCHEMA_TOO_LARGE', { enum: Array.from({ length: 200_000 }, (_, index) => index) }],
    ['SCHEMA_TOO_LARGE', cyclic],
  ])('is refused with %s', (code, schema) => {
    expect(codeOf(schema)).toBe(code);
  });

  it('is reported with its JSON Pointer', () => {
    const schema = { properties: { 'a/b': { items: { pattern: '(' } } } };
    expect(() => compileSchema(schema)).toThrow(/at #\/properties\/a~1b\/items\/pattern/);
  });

  it('has a listed code', () => {
    expect(schemaErrorCodes).toContain(codeOf({ type: 'text' }));
  });
});

describe('inherited key names', () => {
  const closed = {
    type: 'object',
    properties: { a: { type: 'string' } },
    required: ['a'],
    additionalProperties: false,
  };

  it.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf', '__proto__'])(
    'report %s as an unknown key',
    async (key) => {
      await compileSchema(closed).ready();
      const value: unknown = JSON.parse(`{"a":"x","${key}":1}`);
      expect(validate(closed, value)).toMatchObject({ ok: false, issues: [{ code: 'unknown_key' }] });
    },
  );

  it.each(['constructor', 'toString', '__proto__'])(
    'report %s as missing if it is required and not given',
    async (key) => {
      const schema = { type: 'object', required: [key] };
      await compileSchema(schema).ready();
      expect(validate(schema, {})).toMatchObject({ ok: false, issues: [{ code: 'required' }] });
      expect(validate(schema, JSON.parse(`{"${key}":1}`)).ok).toBe(true);
    },
  );

  it('validate __proto__ by its own schema and never set a prototype', async () => {
    const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"integer"},"n":{"type":"integer"}}}');
    await compileSchema(schema).ready();
    expect(validate(schema, JSON.parse('{"__proto__":"x"}')).ok).toBe(false);
    const result = validate(schema, JSON.parse('{"__proto__":"5","n":"6"}'));
    expect(JSON.stringify(result.value)).toBe('{"__proto__":5,"n":6}');
    expect(Object.getPrototypeOf(result.value)).toBe(Object.prototype);
  });
});

describe('integers and nulls', () => {
  it('refuses 5.5 as an integer and accepts 1.0, in both validators', async () => {
    const schema = { type: 'integer' };
    for (const value of [5.5, 1.0, 2 ** 60]) {
      const before = validate(schema, value);
      await compileSchema(schema).ready();
      expect(validate(schema, value)).toEqual(before);
      expect(before.ok).toBe(Number.isInteger(value));
    }
  });

  it('refuses NaN, infinities, functions and bigints as JSON values', () => {
    for (const value of [Number.NaN, Infinity, () => 1, 5n, Symbol('s')]) {
      expect(validate({ type: ['number', 'string', 'object'] }, value)).toMatchObject({ ok: false });
    }
  });
});

describe('hostile values', () => {
  const tree = {
    $ref: '#/$defs/node',
    $defs: {
      node: {
        anyOf: [
          { type: 'object', properties: { a: { $ref: '#/$defs/node' } }, required: ['a'], additionalProperties: false },
          { type: 'object', properties: { a: { $ref: '#/$defs/node' } }, required: ['a', 'b'] },
          { type: 'null' },
        ],
      },
    },
  };

  it('end in an issue, not in a crash, if nested too deep', async () => {
    await compileSchema(tree).ready();
    const deep = nest(50_000, (inner) => ({ a: inner }), null);
    expect(validate(tree, deep)).toMatchObject({ ok: false, issues: [{ code: 'limit' }] });
  });

  it('end in an issue if they contain themselves', () => {
    const loop: Record<string, unknown> = {};
    loop['a'] = loop;
    expect(validate(tree, loop).ok).toBe(false);
  });

  it("end in an issue if they overflow the stack of the library's validator", () => {
    const schema = z.object({
      get a() {
        return schema.nullable();
      },
    });
    const result = compileSchema(schema).validate(nest(100_000, (inner) => ({ a: inner }), null));
    expect(result).toMatchObject({ ok: false });
    expect((result as ValidationResult).issues.length).toBeGreaterThan(0);
  });

  it('take time in proportion to their depth through recursive unions', () => {
    const steps = (depth: number): number => {
      const started = process.cpuUsage().user;
      for (let round = 0; round < 20; round += 1)
        validate(
          tree,
          nest(depth, (inner) => ({ a: inner }), 5),
        );
      return process.cpuUsage().user - started;
    };
    steps(8);
    // Exponential growth would give a factor of 65,536.
    expect(steps(32)).toBeLessThan(200 * Math.max(steps(16), 1000));
  });

  it('report at most a thousand issues', () => {
    const schema = { type: 'array', items: { type: 'integer' } };
    expect(
      validate(
        schema,
        Array.from({ length: 999 }, () => 'x'),
      ).issues,
    ).toHaveLength(999);
    expect(
      validate(
        schema,
        Array.from({ length: 5000 }, () => 'x'),
      ).issues,
    ).toHaveLength(1000);
  });

  it('are shown in at most 60 characters and never cut inside a character', () => {
    for (const value of ['😀'.repeat(100), `a${'😀'.repeat(100)}`, { ['k'.repeat(500)]: 1 }, 'x'.repeat(1_000_000)]) {
      const received = validate({ type: 'integer' }, value).issues[0]?.received ?? '';
      expect(received.length).toBeLessThanOrEqual(60);
      expect(received.isWellFormed()).toBe(true);
    }
  });
});
