import { copySchema } from './copy-schema.ts';
import { isRecord } from './json-value.ts';
import type { SchemaDocument } from './schema-document.ts';
import { readSchema } from './schema-document.ts';
import type { StandardSchema } from './standard-schema.ts';

/**
 * The JSON Schema that a vendor's schema offers for its input. Parts that JSON Schema cannot express accept anything;
 * a schema that offers none at all gets `true`, and its refusals are then all its own.
 */
export function deriveJsonSchema(schema: StandardSchema): SchemaDocument {
  const convert = schema['~standard'].jsonSchema?.input;
  if (typeof convert !== 'function') return readSchema(true);
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

function withoutDialect(schema: unknown): unknown {
  if (!isRecord(schema)) return schema;
  const { $schema, ...rest } = schema;
  return typeof $schema === 'string' && $schema.includes('draft-07') ? schema : rest;
}
