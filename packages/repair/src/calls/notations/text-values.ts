import type { JsonSchema } from '../../json-schema.ts';
import { repairJson } from '../../json/document/repair-json.ts';
import type { JsonValue } from '../../json/result/json-value.ts';

const integerPattern = /^-?\d+$/;
const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const allTypes = ['null', 'boolean', 'integer', 'number', 'array', 'object', 'string'];

/**
 * Converts text to a value, for notations that write every argument as text. Uses the first type that the schema allows
 * and the text can represent. If only a string is allowed, returns the text unchanged. `unknown` converts text that no
 * schema declares.
 */
export function readTextValue(text: string, schema: JsonSchema | undefined, unknown: 'string' | 'json'): JsonValue {
  const declared = schema === undefined ? [] : typesOf(schema, 0);
  const types = declared.length > 0 ? declared : unknown === 'json' ? allTypes : ['string'];
  const trimmed = text.trim();
  const isOptionalString = types.includes('string');
  if (trimmed === '' && !isOptionalString && types.includes('array')) return [];
  if (trimmed === 'null' && (types.includes('null') || !isOptionalString)) return null;
  if (types.includes('boolean') && /^(?:true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === 'true';
  const isSafe = Number.isSafeInteger(Number(trimmed));
  if (types.includes('integer') && integerPattern.test(trimmed) && isSafe) return Number(trimmed);
  if (types.includes('number') && numberPattern.test(trimmed) && (isSafe || !integerPattern.test(trimmed)))
    return Number(trimmed);
  if ((types.includes('array') || types.includes('object')) && /^[[{(]/.test(trimmed)) {
    const result = repairJson(trimmed);
    const kind = result.ok && Array.isArray(result.value) ? 'array' : 'object';
    if (result.ok && result.complete && types.includes(kind) && typeof result.value === 'object') return result.value;
  }
  return text;
}

/** Returns whether `readTextValue` leaves every text unchanged. */
export function isOnlyText(schema: JsonSchema | undefined, unknown: 'string' | 'json'): boolean {
  const declared = schema === undefined ? [] : typesOf(schema, 0);
  return declared.length > 0 ? declared.every((type) => type === 'string') : unknown === 'string';
}

/** Returns whether a schema allows numbers and no text. */
export function isOnlyNumber(schema: JsonSchema): boolean {
  const declared = typesOf(schema, 0);
  return declared.some((type) => type === 'number' || type === 'integer') && !declared.includes('string');
}

/** Returns the types that a schema allows by its own keywords, or an empty list if it has none. */
function typesOf(schema: JsonSchema, depth: number): readonly string[] {
  if (typeof schema !== 'object' || depth > 4) return [];
  if (typeof schema.type === 'string') return [schema.type];
  if (Array.isArray(schema.type)) return schema.type.filter((type): type is string => typeof type === 'string');
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = schema[keyword];
    if (Array.isArray(branches)) return branches.flatMap((branch) => typesOf(branch as JsonSchema, depth + 1));
  }
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => (value === null ? 'null' : typeof value));
  return schema.const === undefined ? [] : [typeof schema.const];
}

/** Returns the schema of an argument, if the tool declares it. */
export function propertySchema(parameters: JsonSchema | undefined, key: string): JsonSchema | undefined {
  if (typeof parameters !== 'object' || typeof parameters.properties !== 'object') return undefined;
  const properties = parameters.properties as Readonly<Record<string, JsonSchema>>;
  return Object.hasOwn(properties, key) ? properties[key] : undefined;
}
