import { copySchema } from '../document/copy-schema.ts';
import type { SchemaDocument } from '../document/schema-document.ts';
import type { JsonSchema, JsonSchemaObject } from '../json-schema.ts';
import type { JsonRecord } from '../json-value.ts';
import { isRecord, setOwn } from '../json-value.ts';
import { changeObjects } from './change-objects.ts';

/** What happens to keys of an object whose schema declares properties and does not mention further keys. */
export type UndeclaredKeys = 'strip' | 'keep' | 'refuse';

/** Keywords that give further keys a meaning, or that divide the declaration of an object. */
const speaking = [
  'additionalProperties',
  'unevaluatedProperties',
  'patternProperties',
  'propertyNames',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'not',
  '$ref',
  '$dynamicRef',
  'dependentSchemas',
  'minProperties',
] as const;

/** Whether a schema declares properties and does not mention further keys. */
function isSilent(schema: JsonSchemaObject): boolean {
  return schema.properties !== undefined && !speaking.some((keyword) => Object.hasOwn(schema, keyword));
}

/** Removes the undeclared keys of objects whose schema says nothing about them. */
export function stripUndeclared(document: SchemaDocument, value: unknown): unknown {
  return changeObjects(document, value, (schema, object, _twin, isPart) => {
    if (isPart || !isSilent(schema)) return object;
    const declared = Object.keys(object).filter((key) => Object.hasOwn(schema.properties!, key));
    if (declared.length === Object.keys(object).length) return object;
    const result: Record<string, unknown> = {};
    for (const key of declared) setOwn(result, key, object[key]);
    return result;
  });
}

/** Adds the undeclared keys that a library's validator removed, from the value that it validated. */
export function restoreUndeclared(document: SchemaDocument, output: unknown, given: unknown): unknown {
  return changeObjects(
    document,
    output,
    (schema, object, twin, isPart) => {
      if (isPart || !isSilent(schema) || !isRecord(twin)) return object;
      let result: Record<string, unknown> | undefined;
      for (const key of Object.keys(twin)) {
        if (Object.hasOwn(schema.properties!, key) || Object.hasOwn(object, key)) continue;
        setOwn((result ??= { ...object }), key, twin[key]);
      }
      return result ?? object;
    },
    given,
  );
}

/** Returns a copy of a schema in which objects refuse undeclared keys, unless the schema says otherwise. */
export function closeSchema(root: JsonSchema): JsonSchema {
  // A definition may describe an object together with other schemas, which declare further keys.
  return copySchema(close(root, false, !JSON.stringify(root).includes('"allOf":')));
}

/** @param isPart whether another schema describes the same object, so that its keys are not all declared here. */
function close(schema: unknown, isPart: boolean, closesDefinitions: boolean): unknown {
  if (Array.isArray(schema)) return schema.map((item) => close(item, isPart, closesDefinitions));
  if (!isRecord(schema)) return schema;
  const closed: Record<string, unknown> = {};
  for (const [keyword, member] of Object.entries(schema)) {
    const isMap = keyword === 'properties' || (closesDefinitions && (keyword === '$defs' || keyword === 'definitions'));
    const isUnion = keyword === 'anyOf' || keyword === 'oneOf';
    if (isMap && isRecord(member)) setOwn(closed, keyword, closeMembers(member, closesDefinitions));
    else if (keyword === 'items' || keyword === 'prefixItems')
      setOwn(closed, keyword, close(member, false, closesDefinitions));
    else if (isUnion)
      setOwn(closed, keyword, close(member, isPart || schema['properties'] !== undefined, closesDefinitions));
    else setOwn(closed, keyword, member);
  }
  return !isPart && isSilent(schema) ? { ...closed, additionalProperties: false } : closed;
}

function closeMembers(members: JsonRecord, closesDefinitions: boolean): JsonRecord {
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(members)) setOwn(result, key, close(members[key], false, closesDefinitions));
  return result;
}
