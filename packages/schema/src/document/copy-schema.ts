import type { JsonSchema } from '../json-schema.ts';
import { isRecord, setOwn } from '../json-value.ts';
import { SchemaError } from '../schema-error.ts';
import { isStandardSchema } from '../libraries/standard-schema.ts';
import { isOldZodSchema } from '../libraries/old-zod-schema.ts';

/** Deepest nesting of JSON in a schema. */
export const maxSchemaDepth = 256;
/** Most JSON values in a schema. */
export const maxSchemaNodes = 100_000;

/**
 * Copies a schema to plain frozen JSON, so that nothing its owner does later changes what was compiled.
 * Keeps every keyword, known or not, and the order of keys. Throws `SCHEMA_INVALID` for what JSON cannot hold
 * and `SCHEMA_TOO_LARGE` for bombs (which is also where a cyclic object ends).
 */
export function copySchema(input: unknown): JsonSchema {
  let nodes = 0;

  function copy(value: unknown, path: string, depth: number): unknown {
    nodes += 1;
    if (nodes > maxSchemaNodes) {
      throw new SchemaError('SCHEMA_TOO_LARGE', `The schema holds more than ${maxSchemaNodes} values.`);
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
      throw new SchemaError('SCHEMA_INVALID', `A JSON Schema cannot hold ${nameOf(value)}`, path);
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

/** A schema of a library where JSON is wanted: mostly a shape that nobody made an object schema of. */
function refuseLibrarySchema(path: string, depth: number): SchemaError {
  return depth === 1
    ? new SchemaError(
        'SCHEMA_NOT_RECOGNISED',
        'An object of schemas is no schema itself: make one of it first, for instance with z.object({ … })',
        path,
      )
    : new SchemaError('SCHEMA_INVALID', 'A JSON Schema cannot hold a schema of a library', path);
}

function nameOf(value: unknown): string {
  return typeof value === 'object'
    ? `an object of its own kind (${Object.prototype.toString.call(value).slice(8, -1)})`
    : `a ${typeof value}`;
}

/** One key as a JSON pointer token. */
export function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
