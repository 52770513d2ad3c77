import type { CheckContext, Evaluated } from './check-context.ts';
import type { JsonSchema, JsonSchemaObject } from '../json-schema.ts';
import { canonicalJson } from '../values/canonical-json.ts';
import type { Place } from '../value-path.ts';

/** Checks lengths, uniqueness, `contains`, and each item. */
export function checkArray(
  context: CheckContext,
  schema: JsonSchemaObject,
  value: readonly unknown[],
  place: Place | undefined,
  evaluated: Evaluated | undefined,
): boolean {
  let isValid = checkLength(context, schema, value, place);
  if (!isValid && !context.isCollecting) return false;
  isValid = checkItems(context, schema, value, place, evaluated) && isValid;
  if (schema['contains'] !== undefined) isValid = checkContains(context, schema, value, place, evaluated) && isValid;
  if (schema.uniqueItems === true) isValid = checkUnique(context, value, place) && isValid;
  return isValid;
}

function checkLength(
  context: CheckContext,
  schema: JsonSchemaObject,
  value: readonly unknown[],
  place: Place | undefined,
): boolean {
  const { minItems, maxItems } = schema;
  if (minItems !== undefined && value.length < minItems) {
    return context.report({ place, code: 'min_items', expected: `at least ${items(minItems)}`, value, schema });
  }
  if (maxItems !== undefined && value.length > maxItems) {
    return reportTooLong(context, schema, maxItems, value, place);
  }
  return true;
}

function reportTooLong(
  context: CheckContext,
  schema: JsonSchemaObject,
  most: number,
  value: readonly unknown[],
  place: Place | undefined,
): false {
  return context.report({ place, code: 'max_items', expected: `at most ${items(most)}`, value, schema });
}

function items(count: number): string {
  return count === 1 ? '1 item' : `${count} items`;
}

function checkItems(
  context: CheckContext,
  schema: JsonSchemaObject,
  value: readonly unknown[],
  place: Place | undefined,
  evaluated: Evaluated | undefined,
): boolean {
  const tuple: readonly JsonSchema[] = Array.isArray(schema.items) ? schema.items : (schema.prefixItems ?? []);
  const rest = Array.isArray(schema.items) ? schema['additionalItems'] : schema.items;
  let isValid = true;
  // A tuple that is too long is reported once, not once per extra item.
  if (rest === false && value.length > tuple.length) {
    if (schema.maxItems !== tuple.length) isValid = reportTooLong(context, schema, tuple.length, value, place);
    if (!context.isCollecting) return false;
    isValid = false;
  }
  for (const [index, item] of value.entries()) {
    if (index >= tuple.length && rest === false) break;
    const itemSchema = (index < tuple.length ? tuple[index] : rest) as JsonSchema | undefined;
    if (itemSchema === undefined) continue;
    evaluated?.items.add(index);
    if (itemSchema === true) continue;
    if (!context.check(itemSchema, item, { parent: place, key: index })) {
      if (!context.isCollecting) return false;
      isValid = false;
    }
  }
  return isValid;
}

function checkContains(
  context: CheckContext,
  schema: JsonSchemaObject,
  value: readonly unknown[],
  place: Place | undefined,
  evaluated: Evaluated | undefined,
): boolean {
  const contains = schema['contains'] as JsonSchema;
  const least = typeof schema['minContains'] === 'number' ? schema['minContains'] : 1;
  const most = typeof schema['maxContains'] === 'number' ? schema['maxContains'] : Infinity;
  let found = 0;
  for (const [index, item] of value.entries()) {
    if (!context.test(contains, item)) continue;
    found += 1;
    if (context.document.dialect !== 'draft-07') evaluated?.items.add(index);
  }
  if (found >= least && found <= most) return true;
  const bound = found < least ? `at least ${least}` : `at most ${most}`;
  return context.report({
    place,
    code: 'contains',
    expected: `${bound} matching item${bound.endsWith(' 1') ? '' : 's'}`,
    value,
  });
}

/** Whether all items of a list are different. */
export function areUnique(items: readonly unknown[]): boolean {
  const seen = new Set<unknown>();
  for (const item of items) {
    const key = typeof item === 'object' && item !== null ? canonicalJson(item) : item;
    // The JSON text of a list or object must not equal a string in the same list.
    const known = typeof key === 'string' ? (typeof item === 'string' ? `s${key}` : `j${key}`) : key;
    if (seen.has(known)) return false;
    seen.add(known);
  }
  return true;
}

function checkUnique(context: CheckContext, value: readonly unknown[], place: Place | undefined): boolean {
  const seen = new Map<string, number>();
  let isValid = true;
  for (const [index, item] of value.entries()) {
    const text = canonicalJson(item);
    const first = seen.get(text);
    if (first === undefined) {
      seen.set(text, index);
      continue;
    }
    isValid = context.report({
      place: { parent: place, key: index },
      code: 'unique_items',
      expected: `an item unlike item ${first}`,
      value: item,
    });
    if (!context.isCollecting) return false;
  }
  return isValid;
}
