import { indexOfChoices } from '../values/choice-index.ts';
import type { CoerceContext } from './coerce-context.ts';
import type { CoercionCode } from './coercion.ts';
import { parseNumber } from '../values/json-in-text.ts';
import type { JsonSchemaObject } from '../json-schema.ts';

/**
 * Returns the scalar that a string means if the schema refuses the string and exactly one reading fits: an enum value
 * in another case, a number or a boolean. Returns any other value unchanged.
 */
export function coerceScalar(
  context: CoerceContext,
  schema: JsonSchemaObject,
  value: unknown,
): { readonly value: unknown; readonly code: CoercionCode } | undefined {
  if (typeof value !== 'string' || value.length > 1000) return undefined;
  const recased = findRecased(schema, value);
  if (recased !== undefined && context.accepts(schema, recased)) return { value: recased, code: 'enum_case' };
  // If strings are accepted, the model meant the string, even if it breaks a limit.
  if (acceptsStrings(schema)) return undefined;
  const text = value.trim();
  const number = parseNumber(text);
  if (number !== undefined && isLimited(schema) && context.accepts(schema, number)) {
    return { value: number, code: 'number_parsed' };
  }
  if (
    /^(?:null|none|nil)$/i.test(text) &&
    isLimited(schema) &&
    !listsStrings(schema) &&
    context.accepts(schema, null)
  ) {
    return { value: null, code: 'null_parsed' };
  }
  const truth = /^true$/i.test(text) ? true : /^false$/i.test(text) ? false : undefined;
  if (truth !== undefined && isLimited(schema) && context.accepts(schema, truth)) {
    return { value: truth, code: 'boolean_parsed' };
  }
  return undefined;
}

function findRecased(schema: JsonSchemaObject, value: string): string | undefined {
  if (schema.enum !== undefined && !Object.hasOwn(schema, 'const'))
    return indexOfChoices(schema.enum).findRecased(value);
  const only = schema.const;
  return typeof only === 'string' && only.trim().toLowerCase() === value.trim().toLowerCase() ? only : undefined;
}

function listsStrings({ enum: choices = [] }: JsonSchemaObject): boolean {
  return choices.some((choice) => typeof choice === 'string');
}

/** Whether the type of a schema includes strings. */
export function acceptsStrings(schema: JsonSchemaObject): boolean {
  return schema.type === 'string' || (Array.isArray(schema.type) && schema.type.includes('string'));
}

/**
 * Whether the schema names the scalars that it accepts. Returns false if the schema refuses the value for another
 * reason.
 */
function isLimited(schema: JsonSchemaObject): boolean {
  return schema.type !== undefined || schema.enum !== undefined || Object.hasOwn(schema, 'const');
}
