import { escapePointer } from './copy-schema.ts';
import type { JsonSchema, JsonSchemaObject } from '../json-schema.ts';
import { isRecord } from '../json-value.ts';
import { schemaKeywords, schemaListKeywords, schemaMapKeywords } from './check-schema-form.ts';

/** Yields every schema directly inside a schema object, with its pointer. */
export function* childSchemas(node: JsonSchemaObject): Generator<readonly [JsonSchema, string]> {
  for (const keyword of schemaKeywords) {
    if (Object.hasOwn(node, keyword)) yield [node[keyword] as JsonSchema, keyword];
  }
  for (const keyword of schemaListKeywords) yield* listed(node[keyword], keyword);
  if (Array.isArray(node.items)) yield* listed(node.items, 'items');
  else if (Object.hasOwn(node, 'items')) yield [node.items as JsonSchema, 'items'];
  for (const keyword of schemaMapKeywords) yield* named(node[keyword], keyword);
  for (const [child, at] of named(node['dependencies'], 'dependencies')) {
    if (!Array.isArray(child)) yield [child, at];
  }
}

function* listed(value: unknown, keyword: string): Generator<readonly [JsonSchema, string]> {
  if (Array.isArray(value)) for (const [index, child] of value.entries()) yield [child, `${keyword}/${index}`];
}

function* named(value: unknown, keyword: string): Generator<readonly [JsonSchema, string]> {
  if (!isRecord(value)) return;
  for (const key of Object.keys(value)) yield [value[key] as JsonSchema, `${keyword}/${escapePointer(key)}`];
}
