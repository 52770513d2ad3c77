import type { JsonSchema } from '../json-schema.ts';
import { isRecord, setOwn } from '../json-value.ts';
import { SchemaError } from '../schema-error.ts';
import { isStandardSchema } from '../libraries/standard-schema.ts';
import { isOldZodSchema } from '../libraries/old-zod-schema.ts';

/** Maximum nesting depth of a schema. */
export const maxSchemaDepth = 256;
/** Maximum number of JSON values in a schema. */
export const maxSchemaNodes = 100_000;

/**
 * Copies a schema to plain frozen JSON, so that later changes by its owner have no effect. Keeps every keyword, known
 * or not, and the order of keys. Throws `SCHEMA_INVALID` for values that JSON cannot hold, and `SCHEMA_TOO_LARGE` for
 * schemas that are too large, deep or cyclic.
 */
export function copySchema(input: unknown): JsonSchema {
  let nodes = 0;

  function copy(value: unknown, path: string, depth: number): unknown {
    nodes += 1;
    if (nodes > maxSchemaNodes) {
      throw new SchemaError('SCHEMA_TOO_LARGE', `The schema contains more than ${maxSchemaNodes} values.`);
    }
    if (depth > maxSchemaDepth) {
      throw new SchemaError('SCHEMA_TOO_LARGE', `The schema is nested deeper than ${maxSchemaDepth} levels.`);
    }
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    if (Array.isArray(value)) {
      return Object.freeze(Array.from(value, (item, index) => copy(item, `${path}/${index}`, depth + 1)));
    }
    if (depth > 0 && (isStandardSchema(value) || isOldZodSchema(value))) throw refuseLibrarySchema(path, depth);
    if (!isRecord(value)) {
      throw new SchemaError('SCHEMA_INVALID', `A JSON Schema can't contain ${nameOf(value)}`, path);
    }
    const result: Record<string, unknown> = {};
    for (const key of Object.keys(value)) {
      const member = value[key];
      if (member !== undefined) setOwn(result, key, copy(member, `${path}/${escapePointer(key)}`, depth + 1));
    }
    return Object.freeze(result);
  }

  if (typeof input !== 'boolean' && !isRecord(input)) {
    throw new SchemaError(
      'SCHEMA_NOT_RECOGNISED',
      'Expected a zod schema, a Standard Schema or a JSON Schema (an object or a boolean).',
    );
  }
  return copy(input, '#', 0) as JsonSchema;
}

/** A library's schema where JSON is expected, usually an object of schemas that was not wrapped in an object schema. */
function refuseLibrarySchema(path: string, depth: number): SchemaError {
  return depth === 1
    ? new SchemaError(
        'SCHEMA_NOT_RECOGNISED',
        'an object of schemas is not a schema; wrap it, for example with z.object({ … })',
        path,
      )
    : new SchemaError('SCHEMA_INVALID', "A JSON Schema can't contain a schema of a library", path);
}

function nameOf(value: unknown): string {
  return typeof value === 'object'
    ? `an object that is not plain (${Object.prototype.toString.call(value).slice(8, -1)})`
    : `a ${typeof value}`;
}

/** Escapes one key as a JSON Pointer token. */
export function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
