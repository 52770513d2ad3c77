import type { CheckContext } from './check-context.ts';
import { choicesOf, describeChoices, describeExpected, typesOf } from '../issues/describe-expected.ts';
import type { JsonSchema, JsonSchemaObject } from '../json-schema.ts';
import { isDeepEqual, isOfType, isRecord } from '../json-value.ts';
import { clip, quote } from '../preview.ts';
import type { SchemaDocument } from '../document/schema-document.ts';
import type { Place } from '../value-path.ts';

/**
 * Reports why no branch of a union accepts a value, as precisely as possible: the issues of the one branch that was
 * meant, a wrong discriminator, a wrong type or, if several branches might be meant, the union itself.
 */
export function reportNoBranch(
  context: CheckContext,
  schema: JsonSchemaObject,
  branches: readonly JsonSchema[],
  value: unknown,
  place: Place | undefined,
): false {
  if (!context.isCollecting) return false;
  const { document } = context;
  const union = unionOf(branches);
  const choices = choicesOf(document, union);
  if (choices !== undefined) {
    return context.report({ place, code: 'enum', expected: describeChoices(choices), value, schema });
  }
  const expected = describeExpected(document, union);
  const flat = flatten(document, branches);
  const candidates = flat.filter((branch) => canBeOfItsType(document, branch, value));
  if (candidates.length === 0) return context.report({ place, code: 'type', expected, value, schema });
  const meant =
    candidates.length === 1 ? candidates : candidates.filter((branch) => hasItsTags(document, branch, value));
  if (meant.length === 1) {
    // Nested unions are opened to a limited depth. If the branch that was meant reports nothing, the union as a whole
    // is reported.
    const isExplained = !context.check(meant[0] as JsonSchema, value, place);
    return isExplained ? false : context.report({ place, code: 'union', expected, value, schema });
  }
  const tag = meant.length === 0 ? sharedTag(document, candidates) : undefined;
  if (tag !== undefined && isRecord(value)) {
    const [key, tags] = tag;
    const isMissing = !Object.hasOwn(value, key);
    const text = describeChoices(tags);
    return context.report({
      place: { parent: place, key },
      code: isMissing ? 'required' : 'enum',
      expected: text,
      value: isMissing ? undefined : value[key],
      schema: { enum: tags },
      ...(isMissing ? { say: (path: string) => `${path} is required: expected ${text}.` } : {}),
    });
  }
  const text = isRecord(value) ? (describeObjects(candidates) ?? expected) : expected;
  return context.report({ place, code: 'union', expected: text, value, schema });
}

/**
 * Describes branches by the keys that distinguish them: `object with "id" or object with "name"`; `undefined` if no
 * keys do.
 */
export function describeObjects(branches: readonly JsonSchema[]): string | undefined {
  const texts = branches.map((branch) => {
    const required = isRecord(branch) ? (branch.required ?? []) : [];
    const keys = required.map((key) => quote(key, 40));
    return keys.length === 0 ? 'object' : `object with ${keys.join(', ')}`;
  });
  const different = new Set(texts);
  return different.size === texts.length && texts.length > 1 ? clip([...different].join(' or '), 200) : undefined;
}

const unions = new WeakMap<readonly JsonSchema[], JsonSchemaObject>();

/** The branches as one schema. One object per list, so that findings about it are cached. */
function unionOf(branches: readonly JsonSchema[]): JsonSchemaObject {
  const union = unions.get(branches) ?? { anyOf: branches };
  unions.set(branches, union);
  return union;
}

const unionOnly = new Set(['anyOf', 'oneOf', 'title', 'description', '$comment']);

/** Returns the branches, with nested unions flattened and references followed. */
function flatten(document: SchemaDocument, branches: readonly JsonSchema[], depth = 0): readonly JsonSchema[] {
  if (depth > 8) return branches;
  return branches.flatMap((branch) => {
    if (!isRecord(branch)) return [branch];
    if (branch.$ref !== undefined && Object.keys(branch).length === 1) {
      return flatten(document, [document.target(branch, '$ref')], depth + 1);
    }
    const inner = branch.anyOf ?? branch.oneOf;
    const isOnlyUnion = Object.keys(branch).every((keyword) => unionOnly.has(keyword));
    return inner !== undefined && isOnlyUnion ? flatten(document, inner, depth + 1) : [branch];
  });
}

function canBeOfItsType(document: SchemaDocument, branch: JsonSchema, value: unknown): boolean {
  if (typeof branch === 'boolean') return branch;
  const choices = choicesOf(document, branch);
  if (choices !== undefined) return choices.some((choice) => typeof choice === typeof value && choice !== null);
  const types = typesOf(branch);
  if (types.length > 0) return types.some((type) => isOfType(value, type));
  return branch.properties === undefined || isRecord(value);
}

function hasItsTags(document: SchemaDocument, branch: JsonSchema, value: unknown): boolean {
  if (!isRecord(value)) return false;
  const tags = tagsOf(document, branch);
  return (
    tags.size > 0 && [...tags].every(([key, choices]) => choices.some((choice) => isDeepEqual(value[key], choice)))
  );
}

/** The required properties of an object branch with fixed values: its discriminators. */
function tagsOf(document: SchemaDocument, branch: JsonSchema): ReadonlyMap<string, readonly unknown[]> {
  const tags = new Map<string, readonly unknown[]>();
  if (!isRecord(branch)) return tags;
  const properties = branch.properties ?? {};
  for (const key of branch.required ?? []) {
    const member = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const choices = member === undefined ? undefined : choicesOf(document, member);
    if (choices?.length === 1) tags.set(key, choices);
  }
  return tags;
}

function sharedTag(
  document: SchemaDocument,
  branches: readonly JsonSchema[],
): readonly [string, readonly unknown[]] | undefined {
  const all = branches.map((branch) => tagsOf(document, branch));
  for (const key of all[0]?.keys() ?? []) {
    if (all.every((tags) => tags.has(key))) return [key, all.flatMap((tags) => tags.get(key) ?? [])];
  }
  return undefined;
}
