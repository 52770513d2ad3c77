import { indexOfChoices } from '../values/choice-index.ts';
import type { CoerceContext } from './coerce-context.ts';
import type { CoercionCode } from './coercion.ts';
import { parseNumber } from '../values/json-in-text.ts';
import type { JsonSchemaObject } from '../json-schema.ts';

/**
 * The scalar a string stands for, when the schema refuses the string and exactly one reading of it fits:
 * an enum value in another case, a number, a boolean. Anything but a string stays as it is.
 */
export function coerceScalar(
  context: CoerceContext,
  schema: JsonSchemaObject,
  value: unknown,
): { readonly value: unknown; readonly code: CoercionCode } | undefined {
  if (typeof value !== 'string' || value.length > 1000) return undefined;
  const recased = findRecased(schema, value);
  if (recased !== undefined && context.accepts(schema, recased)) return { value: recased, code: 'enum_case' };
  // Where a string is accepted in principle, the string is what was meant, however wrong.
  if (acceptsStrings(schema)) return undefined;
  const text = value.trim();
  const number = parseNumber(text);
  if (number !== undefined && isLimited(schema) && context.accepts(schema, number)) {
    return { value: number, code: 'number_parsed' };
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

/** Whether the type of a schema takes strings. */
export function acceptsStrings(schema: JsonSchemaObject): boolean {
  return schema.type === 'string' || (Array.isArray(schema.type) && schema.type.includes('string'));
}

/** Whether the schema itself says which scalars it takes; a schema that refuses for other reasons is no hint. */
function isLimited(schema: JsonSchemaObject): boolean {
  return schema.type !== undefined || schema.enum !== undefined || Object.hasOwn(schema, 'const');
}
