import { escapePointer } from '../../document/copy-schema.ts';
import type { JsonSchema, JsonSchemaObject } from '../../json-schema.ts';
import { isRecord, setOwn } from '../../json-value.ts';
import { schemaKeywords, schemaListKeywords } from '../../document/check-schema-form.ts';
import type { SchemaDocument } from '../../document/schema-document.ts';
import { typesOf } from '../../issues/describe-expected.ts';
import type { LostRule } from '../definition/dialect.ts';
import { createFreeNames } from '../names/free-names.ts';
import type { TranslationRules } from './translation-rules.ts';

type Mutable = Record<string, unknown>;

/** Translates nested schemas. */
export interface Translator {
  readonly definitionsKeyword: '$defs' | 'definitions';
  translate(schema: JsonSchema, pointer: string): JsonSchema;
  /** Writes all references and returns the definitions that they need. */
  finish(): Readonly<Record<string, JsonSchema>>;
}

/** Keywords of 2020-12 without an equivalent in draft-07. */
const newerKeywords: Readonly<Record<string, string>> = {
  unevaluatedProperties: 'unevaluated keys are not checked',
  unevaluatedItems: 'unevaluated items are not checked',
  maxContains: 'the list may contain more such items',
};
const identifiers = new Set(['$schema', '$id', '$anchor', '$dynamicAnchor', '$recursiveAnchor', '$vocabulary']);
const namedMaps = ['properties', 'patternProperties', 'dependentSchemas'];

/** Creates a translator. `keys` maps names of keys to their written form. */
export function createTranslator(
  document: SchemaDocument,
  rules: TranslationRules,
  keys: ReadonlyMap<string, string>,
  lost: LostRule[],
): Translator {
  const isOld = rules.draft === 'draft-07';
  const definitionsKeyword = isOld ? 'definitions' : '$defs';
  const places = new Map<JsonSchema, string>();
  const references: { readonly into: Mutable; readonly target: JsonSchemaObject }[] = [];
  const definitions: Record<string, JsonSchema> = {};
  const findFree = createFreeNames();
  const keyOf = (name: string): string => keys.get(name) ?? name;

  function lose(schema: JsonSchemaObject, keyword: string, meaning: string): void {
    lost.push({ path: document.pointerOf(schema), keyword, effect: 'wider', meaning });
  }

  function translate(schema: JsonSchema, pointer: string): JsonSchema {
    if (typeof schema === 'boolean') return schema;
    places.set(schema, pointer);
    const result: Mutable = {};
    for (const keyword of Object.keys(schema)) translateKeyword(schema, keyword, result, pointer);
    translateItems(schema, result, pointer);
    translateReferences(schema, result);
    return result;
  }

  function translateKeyword(schema: JsonSchemaObject, keyword: string, result: Mutable, pointer: string): void {
    const value = schema[keyword];
    const at = `${pointer}/${keyword}`;
    if (
      identifiers.has(keyword) ||
      /^(?:items|prefixItems|additionalItems|\$ref|\$dynamicRef|\$recursiveRef)$/.test(keyword)
    ) {
      if (keyword === '$id' && rules.uri !== undefined && schema === document.root) result[keyword] = value;
      return;
    }
    if (isOld && translateForOld(schema, keyword, result, at)) return;
    if (keyword === '$defs' || keyword === 'definitions') {
      for (const [name, part] of entriesOf(value)) define(name, part);
    } else if (namedMaps.includes(keyword)) {
      result[keyword] = translateMap(value, at, keyword !== 'patternProperties');
    } else if (schemaKeywords.includes(keyword)) {
      result[keyword] = translate(value as JsonSchema, at);
    } else if (schemaListKeywords.includes(keyword)) {
      result[keyword] = (value as readonly JsonSchema[]).map((part, index) => translate(part, `${at}/${index}`));
    } else if (keyword === 'required') {
      result[keyword] = (value as readonly string[]).map(keyOf);
    } else if (keyword === 'dependentRequired') {
      result[keyword] = translateNeeds(value);
    } else if (keyword === 'dependencies') {
      splitDependencies(value, result, pointer);
    } else if (keyword === 'nullable' && schema.type !== undefined) {
      result['type'] = typesOf(schema);
    } else if (!(keyword === 'type' && schema['nullable'] === true)) {
      setOwn(result, keyword, value);
    }
  }

  /** Translates keywords that draft-07 spells differently or lacks. Returns whether the keyword was one. */
  function translateForOld(schema: JsonSchemaObject, keyword: string, result: Mutable, at: string): boolean {
    const value = schema[keyword];
    const meaning = newerKeywords[keyword];
    if (meaning !== undefined) lose(schema, keyword, meaning);
    else if (keyword === 'minContains') {
      if (Number(value) > 1) lose(schema, keyword, 'the list may contain fewer such items');
    } else if (keyword === 'contains' && schema['minContains'] === 0) {
      // Then nothing is required.
    } else if (keyword === 'dependentRequired') {
      result['dependencies'] = { ...(result['dependencies'] as object | undefined), ...translateNeeds(value) };
    } else if (keyword === 'dependentSchemas') {
      const parts = translateMap(value, at.replace(/dependentSchemas$/, 'dependencies'), true);
      result['dependencies'] = { ...(result['dependencies'] as object | undefined), ...parts };
    } else if (keyword === 'dependencies') {
      const needs = translateNeeds(Object.fromEntries(entriesOf(value).filter(([, part]) => Array.isArray(part))));
      const parts = translateMap(
        Object.fromEntries(entriesOf(value).filter(([, part]) => !Array.isArray(part))),
        at,
        true,
      );
      result[keyword] = { ...needs, ...parts };
    } else {
      return false;
    }
    return true;
  }

  function translateMap(value: unknown, at: string, areKeys: boolean): Record<string, JsonSchema> {
    const map: Record<string, JsonSchema> = {};
    for (const [name, part] of entriesOf(value)) {
      const key = areKeys ? keyOf(name) : name;
      setOwn(map, key, translate(part, `${at}/${escapePointer(key)}`));
    }
    return map;
  }

  function translateNeeds(value: unknown): Record<string, readonly string[]> {
    const needs: Record<string, readonly string[]> = {};
    for (const [name, names] of Object.entries(value as Record<string, readonly string[]>)) {
      setOwn(needs, keyOf(name), names.map(keyOf));
    }
    return needs;
  }

  function splitDependencies(value: unknown, result: Mutable, pointer: string): void {
    for (const [name, part] of entriesOf(value)) {
      const keyword = Array.isArray(part) ? 'dependentRequired' : 'dependentSchemas';
      const into: Mutable = { ...(result[keyword] as Mutable | undefined) };
      const key = keyOf(name);
      const needs = Array.isArray(part) ? (part as readonly string[]).map(keyOf) : undefined;
      setOwn(into, key, needs ?? translate(part, `${pointer}/${keyword}/${escapePointer(key)}`));
      result[keyword] = into;
    }
  }

  function translateItems(schema: JsonSchemaObject, result: Mutable, pointer: string): void {
    const isTuple = Array.isArray(schema.items);
    const prefix = (isTuple ? schema.items : schema.prefixItems) as readonly JsonSchema[] | undefined;
    const rest = (isTuple ? schema['additionalItems'] : schema.items) as JsonSchema | undefined;
    const prefixKeyword = isOld ? 'items' : 'prefixItems';
    const restKeyword = isOld && prefix !== undefined ? 'additionalItems' : 'items';
    if (prefix !== undefined) {
      result[prefixKeyword] = prefix.map((part, index) => translate(part, `${pointer}/${prefixKeyword}/${index}`));
    }
    if (rest !== undefined) result[restKeyword] = translate(rest, `${pointer}/${restKeyword}`);
    if (!rules.needsItems || !(typesOf(schema).includes('array') || prefix !== undefined)) return;
    if (rest === false) {
      // An `items` that refuses all values is expressed as a length.
      result['maxItems'] = Math.min(prefix?.length ?? 0, schema.maxItems ?? Infinity);
    }
    if (typeof result['items'] !== 'object') result['items'] = {};
  }

  function translateReferences(schema: JsonSchemaObject, result: Mutable): void {
    const targets: JsonSchema[] = [];
    if (schema.$ref !== undefined) targets.push(document.target(schema, '$ref'));
    if (schema['$dynamicRef'] !== undefined) {
      targets.push(document.target(schema, '$dynamicRef'));
      lose(schema, '$dynamicRef', 'the reference is followed without its dynamic scope');
    }
    // Keywords beside a reference count, except in draft-07.
    const isAlone = targets.length === 1 && (!isOld || Object.keys(result).length === 0);
    for (const target of targets) {
      const into: Mutable = isAlone ? result : {};
      if (!isAlone) result['allOf'] = [...((result['allOf'] as readonly unknown[] | undefined) ?? []), into];
      if (typeof target === 'object') references.push({ into, target });
      else if (!target) into['not'] = {};
    }
  }

  function define(name: string, part: JsonSchema): void {
    const free = findFree(name);
    // Reserve the name now: the schema may have definitions of its own.
    setOwn(definitions, free, true);
    setOwn(definitions, free, translate(part, `#/${definitionsKeyword}/${escapePointer(free)}`));
  }

  return {
    definitionsKeyword,
    translate,
    finish() {
      // A definition may contain further references, and a reference may point to a value that no schema keyword holds.
      if (isRecord(document.root)) {
        for (const keyword of ['$defs', 'definitions']) {
          for (const [name, part] of entriesOf(document.root[keyword])) if (!places.has(part)) define(name, part);
        }
      }
      for (let next = references.pop(); next !== undefined; next = references.pop()) {
        if (!places.has(next.target)) define('target', next.target);
        next.into['$ref'] = encodeFragment(places.get(next.target) ?? '#');
      }
      return definitions;
    },
  };
}

function entriesOf(value: unknown): readonly (readonly [string, JsonSchema])[] {
  return isRecord(value) ? Object.entries(value as Record<string, JsonSchema>) : [];
}

function encodeFragment(pointer: string): string {
  return pointer
    .split('/')
    .map((token, index) => (index === 0 ? token : encodeURIComponent(token).replaceAll('%24', '$')))
    .join('/');
}
