import type { SchemaDocument } from '../document/schema-document.ts';
import type { JsonSchema, JsonSchemaObject } from '../json-schema.ts';
import type { JsonRecord } from '../json-value.ts';
import { isRecord, setOwn } from '../json-value.ts';

const deepest = 100;

/**
 * Changes an object inside a value according to the schema that describes it. Returns the same object if nothing
 * changes.
 *
 * @param isPart whether other schemas describe the same object, so that they may declare further keys.
 */
export type ChangeObject = (schema: JsonSchemaObject, value: JsonRecord, twin: unknown, isPart: boolean) => JsonRecord;

/**
 * Applies a change to every object inside a value whose schema is certain: through `properties`, `items`, `allOf` and
 * `$ref`, and not through unions. Never modifies its input, and returns the same value if nothing changes.
 *
 * @param twin a second value of the same shape, whose parts are passed along.
 */
export function changeObjects(document: SchemaDocument, value: unknown, change: ChangeObject, twin?: unknown): unknown {
  return walk(document, document.root, value, change, twin, 0, false);
}

function walk(
  document: SchemaDocument,
  schema: JsonSchema | undefined,
  value: unknown,
  change: ChangeObject,
  twin: unknown,
  depth: number,
  isPart: boolean,
): unknown {
  if (typeof schema !== 'object' || depth > deepest) return value;
  let result = value;
  const hasParts = isPart || schema.properties !== undefined;
  if (schema.$ref !== undefined)
    result = walk(document, document.target(schema, '$ref'), result, change, twin, depth + 1, hasParts);
  for (const part of schema.allOf ?? []) result = walk(document, part, result, change, twin, depth + 1, true);
  if (Array.isArray(result)) return walkItems(document, schema, result, change, twin, depth);
  if (!isRecord(result)) return result;
  return walkMembers(document, schema, change(schema, result, twin, isPart), change, twin, depth);
}

function walkMembers(
  document: SchemaDocument,
  { properties }: JsonSchemaObject,
  value: JsonRecord,
  change: ChangeObject,
  twin: unknown,
  depth: number,
): JsonRecord {
  let result: Record<string, unknown> | undefined;
  for (const key of Object.keys(properties ?? {})) {
    if (!Object.hasOwn(value, key)) continue;
    const inner = isRecord(twin) && Object.hasOwn(twin, key) ? twin[key] : undefined;
    const changed = walk(document, properties![key], value[key], change, inner, depth + 1, false);
    if (changed !== value[key]) setOwn((result ??= { ...value }), key, changed);
  }
  return result ?? value;
}

function walkItems(
  document: SchemaDocument,
  { items }: JsonSchemaObject,
  value: readonly unknown[],
  change: ChangeObject,
  twin: unknown,
  depth: number,
): readonly unknown[] {
  if (items === undefined || Array.isArray(items)) return value;
  let result: unknown[] | undefined;
  for (const [index, item] of value.entries()) {
    const inner = Array.isArray(twin) ? (twin as readonly unknown[])[index] : undefined;
    const changed = walk(document, items as JsonSchema, item, change, inner, depth + 1, false);
    if (changed === item) continue;
    result ??= [...value];
    result[index] = changed;
  }
  return result ?? value;
}
