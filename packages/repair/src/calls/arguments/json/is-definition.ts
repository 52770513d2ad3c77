import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/result/json-value.ts';
import { createShape } from '../../../json/result/shape.ts';
import type { CallableTool } from '../../contract/callable-tool.ts';

const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'number', 'boolean', 'array', 'object', 'null']);

/** Whether an object says what a tool is: a description stands beside its parameters, or these are a JSON Schema. */
export function isDefinition(
  holder: JsonObject,
  value: JsonValue | undefined,
  tool: CallableTool | undefined,
): boolean {
  if (!isJsonObject(value ?? null)) return false;
  if (typeof holder['description'] === 'string') return true;
  const members = value as JsonObject;
  const shape = tool?.parameters === undefined ? undefined : createShape(tool.parameters);
  const isOwn = (key: string): boolean => shape?.hasMember(key) === true;
  const { type, properties } = members;
  if (TYPES.has(type) && isJsonObject(properties ?? null) && !(isOwn('type') && isOwn('properties'))) return true;
  const keys = Object.keys(members);
  return (
    keys.length > 0 && keys.every((key) => isTyped(members[key]) && shape?.member(key)?.kinds?.has('object') !== true)
  );
}

/** `{"type": "string", …}` */
function isTyped(value: JsonValue | undefined): boolean {
  return isJsonObject(value ?? null) && TYPES.has((value as JsonObject)['type']);
}
