import type { JsonSchema, JsonSchemaObject, JsonType } from '../json-schema.ts';
import { isRecord } from '../json-value.ts';
import { clip, quote } from '../preview.ts';
import type { SchemaDocument } from '../document/schema-document.ts';

const longest = 200;

const described = new WeakMap<JsonSchemaObject, string>();

/**
 * Describes briefly what a schema accepts: `string`, `array of integer`, `one of "a", "b"`, `string or null`. Cached: a
 * value can have many mistakes in one schema.
 */
export function describeExpected(document: SchemaDocument, schema: JsonSchema): string {
  if (typeof schema === 'boolean') return describe(document, schema, 0);
  const text = described.get(schema) ?? describe(document, schema, 0);
  described.set(schema, text);
  return text;
}

function describe(document: SchemaDocument, schema: JsonSchema, depth: number): string {
  if (typeof schema === 'boolean') return schema ? 'anything' : 'nothing';
  if (depth > 8) return 'a value';
  const choices = choicesOf(document, schema);
  if (choices !== undefined) return describeChoices(choices);
  if (schema.type !== undefined) return clip(joinUnique(typesOf(schema).map((type) => describeType(type))), longest);
  if (schema.$ref !== undefined) return describe(document, document.target(schema, '$ref'), depth + 1);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) {
    return clip(joinUnique(branches.map((branch) => describe(document, branch, depth + 1))), longest);
  }
  for (const part of schema.allOf ?? []) {
    const text = describe(document, part, depth + 1);
    if (text !== 'anything' && text !== 'a value') return text;
  }
  if (schema.properties !== undefined || schema.required !== undefined) return 'object';
  return 'a value';

  function describeType(type: JsonType): string {
    const { items, format } = schema as JsonSchemaObject;
    if (type === 'string' && format !== undefined) return `string (${format})`;
    if (type !== 'array' || items === undefined || Array.isArray(items) || typeof items === 'boolean') return type;
    const item = describe(document, items as JsonSchema, depth + 1);
    if (item === 'a value') return type;
    return item.includes(' or ') ? `array of (${item})` : `array of ${item}`;
  }
}

/** The types that a schema declares itself; OpenAPI's `nullable` adds null. */
export function typesOf(schema: JsonSchemaObject): readonly JsonType[] {
  if (schema.type === undefined) return [];
  const types: readonly JsonType[] = typeof schema.type === 'string' ? [schema.type] : schema.type;
  return schema['nullable'] === true && !types.includes('null') ? [...types, 'null'] : types;
}

const listed = new WeakMap<JsonSchemaObject, { readonly choices: readonly unknown[] | undefined }>();

/** The values that `const`, `enum`, or branches of only those allow. Cached. */
export function choicesOf(document: SchemaDocument, schema: JsonSchema): readonly unknown[] | undefined {
  if (!isRecord(schema)) return undefined;
  const known = listed.get(schema) ?? { choices: listChoices(document, schema, 0) };
  listed.set(schema, known);
  return known.choices;
}

function listChoices(document: SchemaDocument, schema: JsonSchema, depth: number): readonly unknown[] | undefined {
  if (!isRecord(schema) || depth > 8) return undefined;
  if (Object.hasOwn(schema, 'const')) return [schema.const];
  if (schema.enum !== undefined) return schema.enum;
  if (schema.$ref !== undefined) return listChoices(document, document.target(schema, '$ref'), depth + 1);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches === undefined || branches.length === 0) return undefined;
  const choices: unknown[] = [];
  for (const branch of branches) {
    const some = listChoices(document, branch, depth + 1);
    if (some === undefined) return undefined;
    choices.push(...some);
  }
  return choices;
}

/** `"a"` for one value, `one of "a", "b"` for several. */
export function describeChoices(choices: readonly unknown[]): string {
  const texts = new Set<string>();
  let length = 0;
  for (const choice of choices) {
    const text = quote(choice, 60);
    if (!texts.has(text)) length += text.length + 2;
    texts.add(text);
    // Further values would be cut off.
    if (length > longest) break;
  }
  const [first, ...others] = texts;
  return others.length === 0 ? String(first) : clip(`one of ${[...texts].join(', ')}`, longest);
}

function joinUnique(texts: readonly string[]): string {
  const parts = [...new Set(texts.flatMap((text) => (/^array of \(|"/.test(text) ? [text] : text.split(' or '))))];
  // Every integer is a number, so naming both adds nothing.
  const kept = parts.includes('number') ? parts.filter((part) => part !== 'integer') : parts;
  return kept.join(' or ');
}
