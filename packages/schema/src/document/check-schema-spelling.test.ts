import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../json-schema.ts';
import { SchemaError } from '../schema-error.ts';
import { checkSchemaSpelling } from './check-schema-spelling.ts';

function problemOf(schema: unknown): string | undefined {
  try {
    checkSchemaSpelling(schema as JsonSchema);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(SchemaError);
    expect((error as SchemaError).code).toBe('SCHEMA_INVALID');
    return (error as Error).message;
  }
}

const withCity = (city: object) => ({ type: 'object', properties: { city } });

describe('checkSchemaSpelling', () => {
  it.each([
    ['propertys', 'properties'],
    ['proprties', 'properties'],
    ['requried', 'required'],
    ['additionalproperties', 'additionalProperties'],
    ['minimun', 'minimum'],
    ['minlength', 'minLength'],
    ['types', 'type'],
    ['enums', 'enum'],
    ['oneof', 'oneOf'],
    ['item', 'items'],
    ['desciption', 'description'],
  ])('takes %s for %s', (keyword, meant) => {
    const problem = `"${keyword}" is not a keyword of JSON Schema (did you mean "${meant}"?)`;
    expect(problemOf({ type: 'object', [keyword]: {} })).toBe(problem);
    expect(problemOf(withCity({ [keyword]: {} }))).toBe(`${problem} (at #/properties/city)`);
    expect(problemOf({ anyOf: [{ items: { [keyword]: 1 } }] })).toBe(`${problem} (at #/anyOf/0/items)`);
  });

  it.each([
    ['keywords of other versions and of OpenAPI', { id: 'x', example: 1, nullable: true, dependencies: {}, xml: {} }],
    ['keywords of other programs', { 'x-order': 1, markdownDescription: 'd', errorMessage: 'e', propertyOrdering: [] }],
    ['short words and words of their own', { note: 'n', when: 'w', samples: [], is: 1, unit: 'ms', label: 'l' }],
    ['names of properties', { type: 'object', properties: { minimun: {}, propertys: {}, types: {} } }],
    ['plain data', { enum: [{ types: 1 }], default: { minimun: 2 }, const: { requried: 1 }, examples: [{ types: 1 }] }],
  ])('accepts %s', (_, schema) => {
    expect(problemOf(schema)).toBeUndefined();
  });

  it('finds a required name that is not declared', () => {
    expect(problemOf({ ...withCity({}), required: ['city', 'citty'] })).toBe(
      'required contains "citty", but properties lacks it (did you mean "city"?)',
    );
    expect(problemOf({ type: 'object', properties: { a: { ...withCity({}), required: ['day'] } } })).toBe(
      'required contains "day", but properties lacks it (declare it there) (at #/properties/a)',
    );
  });

  it.each([
    { ...withCity({}), required: ['city'] },
    { type: 'object', required: ['citty'] },
    { ...withCity({}), required: ['citty'], additionalProperties: true },
    { ...withCity({}), required: ['citty'], additionalProperties: { type: 'string' } },
    { ...withCity({}), required: ['citty'], patternProperties: { '^c': {} } },
    { ...withCity({}), required: ['citty'], allOf: [{ properties: { citty: {} } }] },
    { ...withCity({}), anyOf: [{ required: ['city'] }, { properties: {}, required: ['city'] }] },
    { $defs: { base: { properties: { a: {} }, required: ['b'] } }, $ref: '#/$defs/base' },
  ])('accepts a required name that may be declared elsewhere: %j', (schema) => {
    expect(problemOf(schema)).toBeUndefined();
  });
});
