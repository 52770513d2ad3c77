import type { JsonSchemaObject } from '../json-schema.ts';
import { escapePointer } from './copy-schema.ts';
import { isRecord } from '../json-value.ts';
import { SchemaError } from '../schema-error.ts';

/** Keywords whose value is one schema. */
export const schemaKeywords: readonly string[] = [
  'additionalProperties',
  'propertyNames',
  'additionalItems',
  'contains',
  'unevaluatedProperties',
  'unevaluatedItems',
  'not',
  'if',
  'then',
  'else',
];

/** Keywords whose value is a list of schemas. */
export const schemaListKeywords: readonly string[] = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];

/** Keywords whose value is an object of schemas. */
export const schemaMapKeywords: readonly string[] = [
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
];

type Form = readonly [isRight: (value: unknown) => boolean, phrase: string];

const jsonTypes = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;
const isTextList = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

const count: Form = [isCount, 'a whole number of at least 0'];
const number: Form = [isNumber, 'a number'];
const text: Form = [isText, 'a string'];

const forms: Readonly<Record<string, Form>> = {
  $schema: text,
  $id: text,
  $ref: text,
  $anchor: text,
  $dynamicRef: text,
  $dynamicAnchor: text,
  type: [
    (value) => {
      const names: readonly unknown[] = Array.isArray(value) ? value : [value];
      return names.length > 0 && names.every((name) => typeof name === 'string' && jsonTypes.has(name));
    },
    'a JSON type or a list of them',
  ],
  enum: [Array.isArray, 'a list'],
  required: [isTextList, 'a list of strings'],
  pattern: text,
  format: text,
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: [(value) => typeof value === 'number' && value > 0, 'a number above 0'],
  minLength: count,
  maxLength: count,
  minItems: count,
  maxItems: count,
  minProperties: count,
  maxProperties: count,
  minContains: count,
  maxContains: count,
  uniqueItems: [(value) => typeof value === 'boolean', 'a boolean'],
  dependentRequired: [
    (value) => isRecord(value) && Object.values(value).every(isTextList),
    'an object of lists of strings',
  ],
  dependencies: [isRecord, 'an object'],
  ...Object.fromEntries(schemaListKeywords.map((keyword): [string, Form] => [keyword, [Array.isArray, 'a list']])),
  ...Object.fromEntries(schemaMapKeywords.map((keyword): [string, Form] => [keyword, [isRecord, 'an object']])),
};

/** Throws `SCHEMA_INVALID` if a keyword of this schema object has an invalid value. */
export function checkSchemaForm(schema: JsonSchemaObject, pointer: string): void {
  for (const keyword of Object.keys(schema)) {
    const form = Object.hasOwn(forms, keyword) ? forms[keyword] : undefined;
    if (form !== undefined && !form[0](schema[keyword])) {
      throw new SchemaError(
        'SCHEMA_INVALID',
        `"${keyword}" must be ${form[1]}`,
        `${pointer}/${escapePointer(keyword)}`,
      );
    }
  }
}

/** Returns every regular expression of a schema object, with its pointer. */
export function patternsOf(schema: JsonSchemaObject, pointer: string): (readonly [pattern: string, pointer: string])[] {
  const found: (readonly [string, string])[] = Object.keys(schema.patternProperties ?? {}).map((pattern) => [
    pattern,
    `${pointer}/patternProperties/${escapePointer(pattern)}`,
  ]);
  if (schema.pattern !== undefined) found.push([schema.pattern, `${pointer}/pattern`]);
  return found;
}
