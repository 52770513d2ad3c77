import type { AliasTree } from '../keys/alias-tree.ts';
import { aliasesAt } from '../keys/alias-tree.ts';
import { indexOfKeys } from '../spelling/closest-key.ts';
import type { CoerceContext } from './coerce-context.ts';
import type { Coercion } from './coercion.ts';
import { takesFurtherKeys } from '../keys/key-tree.ts';
import type { JsonSchema, JsonSchemaMap, JsonSchemaObject } from '../json-schema.ts';
import type { JsonRecord } from '../json-value.ts';
import { hasValue, setOwn } from '../json-value.ts';
import { compilePattern } from '../patterns/pattern-matcher.ts';
import type { Place } from '../value-path.ts';
import { formatPath, keysOf } from '../value-path.ts';

/** Renames keys to the declared keys they mean, drops null for optional keys, and coerces each member. */
export function coerceObject(
  context: CoerceContext,
  schema: JsonSchemaObject,
  value: JsonRecord,
  place: Place | undefined,
  done: Coercion[],
  depth: number,
): unknown {
  const names = renameKeys(context, schema, value, place);
  const result: Record<string, unknown> = {};
  let isChanged = false;
  for (const key of Object.keys(value)) {
    const rename = names.get(key);
    const name = rename?.name ?? key;
    const at: Place = { parent: place, key };
    const member = value[key];
    const memberSchema = memberSchemaOf(schema, name);
    if (rename !== undefined) {
      done.push({ path: formatPath(keysOf(at)), code: rename.code, from: key, to: name });
      isChanged = true;
    }
    if (place === undefined && isReasoning(schema, name, member)) {
      done.push({ path: formatPath(keysOf(at)), code: 'reasoning_dropped', from: member, to: undefined });
      isChanged = true;
      continue;
    }
    if (member === null && isDeclaredOptional(schema, name) && !context.accepts(memberSchema ?? true, null)) {
      done.push({ path: formatPath(keysOf(at)), code: 'null_dropped', from: null, to: undefined });
      isChanged = true;
      continue;
    }
    const coerced =
      memberSchema === undefined
        ? member
        : context.coerce(memberSchema, member, { parent: place, key: name }, done, depth + 1);
    if (coerced !== member) isChanged = true;
    setOwn(result, name, coerced);
  }
  return isChanged ? result : value;
}

/** Keys under which models add their reasoning to the arguments. */
const reasoningKeys: ReadonlySet<string> = new Set([
  'thought',
  'thoughts',
  'thinking',
  'reasoning',
  'rationale',
  'explanation',
]);

/** Whether a key holds the model's reasoning, which a closed schema does not declare. */
function isReasoning(schema: JsonSchemaObject, key: string, value: unknown): boolean {
  if (typeof value !== 'string' || !reasoningKeys.has(key.toLowerCase())) return false;
  return schema.additionalProperties === false && memberSchemaOf(schema, key, true) === undefined;
}

interface Rename {
  readonly name: string;
  readonly code: 'alias' | 'key_renamed';
}

function renameKeys(
  context: CoerceContext,
  schema: JsonSchemaObject,
  value: JsonRecord,
  place: Place | undefined,
): ReadonlyMap<string, Rename> {
  const renames = new Map<string, Rename>();
  const { properties } = schema;
  if (properties === undefined) return renames;
  const strangers = Object.keys(value).filter((key) => memberSchemaOf(schema, key, true) === undefined);
  if (strangers.length === 0) return renames;
  const byAlias = claimByAlias(aliasesAt(context.aliases, place), strangers, properties);
  const byFold = claimByFold(strangers, properties);
  // If the schema describes further keys, a similar key may be a further key, unless the declared key is required.
  const isOpen = takesFurtherKeys(schema);
  for (const name of new Set([...byAlias.keys(), ...byFold.keys()])) {
    // A null that will be dropped counts as absent.
    if (hasValue(value, name) && !isNullForNothing(context, schema, value, name)) continue;
    if (isOpen && !byAlias.has(name) && schema.required?.includes(name) !== true) continue;
    const [found, ...others] = byAlias.get(name) ?? byFold.get(name) ?? [];
    if (found === undefined || others.length > 0 || renames.has(found)) continue;
    renames.set(found, { name, code: byAlias.has(name) ? 'alias' : 'key_renamed' });
  }
  return renames;
}

/** Maps each declared key to the given keys that are its aliases. */
function claimByAlias(
  aliases: AliasTree | undefined,
  strangers: readonly string[],
  properties: JsonSchemaMap,
): ReadonlyMap<string, readonly string[]> {
  const claims = new Map<string, readonly string[]>();
  if (aliases === undefined) return claims;
  const given = new Set(strangers);
  for (const [name, others] of aliases.own) {
    const found = others.filter((key) => given.has(key));
    if (found.length > 0 && Object.hasOwn(properties, name)) claims.set(name, found);
  }
  return claims;
}

/** Maps each declared key to the given keys that are spelling variants of it and of no other key. */
function claimByFold(strangers: readonly string[], properties: JsonSchemaMap): ReadonlyMap<string, readonly string[]> {
  const index = indexOfKeys(properties);
  const claims = new Map<string, string[]>();
  for (const key of strangers) {
    const [name, ...others] = index.variantsOf(key);
    if (name === undefined || others.length > 0) continue;
    const claim = claims.get(name);
    if (claim === undefined) claims.set(name, [key]);
    else claim.push(key);
  }
  return claims;
}

/** Whether an optional key was given as null, which its schema refuses. */
function isNullForNothing(context: CoerceContext, schema: JsonSchemaObject, value: JsonRecord, key: string): boolean {
  return (
    value[key] === null && isDeclaredOptional(schema, key) && !context.accepts(schema.properties?.[key] ?? true, null)
  );
}

function isDeclaredOptional(schema: JsonSchemaObject, key: string): boolean {
  const isDeclared = schema.properties !== undefined && Object.hasOwn(schema.properties, key);
  return isDeclared && schema.required?.includes(key) !== true;
}

/** Returns the schema of a key: declared, by pattern or, unless `onlyNamed`, that of all further keys. */
function memberSchemaOf(schema: JsonSchemaObject, key: string, onlyNamed = false): JsonSchema | undefined {
  if (schema.properties !== undefined && Object.hasOwn(schema.properties, key)) return schema.properties[key];
  for (const pattern of Object.keys(schema.patternProperties ?? {})) {
    if (compilePattern(pattern).test(key) === true) return schema.patternProperties?.[pattern];
  }
  return onlyNamed ? undefined : schema.additionalProperties;
}
