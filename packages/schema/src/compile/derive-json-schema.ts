import { copySchema } from '../document/copy-schema.ts';
import { isRecord } from '../json-value.ts';
import type { SchemaDocument } from '../document/schema-document.ts';
import { readSchema } from '../document/read-schema.ts';
import type { StandardSchema } from '../libraries/standard-schema.ts';
import { isZod3Schema, zod3JsonSchema } from '../libraries/zod3-json-schema.ts';
import { isZodPart, zodCoreJsonSchema } from '../libraries/zod-core-json-schema.ts';

/**
 * Derives the JSON Schema that a library's schema offers for its input. Parts that JSON Schema cannot express accept
 * any value. Returns `true` for a library without JSON Schema; then only the library's own validator explains refusals.
 */
export function deriveJsonSchema(schema: StandardSchema): SchemaDocument {
  const convert = schema['~standard'].jsonSchema?.input;
  if (typeof convert !== 'function') return deriveFromDefinition(schema);
  for (const libraryOptions of [undefined, { unrepresentable: 'any' }]) {
    for (const target of ['draft-2020-12', 'draft-07']) {
      try {
        return readSchema(copySchema(withoutDialect(convert({ target, libraryOptions }))), 'trusted');
      } catch {
        // Each attempt is more lenient than the one before. The last returns a schema that accepts any value.
      }
    }
  }
  return readSchema(true);
}

/** Derives a JSON Schema from the internal definition of a library that offers none. */
function deriveFromDefinition(schema: StandardSchema): SchemaDocument {
  try {
    if (isZodPart(schema)) return readSchema(copySchema(zodCoreJsonSchema(schema)), 'trusted');
    if (isZod3Schema(schema)) return readSchema(copySchema(zod3JsonSchema(schema)), 'trusted');
  } catch {
    // A schema that accepts any value is better than no schema.
  }
  return readSchema(true);
}

function withoutDialect(schema: unknown): unknown {
  if (!isRecord(schema)) return schema;
  const { $schema, ...rest } = schema;
  return typeof $schema === 'string' && $schema.includes('draft-07') ? schema : rest;
}
