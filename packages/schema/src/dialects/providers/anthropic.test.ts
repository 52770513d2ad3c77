import { describe, expect, it } from 'vitest';
import type { DialectName, JsonSchemaObject } from '../../index.ts';
import { toDialect } from '../../index.ts';
import { linesOf } from '../fixtures/lower.ts';

const rooted: readonly DialectName[] = ['openai', 'anthropic', 'mistral'];

describe.each(rooted)('%s', (name) => {
  it('keeps a schema with an object at its root unchanged', () => {
    const schema: JsonSchemaObject = {
      type: 'object',
      properties: { a: { oneOf: [{ type: 'string', minLength: 2 }, { type: 'integer' }] }, b: { $ref: '#/$defs/b' } },
      required: ['a'],
      $defs: { b: { not: { const: 1 } } },
    };
    const lowered = toDialect(schema, name);
    expect(lowered.schema).toEqual(schema);
    expect(lowered.lost).toEqual([]);
    const value = { a: 1 };
    expect(lowered.raise(value)).toBe(value);
    expect(lowered.lower(value)).toBe(value);
  });

  it.each<[JsonSchemaObject, string]>([
    [{ type: 'array', items: { type: 'string' } }, 'a list'],
    [{ enum: ['a'] }, 'a value'],
    [
      {
        anyOf: [
          { type: 'object', properties: { a: {} } },
          { type: 'object', properties: { b: {} } },
        ],
      },
      'a union',
    ],
    [{ type: ['object', 'null'] }, 'an object or null'],
    [{ allOf: [{ type: 'object' }] }, 'a combination'],
  ])('wraps %j, which is %s', (schema) => {
    const lowered = toDialect(schema, name);
    expect(lowered.schema).toMatchObject({ type: 'object', properties: { value: schema }, required: ['value'] });
    expect(lowered.raise({ value: ['a'] })).toEqual(['a']);
    expect(lowered.raise({ other: 1 })).toEqual({ other: 1 });
    expect(lowered.lower(['a'])).toEqual({ value: ['a'] });
    expect(lowered.lost).toEqual([]);
  });

  it('keeps references correct inside a wrapped root', () => {
    const lowered = toDialect(
      { type: 'array', items: { $ref: '#/$defs/a/properties/b' }, $defs: { a: { properties: { b: { $ref: '#' } } } } },
      name,
    );
    expect(lowered.schema).toEqual({
      type: 'object',
      properties: { value: { type: 'array', items: { $ref: '#/$defs/a/properties/b' } } },
      required: ['value'],
      additionalProperties: false,
      $defs: { a: { properties: { b: { $ref: '#/properties/value' } } } },
    });
  });

  it('drops keywords at the root that only restrict combinations of keys', () => {
    const lowered = toDialect(
      { type: 'object', properties: { a: {}, b: {} }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      name,
    );
    expect(lowered.schema).toEqual({ type: 'object', properties: { a: {}, b: {} } });
    expect(linesOf(lowered)).toEqual(['wider # anyOf']);
  });

  it('follows a root that is a reference, and treats one without a type as an object', () => {
    const lowered = toDialect(
      { $ref: '#/definitions/a', definitions: { a: { properties: { self: { $ref: '#/definitions/a' } } } } },
      name,
    );
    expect(lowered.schema).toEqual({ type: 'object', properties: { self: { $ref: '#' } } });
    expect(linesOf(lowered)).toEqual(['narrower #/definitions/a type']);
  });

  it('treats an empty root as any object', () => {
    for (const schema of [true, {}, { description: 'What?' }]) {
      expect(toDialect(schema, name).schema).toMatchObject({ type: 'object', properties: {} });
    }
  });

  it('adds properties to every root and removes identifiers', () => {
    expect(toDialect({ $schema: 'x:y', $id: 'urn:z', type: 'object' }, name).schema).toEqual({
      type: 'object',
      properties: {},
    });
  });
});

describe('openai and mistral', () => {
  it.each<[JsonSchemaObject, JsonSchemaObject]>([
    [{ type: 'array' }, { type: 'array', items: {} }],
    [
      { type: 'array', items: true },
      { type: 'array', items: {} },
    ],
    [
      { type: 'array', prefixItems: [{ type: 'string' }], items: false },
      { type: 'array', prefixItems: [{ type: 'string' }], maxItems: 1, items: {} },
    ],
  ])('declares the type of the items of %j', (part, lowered) => {
    for (const name of ['openai', 'mistral'] as const) {
      expect(toDialect({ type: 'object', properties: { x: part } }, name).schema.properties?.['x']).toEqual(lowered);
    }
  });
});

describe('anthropic', () => {
  it('renames keys to the allowed form at every level, and back', () => {
    const schema: JsonSchemaObject = {
      type: 'object',
      properties: {
        $top: { type: 'integer' },
        list: { type: 'array', items: { properties: { 'a b': {} }, required: ['a b'] } },
      },
      required: ['$top'],
      dependentRequired: { $top: ['list'] },
    };
    const lowered = toDialect(schema, 'anthropic');
    expect(lowered.schema).toEqual({
      type: 'object',
      properties: {
        _top: { type: 'integer' },
        list: { type: 'array', items: { properties: { a_b: {} }, required: ['a_b'] } },
      },
      required: ['_top'],
      dependentRequired: { _top: ['list'] },
    });
    expect(lowered.raise({ _top: 1, list: [{ a_b: 2 }] })).toEqual({ $top: 1, list: [{ 'a b': 2 }] });
  });
});
