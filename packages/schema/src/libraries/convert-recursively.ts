import type { JsonSchema, JsonSchemaObject } from '../json-schema.ts';
import { setOwn } from '../json-value.ts';

/**
 * Converts a schema recursively into JSON Schema. A schema that occurs inside itself becomes a definition, and each
 * occurrence a reference to it.
 */
export function convertRecursively<Part extends object>(
  root: Part,
  convert: (part: Part, inner: (part: Part) => JsonSchemaObject) => JsonSchemaObject,
): JsonSchemaObject {
  const open = new Map<Part, { name: string | undefined }>();
  const definitions: Record<string, JsonSchema> = {};
  let count = 0;

  function inner(part: Part): JsonSchemaObject {
    const known = open.get(part);
    if (known !== undefined) {
      if (known.name === undefined) {
        known.name = `part${count}`;
        count += 1;
      }
      return { $ref: `#/$defs/${known.name}` };
    }
    const entry: { name: string | undefined } = { name: undefined };
    open.set(part, entry);
    const schema = convert(part, inner);
    open.delete(part);
    if (entry.name === undefined) return schema;
    setOwn(definitions, entry.name, schema);
    return { $ref: `#/$defs/${entry.name}` };
  }

  const schema = inner(root);
  return count === 0 ? schema : { ...schema, $defs: definitions };
}
