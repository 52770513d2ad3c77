import { createChecker } from '../../validate/check-value.ts';
import { describeExpected } from '../../issues/describe-expected.ts';
import type { JsonSchema, JsonSchemaObject } from '../../json-schema.ts';
import { setOwn } from '../../json-value.ts';
import type { SchemaDocument } from '../../document/schema-document.ts';
import { createFreeNames } from '../names/free-names.ts';
import { describePart } from './facets/describe-part.ts';
import type { Conjunction } from './facets/facets.ts';
import type { Form } from './forms/form.ts';
import { unfit } from './forms/form.ts';
import { formOf } from './forms/form-of.ts';
import type { Ledger, Lowering } from './forms/lowering.ts';
import { createLedger } from './forms/lowering.ts';
import type { Reading } from './facets/read-facets.ts';
import { createReader } from './facets/read-facets.ts';
import type { SubsetRules } from './facets/subset-rules.ts';
import { textForm } from './forms/text-form.ts';

/** A converted schema before its root is adapted. */
export interface LoweredParts extends Pick<Ledger, 'lose' | 'lost'> {
  readonly form: Form;
  readonly definitions: Readonly<Record<string, JsonSchemaObject>>;
  definitionOf(reference: Form): JsonSchemaObject;
}

/** A schema that is being converted. An occurrence inside itself becomes a reference. */
interface Entry {
  name: string | undefined;
  form: Form | undefined;
  depth: number;
}

/** Keywords that add no rule beside a reference. */
const silent = new Set(['$ref', '$defs', 'definitions', '$schema', '$id', '$comment']);
const maxParts = 4000;
const unrolledLevels = 3;

/** Converts every nested schema. `level` is the level of the root. */
export function lowerParts(document: SchemaDocument, rules: SubsetRules, level: number): LoweredParts {
  const ledger = createLedger(rules.limits);
  const definitions: Record<string, JsonSchemaObject> = {};
  const findFree = createFreeNames();
  const active = new Map<string, Entry>();
  const readings = new Map<string, Reading>();
  const ids = new Map<JsonSchema, number>();
  const readFacets = createReader(document);
  const checker = createChecker(document);
  let parts = 0;

  function emit(given: Conjunction, at: number): Form {
    parts += 1;
    const conjunction = given.map(follow);
    const key = keyOf(conjunction);
    const known = active.get(key);
    if (known !== undefined && rules.recursion === 'references') return referTo(known, conjunction);
    if (known !== undefined && known.depth >= unrolledLevels) return asText(conjunction, '$ref');
    if (parts > maxParts) return asText(conjunction, 'properties');
    const entry: Entry = known ?? { name: undefined, form: undefined, depth: 0 };
    active.set(key, entry);
    entry.depth += 1;
    const form = formOf(lowering, conjunction, at);
    entry.depth -= 1;
    entry.form = form;
    if (entry.depth === 0) active.delete(key);
    if (entry.name === undefined) return form;
    setOwn(definitions, entry.name, form.schema);
    return referTo(entry, conjunction);
  }

  /** Resolves a schema that is only a reference, so that it is recognised wherever it occurs. */
  function follow(schema: JsonSchema): JsonSchema {
    let at = schema;
    while (typeof at === 'object' && at.$ref !== undefined && Object.keys(at).every((keyword) => silent.has(keyword))) {
      at = document.target(at, '$ref');
    }
    return at;
  }

  function keyOf(conjunction: Conjunction): string {
    return conjunction
      .map((schema) => {
        const id = ids.get(schema) ?? ids.size;
        ids.set(schema, id);
        return id;
      })
      .join();
  }

  function read(conjunction: Conjunction): Reading {
    const key = keyOf(conjunction);
    const known = readings.get(key) ?? readFacets(conjunction);
    readings.set(key, known);
    return known;
  }

  function referTo(entry: Entry, [first]: Conjunction): Form {
    if (entry.name === undefined) {
      const pointer = typeof first === 'object' ? (first.$ref ?? document.pointerOf(first)) : '';
      const word = /[A-Za-z][A-Za-z0-9_-]{0,39}$/.exec(pointer)?.[0] ?? 'root';
      const name = findFree(word);
      ledger.spend('characters', name.length);
      entry.name = name;
    }
    return referenceForm(entry);
  }

  function asText(conjunction: Conjunction, because: string): Form {
    const [first] = conjunction;
    const path = typeof first === 'object' ? document.pointerOf(first) : '#';
    const meaning = 'it is written as JSON text, which the provider does not check';
    ledger.lose({ path, keyword: because, effect: 'wider', meaning });
    const hint = `JSON text of ${describeExpected(document, { allOf: conjunction })}`;
    return textForm(describePart(read(conjunction).note, [hint]), (value) =>
      conjunction.every((schema) => checker.check(schema, value)),
    );
  }

  const lowering: Lowering = { document, rules, read, emit, asText, ...ledger };
  const form = emit([document.root], level);
  return {
    form,
    definitions,
    lost: ledger.lost,
    lose: ledger.lose,
    definitionOf: ({ schema }) => definitions[schema.$ref?.slice('#/$defs/'.length) ?? ''] ?? {},
  };
}

function referenceForm(entry: Entry): Form {
  return {
    kind: 'reference',
    schema: { $ref: `#/$defs/${entry.name}` },
    isSame: false,
    raise: (answer) => entry.form?.raise(answer) ?? answer,
    lower: (value, effort) => {
      effort.steps -= 1;
      return effort.steps < 0 || entry.form === undefined ? unfit : entry.form.lower(value, effort);
    },
    stands: () => true,
  };
}
