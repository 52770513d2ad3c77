import type { SchemaInput } from '../compile/compiled-schema.ts';
import { compileSchema } from '../compile/compile-schema.ts';
import { copySchema } from '../document/copy-schema.ts';
import type { Dialect, DialectSchema } from './definition/dialect.ts';
import type { DialectName } from './index.ts';
import { dialects } from './index.ts';
import { knownDocument, readSchema } from '../document/read-schema.ts';
import { SchemaError } from '../schema-error.ts';
import { isStandardSchema } from '../libraries/standard-schema.ts';
import { isOldZodSchema } from '../libraries/old-zod-schema.ts';

const remembered = new WeakMap<object, Map<Dialect, DialectSchema>>();

/**
 * Converts a schema for a provider's API, reports lost rules, and returns conversions for values: show the model
 * `schema`, `raise` its answer, then validate with the original. Takes the name of a dialect or your own dialect. Zod
 * and other Standard Schemas are converted by their JSON Schema. Cached by identity.
 *
 * @throws SchemaError if the schema cannot be used, or the dialect is unknown (`DIALECT_UNKNOWN`).
 */
export function toDialect(schema: SchemaInput, dialect: DialectName | Dialect): DialectSchema {
  const chosen = typeof dialect === 'string' ? dialectOf(dialect) : dialect;
  const input: unknown = isStandardSchema(schema) || isOldZodSchema(schema) ? compileSchema(schema).jsonSchema : schema;
  if (typeof input !== 'object' || input === null) return chosen.lower(readSchema(copySchema(input)));
  const known = remembered.get(input) ?? new Map<Dialect, DialectSchema>();
  remembered.set(input, known);
  const lowered = known.get(chosen) ?? chosen.lower(knownDocument(input) ?? readSchema(copySchema(input)));
  known.set(chosen, lowered);
  return lowered;
}

function dialectOf(name: string): Dialect {
  const found = Object.hasOwn(dialects, name) ? dialects[name as DialectName] : undefined;
  if (found !== undefined) return found;
  const names = Object.keys(dialects).join(', ');
  throw new SchemaError('DIALECT_UNKNOWN', `dialect: unknown name ${JSON.stringify(name)} (expected one of ${names})`);
}
