import { jsonTypeOf } from '../../../json-value.ts';
import { indexOfChoices } from '../../../values/choice-index.ts';
import type { JsonSchema, JsonSchemaMap } from '../../../json-schema.ts';
import type { ValueType } from './subset-rules.ts';

/** Schemas that must all hold for one value. */
export type Conjunction = readonly JsonSchema[];

/** The value of a keyword (a number, a string or a flag), and its path. */
export interface Limit {
  readonly value: unknown;
  readonly path: string;
}

/** Rules of one schema for lists. */
export interface ItemRules {
  readonly prefix: readonly JsonSchema[];
  readonly rest: JsonSchema | undefined;
  readonly path: string;
}

/** Rules of one schema for the keys of objects. */
export interface KeyRules {
  readonly properties: JsonSchemaMap;
  readonly patterns: readonly (readonly [pattern: string, schema: JsonSchema])[];
  readonly undeclared: JsonSchema | undefined;
  readonly path: string;
}

/** Descriptions of a value. */
export interface Note {
  readonly title?: string;
  readonly description?: string;
  readonly fallback?: unknown;
}

/** One alternative of a schema by type: a value fits if its type is listed and the facets of that type hold. */
export interface Facets {
  readonly types: ReadonlySet<ValueType>;
  /** Whether the schema declares `types`. */
  readonly isTyped: boolean;
  readonly isInteger: boolean;
  /** The only accepted values, by `enum` and `const`. */
  readonly values: readonly unknown[] | undefined;
  readonly limits: ReadonlyMap<string, Limit>;
  readonly items: readonly ItemRules[];
  readonly keys: readonly KeyRules[];
  readonly required: ReadonlySet<string>;
  /** Whether `unevaluatedProperties: false` refuses undeclared keys. */
  readonly isSealed: boolean;
  readonly note: Note;
  readonly path: string;
}

/** All types of JSON values. */
export const allTypes: ReadonlySet<ValueType> = new Set<ValueType>([
  'string',
  'number',
  'boolean',
  'null',
  'array',
  'object',
]);

/** Accepts any value. */
export function anything(path: string): Facets {
  return {
    types: allTypes,
    isTyped: false,
    isInteger: false,
    values: undefined,
    limits: new Map(),
    items: [],
    keys: [],
    required: new Set(),
    isSealed: false,
    note: {},
    path,
  };
}

/** Whether the facets contain only descriptions. */
export function isAnything(facets: Facets): boolean {
  const { types, values, limits, items, keys, required, isSealed } = facets;
  const isUnlimited = limits.size === 0 && items.length === 0 && keys.length === 0 && required.size === 0;
  return types.size === allTypes.size && values === undefined && isUnlimited && !isSealed;
}

/**
 * Combines two facets. Returns `undefined` if no value can satisfy both. `onClash` receives the limit that is dropped.
 */
export function intersect(
  left: Facets,
  right: Facets,
  onClash: (limit: Limit, keyword: string) => void,
): Facets | undefined {
  const types = new Set([...left.types].filter((type) => right.types.has(type)));
  const values = intersectValues(left.values, right.values)?.filter((value) => {
    const type = jsonTypeOf(value);
    return type !== undefined && types.has(type);
  });
  if (types.size === 0 || values?.length === 0) return undefined;
  return {
    types,
    isTyped: left.isTyped || right.isTyped,
    isInteger: left.isInteger || right.isInteger,
    values,
    limits: mergeLimits(left.limits, right.limits, onClash),
    items: [...left.items, ...right.items],
    keys: [...left.keys, ...right.keys],
    required: new Set([...left.required, ...right.required]),
    isSealed: left.isSealed || right.isSealed,
    note: { ...right.note, ...left.note },
    path: left.path,
  };
}

function intersectValues(
  left: readonly unknown[] | undefined,
  right: readonly unknown[] | undefined,
): readonly unknown[] | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  const index = indexOfChoices(right);
  return left.filter((value) => index.has(value));
}

function mergeLimits(
  left: ReadonlyMap<string, Limit>,
  right: ReadonlyMap<string, Limit>,
  onClash: (limit: Limit, keyword: string) => void,
): ReadonlyMap<string, Limit> {
  if (left.size === 0 || right.size === 0) return left.size === 0 ? right : left;
  const merged = new Map(left);
  for (const [keyword, limit] of right) {
    const known = merged.get(keyword);
    if (known === undefined || isTighter(keyword, limit.value, known.value)) merged.set(keyword, limit);
    else if (known.value !== limit.value && !isTighter(keyword, known.value, limit.value)) onClash(limit, keyword);
  }
  return merged;
}

/** Whether one limit implies another. */
function isTighter(keyword: string, value: unknown, than: unknown): boolean {
  if (typeof value !== 'number' || typeof than !== 'number') return value === true && than === false;
  if (keyword === 'multipleOf') return value > than && Number.isInteger(value / than);
  return /^(?:min|exclusiveMin)/.test(keyword) ? value > than : value < than;
}
