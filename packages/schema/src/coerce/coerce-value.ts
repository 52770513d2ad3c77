import type { AliasTree } from '../keys/alias-tree.ts';
import { createChecker } from '../validate/check-value.ts';
import type { CoerceContext } from './coerce-context.ts';
import { coerceObject } from './coerce-object.ts';
import { acceptsStrings, coerceScalar } from './coerce-scalar.ts';
import { parseContainer } from '../values/json-in-text.ts';
import type { Coercion, CoercionCode } from './coercion.ts';
import type { JsonSchema, JsonSchemaObject } from '../json-schema.ts';
import { isDeepEqual, isRecord } from '../json-value.ts';
import type { SchemaDocument } from '../document/schema-document.ts';
import type { Place } from '../value-path.ts';
import { formatPath, keysOf } from '../value-path.ts';

/** A value after coercion. If nothing changed, `coercions` is empty and `value` is the input itself. */
export interface Coerced {
  readonly value: unknown;
  readonly coercions: readonly Coercion[];
}

const deepest = 100;
// Unions inside recursive schemas can be tried in exponentially many ways. Beyond this limit, coercion gives up.
const maxParts = 50_000;

/**
 * Changes only the nested values that do not fit, and only without changing their meaning. Never modifies its input.
 * The result may still be invalid: values without a clear reading stay as they are.
 */
export function coerceValue(document: SchemaDocument, value: unknown, aliases?: AliasTree): Coerced {
  const checker = createChecker(document);
  // A value that one branch could not coerce cannot be coerced by the next branch that uses the same schema.
  const beyondHelp = new Map<JsonSchemaObject, Set<object>>();
  let parts = 0;
  const context: CoerceContext = {
    document,
    aliases,
    accepts: (schema, part) => checker.check(schema, part),
    coerce(schema, part, place, done, depth) {
      parts += 1;
      if (parts > maxParts || depth > deepest || typeof schema === 'boolean') return part;
      const isContainer = typeof part === 'object' && part !== null;
      if (isContainer && beyondHelp.get(schema)?.has(part) === true) return part;
      const before = done.length;
      const result = coercePart(context, schema, part, place, done, depth);
      if (isContainer && done.length === before) remember(beyondHelp, schema, part);
      return result;
    },
  };
  const coercions: Coercion[] = [];
  return { value: context.coerce(document.root, value, undefined, coercions, 0), coercions };
}

/** Coerces a value that was already coerced once. */
export function coerceFurther(document: SchemaDocument, done: Coerced, aliases?: AliasTree): Coerced {
  const { value, coercions } = coerceValue(document, done.value, aliases);
  return { value, coercions: [...done.coercions, ...coercions] };
}

function remember(known: Map<JsonSchemaObject, Set<object>>, schema: JsonSchemaObject, part: object): void {
  const parts = known.get(schema);
  if (parts === undefined) known.set(schema, new Set([part]));
  else parts.add(part);
}

function coercePart(
  context: CoerceContext,
  schema: JsonSchemaObject,
  value: unknown,
  place: Place | undefined,
  done: Coercion[],
  depth: number,
): unknown {
  if (context.accepts(schema, value)) return value;
  let result = value;
  if (schema.$ref !== undefined) {
    result = context.coerce(context.document.target(schema, '$ref'), result, place, done, depth + 1);
  }
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) result = coerceUnion(context, branches, result, place, done, depth);
  for (const part of schema.allOf ?? []) result = context.coerce(part, result, place, done, depth + 1);
  return coerceByType(context, schema, result, place, done, depth);
}

/**
 * Returns the result of the branch that accepts the value with the fewest changes, if there is exactly one such branch.
 */
function coerceUnion(
  context: CoerceContext,
  branches: readonly JsonSchema[],
  value: unknown,
  place: Place | undefined,
  done: Coercion[],
  depth: number,
): unknown {
  // If one branch accepts free text, the model meant text, even if the text breaks a limit of that branch.
  if (typeof value === 'string' && branches.some((branch) => takesFreeText(context, branch, 0))) return value;
  let best: { readonly value: unknown; readonly steps: readonly Coercion[] } | undefined;
  let isTied = false;
  for (const branch of branches) {
    const steps: Coercion[] = [];
    const result = context.coerce(branch, value, place, steps, depth + 1);
    if (steps.length === 0 || !context.accepts(branch, result)) continue;
    if (best === undefined || steps.length < best.steps.length) {
      best = { value: result, steps };
      isTied = false;
    } else if (steps.length === best.steps.length && !isDeepEqual(result, best.value)) {
      isTied = true;
    }
  }
  if (best === undefined || isTied) return value;
  done.push(...best.steps);
  return best.value;
}

const maxBranchDepth = 8;

/** Whether a schema accepts strings that it does not list. */
function takesFreeText(context: CoerceContext, schema: JsonSchema, depth: number): boolean {
  if (typeof schema === 'boolean' || depth > maxBranchDepth) return false;
  if (schema.enum !== undefined || Object.hasOwn(schema, 'const')) return false;
  if (acceptsStrings(schema)) return true;
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (schema.$ref !== undefined) parts.push(context.document.target(schema, '$ref'));
  return parts.some((part) => takesFreeText(context, part, depth + 1));
}

function coerceByType(
  context: CoerceContext,
  schema: JsonSchemaObject,
  value: unknown,
  place: Place | undefined,
  done: Coercion[],
  depth: number,
): unknown {
  const scalar = coerceScalar(context, schema, value);
  if (scalar !== undefined) return record(done, place, scalar.code, value, scalar.value);
  const wantsArray = canBe(schema, 'array');
  const wantsObject = canBe(schema, 'object') || schema.properties !== undefined;
  let result = value;
  if (typeof value === 'string' && (wantsArray || wantsObject) && !acceptsStrings(schema)) {
    const parsed = parseContainer(value, wantsArray, wantsObject);
    if (parsed !== undefined) result = record(done, place, 'json_parsed', value, parsed);
  }
  if (Array.isArray(result)) return wantsArray ? coerceList(context, schema, result, place, done, depth) : result;
  if (isRecord(result) && wantsObject) return coerceObject(context, schema, result, place, done, depth);
  const isItem = result !== null && result !== undefined && !looksLikeList(result);
  if (wantsArray && !wantsObject && isItem && !(typeof value === 'string' && acceptsStrings(schema))) {
    return wrapItem(context, schema, result, place, done, depth);
  }
  return result;
}

/** Coerces a list item by item, or as the single item of a list of lists. Does neither if both would fit. */
function coerceList(
  context: CoerceContext,
  schema: JsonSchemaObject,
  value: readonly unknown[],
  place: Place | undefined,
  done: Coercion[],
  depth: number,
): readonly unknown[] {
  const steps: Coercion[] = [];
  const items = coerceItems(context, schema, value, place, steps, depth);
  const itemSchema = itemSchemaAt(schema, 0);
  const isOneItem = itemSchema !== undefined && context.accepts(itemSchema, value) && context.accepts(schema, [value]);
  if (isOneItem) {
    if (context.accepts(schema, items)) return value;
    record(done, place, 'wrapped', value, [value]);
    return [value];
  }
  done.push(...steps);
  return items;
}

function coerceItems(
  context: CoerceContext,
  schema: JsonSchemaObject,
  value: readonly unknown[],
  place: Place | undefined,
  done: Coercion[],
  depth: number,
): readonly unknown[] {
  let result: unknown[] | undefined;
  for (const [index, item] of value.entries()) {
    const itemSchema = itemSchemaAt(schema, index);
    if (itemSchema === undefined) continue;
    const coerced = context.coerce(itemSchema, item, { parent: place, key: index }, done, depth + 1);
    if (coerced === item) continue;
    result ??= [...value];
    result[index] = coerced;
  }
  return result ?? value;
}

function wrapItem(
  context: CoerceContext,
  schema: JsonSchemaObject,
  value: unknown,
  place: Place | undefined,
  done: Coercion[],
  depth: number,
): unknown {
  const itemSchema = itemSchemaAt(schema, 0);
  if (itemSchema === undefined) return value;
  const steps: Coercion[] = [];
  const item = context.coerce(itemSchema, value, { parent: place, key: 0 }, steps, depth + 1);
  if (!context.accepts(itemSchema, item) || !context.accepts(schema, [item])) return value;
  record(done, place, 'wrapped', value, [value]);
  done.push(...steps);
  return [item];
}

function itemSchemaAt(schema: JsonSchemaObject, index: number): JsonSchema | undefined {
  const tuple = Array.isArray(schema.items) ? (schema.items as readonly JsonSchema[]) : schema.prefixItems;
  if (tuple !== undefined && index < tuple.length) return tuple[index];
  const rest = Array.isArray(schema.items) ? schema['additionalItems'] : schema.items;
  return rest as JsonSchema | undefined;
}

/** A string that looks like several values, or like an empty list, must not become a list of one item. */
function looksLikeList(value: unknown): boolean {
  return (
    typeof value === 'string' && (/[,;\n]/.test(value) || /^\s*(?:[[{]|(?:null|none|nil|undefined)?\s*$)/i.test(value))
  );
}

function canBe(schema: JsonSchemaObject, type: string): boolean {
  return schema.type === type || (Array.isArray(schema.type) && schema.type.includes(type));
}

function record(done: Coercion[], place: Place | undefined, code: CoercionCode, from: unknown, to: unknown): unknown {
  done.push({ path: formatPath(keysOf(place)), code, from, to });
  return to;
}
