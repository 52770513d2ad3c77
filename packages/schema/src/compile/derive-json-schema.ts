import { copySchema } from '../document/copy-schema.ts';
import { isRecord } from '../json-value.ts';
import type { SchemaDocument } from '../document/schema-document.ts';
import { readSchema } from '../document/read-schema.ts';
import type { StandardSchema } from '../libraries/standard-schema.ts';
import { isZod3Schema, zod3JsonSchema } from '../libraries/zod3-json-schema.ts';
import { isZodPart, zodCoreJsonSchema } from '../libraries/zod-core-json-schema.ts';

/**
 * The JSON Schema that a vendor's schema offers for its input. Parts that JSON Schema cannot express accept anything;
 * a schema that offers none at all gets `true`, and its refusals are then all its own.
 */
export function deriveJsonSchema(schema: StandardSchema): SchemaDocument {
  const convert = schema['~standard'].jsonSchema?.input;
  if (typeof convert !== 'function') return deriveFromDefinition(schema);
  for (const libraryOptions of [undefined, { unrepresentable: 'any' }]) {
    for (const target of ['draft-2020-12', 'draft-07']) {
      try {
        return readSchema(copySchema(withoutDialect(convert({ target, libraryOptions }))), 'trusted');
      } catch {
        // The next way of asking is more forgiving; the last resort is a schema that explains nothing.
      }
    }
  }
  return readSchema(true);
}

/** From what is known of how a library's schemas are made, for those that offer no JSON Schema. */
function deriveFromDefinition(schema: StandardSchema): SchemaDocument {
  try {
    if (isZodPart(schema)) return readSchema(copySchema(zodCoreJsonSchema(schema)), 'trusted');
    if (isZod3Schema(schema)) return readSchema(copySchema(zod3JsonSchema(schema)), 'trusted');
  } catch {
    // A schema that explains nothing is better than none.
  }
  return readSchema(true);
}

function withoutDialect(schema: unknown): unknown {
  if (!isRecord(schema)) return schema;
  const { $schema, ...rest } = schema;
  return typeof $schema === 'string' && $schema.includes('draft-07') ? schema : rest;
}
