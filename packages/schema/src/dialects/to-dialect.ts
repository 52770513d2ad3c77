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
 * Lowers a schema to what a vendor's API takes, says what was lost on the way, and gives the way back for the answers:
 * show the model `schema`, `raise` what it answers, then validate by the original. Takes the name of a dialect or one of
 * your own; a zod or other Standard Schema is lowered by its JSON Schema. Remembered by identity.
 *
 * @throws SchemaError when the schema itself cannot be used, or no dialect has the name (`DIALECT_UNKNOWN`).
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
  throw new SchemaError('DIALECT_UNKNOWN', `No dialect is called ${JSON.stringify(name)}; there are ${names}`);
}
