import { canonicalJson } from '../../../values/canonical-json.ts';
import { choicesOf, typesOf } from '../../../issues/describe-expected.ts';
import type { JsonSchema, JsonSchemaObject } from '../../../json-schema.ts';
import { isRecord } from '../../../json-value.ts';
import type { SchemaDocument } from '../../../document/schema-document.ts';
import type { LostRule } from '../../definition/dialect.ts';
import { areApart } from './are-apart.ts';
import type { Conjunction, Facets, Limit, Note } from './facets.ts';
import { anything, intersect } from './facets.ts';
import { mergeAlternatives } from './merge-alternatives.ts';
import type { ValueType } from './subset-rules.ts';

/** A schema as a list of alternatives, with the rules that this form cannot express. */
export interface Reading {
  /** Empty if no value fits. */
  readonly alternatives: readonly Facets[];
  /** Descriptions of the value as a whole. */
  readonly note: Note;
  readonly lost: readonly LostRule[];
}

const maxAlternatives = 64;
const maxBranchesCompared = 64;
const maxVisits = 50_000;
const limitKeywords = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
];

/** Keywords that no subset accepts, with the consequence of their loss. */
const unsayable: readonly (readonly [keyword: string, meaning: string])[] = [
  ['not', 'values that must be refused are accepted'],
  ['if', 'the condition is not applied'],
  ['contains', 'the list need not contain such an item'],
  ['propertyNames', 'keys may have any form'],
  ['dependentRequired', 'keys that others require may be missing'],
  ['dependentSchemas', 'requirements between keys are not applied'],
  ['dependencies', 'requirements between keys are not applied'],
  ['unevaluatedItems', 'further items may have any value'],
  ['$dynamicRef', 'the reference is followed without its dynamic scope'],
];

/**
 * Reads schemas that must all hold as one list of alternatives, following references. The number of alternatives is
 * limited; beyond the limit, schemas accept any value.
 */
export function createReader(document: SchemaDocument): (conjunction: Conjunction) => Reading {
  let visits = 0;
  return (conjunction) =>
    readFacets(document, conjunction, () => {
      visits += 1;
      return visits <= maxVisits;
    });
}

function readFacets(document: SchemaDocument, conjunction: Conjunction, mayVisit: () => boolean): Reading {
  const lost: LostRule[] = [];

  function lose(path: string, keyword: string, meaning: string): void {
    lost.push({ path, keyword, effect: 'wider', meaning });
  }

  function read(schema: JsonSchema): { readonly alternatives: readonly Facets[]; readonly note: Note } {
    if (typeof schema === 'boolean') return { alternatives: schema ? [anything('#')] : [], note: {} };
    const path = document.pointerOf(schema);
    if (!mayVisit()) {
      lose(path, '$ref', 'the schema is too large to be read completely');
      return { alternatives: [anything(path)], note: {} };
    }
    let note = noteOf(schema);
    let alternatives: readonly Facets[] = [ownFacets(schema, path)];
    for (const part of partsOf(document, schema)) {
      const inner = read(part);
      note = { ...inner.note, ...note };
      alternatives = combine(alternatives, inner.alternatives, path, 'allOf');
    }
    for (const keyword of ['anyOf', 'oneOf'] as const) {
      const branches = schema[keyword];
      if (branches === undefined) continue;
      const found = branches.map(readBranch);
      if (keyword === 'oneOf' && !areAllApart(found)) lose(path, keyword, 'a value may fit more than one branch');
      const { merged, isWider } = mergeAlternatives(found.flat());
      if (isWider) lose(path, keyword, 'combinations of required keys are not enforced');
      alternatives = combine(alternatives, merged, path, keyword);
    }
    for (const [keyword, meaning] of unsayable) if (Object.hasOwn(schema, keyword)) lose(path, keyword, meaning);
    if (schema.not === true || (isRecord(schema.not) && Object.keys(schema.not).length === 0)) alternatives = [];
    return { alternatives, note };
  }

  function readBranch(branch: JsonSchema): readonly Facets[] {
    const { alternatives, note } = read(branch);
    return alternatives.map((facets) => ({ ...facets, note: { ...note, ...facets.note } }));
  }

  function areAllApart(branches: readonly (readonly Facets[])[]): boolean {
    if (branches.every((branch) => branch.every(({ values }) => values !== undefined))) {
      const listed = branches.map((branch) => new Set(branch.flatMap(({ values }) => values?.map(textOf) ?? [])));
      const count = listed.reduce((sum, texts) => sum + texts.size, 0);
      return new Set(listed.flatMap((texts) => [...texts])).size === count;
    }
    if (branches.length > maxBranchesCompared) return false;
    const choices = (schema: JsonSchema): readonly unknown[] | undefined => choicesOf(document, schema);
    return branches.every((left, index) =>
      branches
        .slice(index + 1)
        .every((right) => left.every((one) => right.every((two) => areApart(one, two, choices)))),
    );
  }

  /** Combines all pairs that some value can satisfy. Drops the right side if there are too many pairs. */
  function combine(
    left: readonly Facets[],
    right: readonly Facets[],
    path: string,
    keyword: string,
  ): readonly Facets[] {
    if (left.length * right.length > maxAlternatives) {
      lose(path, keyword, 'there are too many alternatives to write out');
      return left;
    }
    const onClash = (limit: Limit, clashing: string): void =>
      lose(limit.path, clashing, 'another value of the same keyword is used instead');
    const both = left.flatMap((one) => right.map((two) => intersect(one, two, onClash)));
    return both.filter((facets) => facets !== undefined);
  }

  let note: Note = {};
  let alternatives: readonly Facets[] = [anything('#')];
  for (const [index, schema] of conjunction.entries()) {
    const inner = read(schema);
    note = { ...inner.note, ...note };
    alternatives = index === 0 ? inner.alternatives : combine(alternatives, inner.alternatives, '#', 'allOf');
  }
  return { alternatives, note, lost };
}

/** Schemas that apply to the value beside the schema's own keywords. */
function partsOf(document: SchemaDocument, schema: JsonSchemaObject): readonly JsonSchema[] {
  const parts: JsonSchema[] = [];
  if (schema.$ref !== undefined) parts.push(document.target(schema, '$ref'));
  if (schema['$dynamicRef'] !== undefined) parts.push(document.target(schema, '$dynamicRef'));
  return [...parts, ...(schema.allOf ?? [])];
}

function textOf(value: unknown): string {
  return canonicalJson(value);
}

function noteOf({ title, description, default: fallback }: JsonSchemaObject): Note {
  return {
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    ...(fallback === undefined ? {} : { fallback }),
  };
}

function ownFacets(schema: JsonSchemaObject, path: string): Facets {
  const base = anything(path);
  const names = typesOf(schema);
  const types = new Set(names.map((name): ValueType => (name === 'integer' ? 'number' : name)));
  const limits = new Map<string, Limit>();
  for (const keyword of limitKeywords) {
    const value = schema[keyword];
    const saysNothing = value === undefined || value === false || (value === 0 && /^min[LIP]/.test(keyword));
    if (!saysNothing) limits.set(keyword, { value, path });
  }
  const hasKeys =
    schema.properties !== undefined ||
    schema.patternProperties !== undefined ||
    schema.additionalProperties !== undefined;
  const own: Facets = {
    ...base,
    types: types.size === 0 ? base.types : types,
    isTyped: types.size > 0,
    isInteger: names.includes('integer') && !names.includes('number'),
    limits,
    items: itemsOf(schema, path),
    keys: hasKeys
      ? [
          {
            properties: schema.properties ?? {},
            patterns: Object.entries(schema.patternProperties ?? {}),
            undeclared: schema.additionalProperties,
            path,
          },
        ]
      : [],
    required: new Set(schema.required),
    isSealed: schema['unevaluatedProperties'] === false,
  };
  const values = Object.hasOwn(schema, 'const') ? [schema.const] : schema.enum;
  return values === undefined ? own : { ...own, isTyped: true, values };
}

function itemsOf(schema: JsonSchemaObject, path: string): Facets['items'] {
  const isTuple = Array.isArray(schema.items);
  const prefix = (isTuple ? schema.items : schema.prefixItems) as readonly JsonSchema[] | undefined;
  const rest = (isTuple ? schema['additionalItems'] : schema.items) as JsonSchema | undefined;
  return prefix === undefined && rest === undefined ? [] : [{ prefix: prefix ?? [], rest, path }];
}
