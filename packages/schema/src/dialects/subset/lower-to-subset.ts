import type { JsonSchemaObject } from '../../json-schema.ts';
import type { SchemaDocument } from '../../document/schema-document.ts';
import type { DialectSchema, LostRule } from '../definition/dialect.ts';
import { freezeSchema } from '../definition/freeze-schema.ts';
import { createEffort, unfit } from './forms/form.ts';
import { lowerParts } from './lower-parts.ts';
import type { SubsetRules } from './facets/subset-rules.ts';
import { emptyRoot, wrappedRoot } from './wrap-root.ts';

/**
 * Converts a schema by a provider's rules, in bounded size and time. The root is always an object, as arguments are.
 * Any other root becomes the only key of an object, `value`.
 */
export function lowerToSubset(document: SchemaDocument, rules: SubsetRules): DialectSchema {
  let parts = lowerParts(document, rules, 1);
  let { form } = parts;
  let root: JsonSchemaObject = form.kind === 'reference' ? parts.definitionOf(form) : form.schema;
  if (form.kind === 'never') {
    form = emptyRoot(parts.lose, rules);
    root = form.schema;
  } else if (root.type !== 'object') {
    parts = lowerParts(document, rules, 2);
    form = wrappedRoot(parts.form, rules);
    root = form.schema;
  }
  const { definitions } = parts;
  const isDefined = Object.keys(definitions).length > 0;
  return {
    schema: freezeSchema({ ...root, ...(isDefined ? { $defs: definitions } : {}) }),
    lost: withoutRepeats(parts.lost),
    raise: (answer) => guard(answer, () => form.raise(answer)),
    lower: (value) =>
      guard(value, () => {
        const answer = form.lower(value, createEffort());
        return answer === unfit ? value : answer;
      }),
  };
}

/** Values come from models: a value that is nested too deep stays unchanged. */
function guard(value: unknown, work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) return value;
    throw error;
  }
}

function withoutRepeats(lost: readonly LostRule[]): readonly LostRule[] {
  const byPlace = new Map(lost.map((rule) => [`${rule.path} ${rule.keyword} ${rule.effect}`, rule]));
  return Object.freeze([...byPlace.values()]);
}
