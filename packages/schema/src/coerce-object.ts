import { aliasesAt } from './alias-tree.ts';
import { foldKey } from './closest-key.ts';
import type { CoerceContext } from './coerce-value.ts';
import type { Coercion } from './coercion.ts';
import type { JsonSchema, JsonSchemaObject } from './json-schema.ts';
import type { JsonRecord } from './json-value.ts';
import { hasValue, setOwn } from './json-value.ts';
import { compilePattern } from './patterns/matcher.ts';
import type { Place } from './value-path.ts';
import { formatPath, keysOf } from './value-path.ts';

/** Renames keys to the declared ones they stand for, drops null for optional keys, and coerces each member. */
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
  const properties = schema.properties ?? {};
  const absent = Object.keys(properties).filter((name) => !hasValue(value, name));
  const strangers = Object.keys(value).filter((key) => memberSchemaOf(schema, key, true) === undefined);
  const renames = new Map<string, Rename>();
  if (absent.length === 0 || strangers.length === 0) return renames;
  const aliases = aliasesAt(context.aliases, place);
  for (const name of absent) {
    const declared = aliases?.own.get(name) ?? [];
    const byAlias = strangers.filter((key) => declared.includes(key));
    const fold = foldKey(name);
    const isAmbiguous = Object.keys(properties).some((other) => other !== name && foldKey(other) === fold);
    const byFold = isAmbiguous ? [] : strangers.filter((key) => foldKey(key) === fold);
    const [found, ...others] = byAlias.length > 0 ? byAlias : byFold;
    const isUnique = found !== undefined && others.length === 0 && !renames.has(found);
    if (isUnique) renames.set(found, { name, code: byAlias.length > 0 ? 'alias' : 'key_renamed' });
  }
  return renames;
}

function isDeclaredOptional(schema: JsonSchemaObject, key: string): boolean {
  const isDeclared = schema.properties !== undefined && Object.hasOwn(schema.properties, key);
  return isDeclared && schema.required?.includes(key) !== true;
}

/** The schema of a key: declared, by pattern, or, unless only those count, that of every further key. */
function memberSchemaOf(schema: JsonSchemaObject, key: string, onlyNamed = false): JsonSchema | undefined {
  if (schema.properties !== undefined && Object.hasOwn(schema.properties, key)) return schema.properties[key];
  for (const pattern of Object.keys(schema.patternProperties ?? {})) {
    if (compilePattern(pattern).test(key) === true) return schema.patternProperties?.[pattern];
  }
  return onlyNamed ? undefined : schema.additionalProperties;
}
