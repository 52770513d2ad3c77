import type { CheckContext, Evaluated } from './check-context.ts';
import type { JsonSchema, JsonSchemaObject } from '../json-schema.ts';
import { isRecord, keysWithValues } from '../json-value.ts';
import type { Place } from '../value-path.ts';
import { reportUnknown } from './object-keywords.ts';

/**
 * Checks `unevaluatedProperties` and `unevaluatedItems`: keys and items that nothing else in this schema has evaluated.
 */
export function checkUnevaluated(
  context: CheckContext,
  schema: JsonSchemaObject,
  value: unknown,
  place: Place | undefined,
  evaluated: Evaluated,
): boolean {
  let isValid = true;
  const properties = schema['unevaluatedProperties'] as JsonSchema | undefined;
  if (properties !== undefined && isRecord(value)) {
    for (const key of keysWithValues(value)) {
      if (evaluated.keys.has(key)) continue;
      evaluated.keys.add(key);
      isValid =
        (properties === false
          ? reportUnknown(context, schema.properties, value, key, place)
          : context.check(properties, value[key], { parent: place, key })) && isValid;
    }
  }
  const items = schema['unevaluatedItems'] as JsonSchema | undefined;
  if (items !== undefined && Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      if (evaluated.items.has(index)) continue;
      evaluated.items.add(index);
      isValid = context.check(items, item, { parent: place, key: index }) && isValid;
    }
  }
  return isValid;
}
