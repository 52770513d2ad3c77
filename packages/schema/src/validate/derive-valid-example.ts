import { checkValue } from './check-value.ts';
import { typesOf } from '../issues/describe-expected.ts';
import { formatExamples } from '../patterns/formats.ts';
import type { JsonSchema, JsonSchemaObject, JsonType } from '../json-schema.ts';
import { isRecord, setOwn } from '../json-value.ts';
import type { SchemaDocument } from '../document/schema-document.ts';

const longest = 120;
const maxTried = 200;
const derived = new WeakMap<JsonSchemaObject, { readonly example: string | undefined }>();

/**
 * Returns JSON text of a small value that the schema accepts: one of its own `examples`, `default` or choices, or one
 * built from types and bounds. Returns `undefined` if none is found or it would be long. The example is validated.
 * Cached.
 */
export function deriveValidExample(document: SchemaDocument, schema: JsonSchema): string | undefined {
  if (typeof schema === 'boolean') return undefined;
  const known = derived.get(schema) ?? { example: findExample(document, schema) };
  derived.set(schema, known);
  return known.example;
}

function findExample(document: SchemaDocument, schema: JsonSchema): string | undefined {
  let tried = 0;
  for (const candidate of candidatesFor(document, schema, 0)) {
    tried += 1;
    if (tried > maxTried) return undefined;
    const text = JSON.stringify(candidate);
    if (text !== undefined && text.length <= longest && checkValue(document, schema, candidate)) return text;
  }
  return undefined;
}

function* candidatesFor(document: SchemaDocument, schema: JsonSchema, depth: number): Generator {
  if (typeof schema === 'boolean' || depth > 4) return;
  if (Object.hasOwn(schema, 'const')) yield schema.const;
  if (schema.examples !== undefined && Array.isArray(schema.examples)) yield* schema.examples.slice(0, 3);
  if (schema.default !== undefined && schema.default !== null) yield schema.default;
  if (schema.enum !== undefined) yield* schema.enum.slice(0, 3);
  if (schema.$ref !== undefined) yield* candidatesFor(document, document.target(schema, '$ref'), depth + 1);
  for (const branch of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].slice(0, 8)) {
    yield* candidatesFor(document, branch, depth + 1);
  }
  const types = typesOf(schema);
  const implied: readonly JsonType[] = schema.properties === undefined ? [] : ['object'];
  for (const type of types.length > 0 ? types : implied) yield* candidatesOfType(document, schema, type, depth);
}

function* candidatesOfType(
  document: SchemaDocument,
  schema: JsonSchemaObject,
  type: JsonType,
  depth: number,
): Generator {
  switch (type) {
    case 'string':
      yield schema.format !== undefined && Object.hasOwn(formatExamples, schema.format)
        ? formatExamples[schema.format]
        : 'text'.padEnd(Math.min(schema.minLength ?? 0, longest), 'x').slice(0, schema.maxLength);
      return;
    case 'integer':
    case 'number':
      yield* numbersNear(schema);
      return;
    case 'boolean':
      yield true;
      return;
    case 'array':
      yield exampleArray(document, schema, depth);
      return;
    case 'object':
      yield exampleObject(document, schema, depth);
      return;
    default:
      return;
  }
}

function* numbersNear(schema: JsonSchemaObject): Generator<number> {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  yield 1;
  if (minimum !== undefined) yield minimum;
  if (exclusiveMinimum !== undefined) yield exclusiveMinimum + 1;
  if (maximum !== undefined) yield maximum;
  if (exclusiveMaximum !== undefined) yield exclusiveMaximum - 1;
  if (multipleOf !== undefined) yield Math.max(1, Math.ceil((minimum ?? 0) / multipleOf)) * multipleOf;
  if (exclusiveMinimum !== undefined && exclusiveMaximum !== undefined) yield (exclusiveMinimum + exclusiveMaximum) / 2;
}

function exampleArray(document: SchemaDocument, schema: JsonSchemaObject, depth: number): unknown[] {
  const tuple: readonly JsonSchema[] = Array.isArray(schema.items) ? schema.items : (schema.prefixItems ?? []);
  if (tuple.length > 0) return tuple.map((item) => firstCandidate(document, item, depth));
  const item = Array.isArray(schema.items) ? undefined : (schema.items as JsonSchema | undefined);
  const count = Math.min(Math.max(schema.minItems ?? 1, 1), schema.maxItems ?? Infinity, 10);
  return Array.from({ length: count }, () => (item === undefined ? 'text' : firstCandidate(document, item, depth)));
}

function exampleObject(document: SchemaDocument, schema: JsonSchemaObject, depth: number): unknown {
  const example: Record<string, unknown> = {};
  for (const key of schema.required ?? []) {
    const { properties } = schema;
    const member = isRecord(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
    setOwn(example, key, member === undefined ? 'text' : firstCandidate(document, member, depth));
  }
  return example;
}

function firstCandidate(document: SchemaDocument, schema: JsonSchema, depth: number): unknown {
  for (const candidate of candidatesFor(document, schema, depth + 1)) {
    if (checkValue(document, schema, candidate)) return candidate;
  }
  return undefined;
}
