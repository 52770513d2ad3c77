import type { JsonSchema, JsonSchemaObject } from '../../../json-schema.ts';
import { describePart, hintOf } from '../facets/describe-part.ts';
import type { Conjunction, Facets, Note } from '../facets/facets.ts';
import type { Effort, Form } from './form.ts';
import { neverForm, sameForm, unfit } from './form.ts';
import type { Lowering } from './lowering.ts';
import { keepLimits } from './scalar-forms.ts';
import { joinSchemas } from './union-form.ts';

/** Converts a list or tuple. A tuple that cannot be expressed becomes a list of the union of its items. */
export function arrayForm(lowering: Lowering, facets: Facets, note: Note, level: number): Form {
  const length = Math.max(0, ...facets.items.map(({ prefix }) => prefix.length));
  const rest = schemasAt(facets, Infinity);
  const most = Number(facets.limits.get('maxItems')?.value ?? Infinity);
  const places: Form[] = [];
  for (let index = 0; index < Math.min(length, most); index += 1) {
    const place = lowering.emit(schemasAt(facets, index), level + 1);
    if (place.kind === 'never') break;
    places.push(place);
  }
  // If no value fits an item, the tuple ends before it.
  const isCut = places.length < length;
  const isFull = isCut || most <= places.length;
  const others = isFull ? neverForm : lowering.emit(rest, level + 1);
  const isEnded = others.kind === 'never';
  const longest = isEnded ? Math.min(most, places.length) : most;
  if (Number(facets.limits.get('minItems')?.value ?? 0) > longest) return neverForm;
  return places.length === 0
    ? listForm(lowering, withMost(facets, longest), note, others)
    : tupleForm(lowering, withMost(facets, longest), note, places, others);
}

function schemasAt({ items }: Facets, index: number): Conjunction {
  return items.flatMap(({ prefix, rest }): readonly JsonSchema[] => {
    if (index < prefix.length) return [prefix[index] as JsonSchema];
    return rest === undefined ? [] : [rest];
  });
}

function withMost(facets: Facets, most: number): Facets {
  if (most === Infinity) return facets;
  const path = facets.limits.get('maxItems')?.path ?? facets.path;
  return { ...facets, limits: new Map(facets.limits).set('maxItems', { value: most, path }) };
}

function listForm(lowering: Lowering, facets: Facets, note: Note, item: Form): Form {
  const { kept, hints, fits } = limitsOf(lowering, facets);
  // A list that must stay empty still needs an item type.
  const items = item.kind === 'never' ? { type: 'string' as const } : item.schema;
  const schema: JsonSchemaObject = { type: 'array', items, ...kept, ...describePart(note, hints) };
  const same = sameForm('array', schema, { items: item, fits });
  if (item.isSame) return same;
  return {
    ...same,
    isSame: false,
    raise: (answer) => (Array.isArray(answer) ? answer.map((each) => item.raise(each)) : answer),
    lower: (value, effort) => (canLower(value, fits, effort) ? lowerItems(value, () => item, effort) : unfit),
    stands: Array.isArray,
  };
}

function tupleForm(lowering: Lowering, facets: Facets, note: Note, places: readonly Form[], others: Form): Form {
  const { kept, hints, fits } = limitsOf(lowering, facets);
  const all = others.kind === 'never' ? places : [...places, others];
  const itemsHints = lowering.rules.tuples ? [] : [hintOf('items in this order', places.map(nameOf).join(', '))];
  const words = describePart(note, [...itemsHints, ...hints]);
  let schema: JsonSchemaObject;
  if (lowering.rules.tuples) {
    const rest = others.kind === 'never' ? {} : { items: others.schema };
    schema = { type: 'array', prefixItems: places.map((place) => place.schema), ...rest, ...kept, ...words };
  } else {
    schema = { type: 'array', items: joinSchemas(lowering, all), ...kept, ...words };
    const texts = new Set(all.map((form) => JSON.stringify(form.schema)));
    const meaning = 'the provider does not enforce the order of the items';
    if (texts.size > 1) lowering.lose({ path: facets.path, keyword: 'prefixItems', effect: 'wider', meaning });
  }
  const at = (index: number): Form => places[index] ?? others;
  const isSame = all.every((form) => form.isSame);
  const form: Form = {
    ...sameForm('array', schema, { fits }),
    isSame,
    raise: (answer) => (Array.isArray(answer) && !isSame ? answer.map((each, index) => at(index).raise(each)) : answer),
    lower: (value, effort) => (canLower(value, fits, effort) ? lowerItems(value, at, effort) : unfit),
    stands: (value) => Array.isArray(value) && value.every((each, index) => at(index).stands(each)),
  };
  return form;
}

function limitsOf(lowering: Lowering, facets: Facets): ReturnType<typeof keepLimits> {
  return keepLimits(lowering, facets, ['minItems', 'maxItems', 'uniqueItems']);
}

/** Inside a union, the limits show which form a value belongs to. */
function canLower(value: unknown, fits: (value: unknown) => boolean, { choices }: Effort): value is readonly unknown[] {
  return Array.isArray(value) && (choices === 0 || fits(value));
}

function lowerItems(value: readonly unknown[], at: (index: number) => Form, effort: Effort): unknown {
  const lowered: unknown[] = [];
  for (const [index, each] of value.entries()) {
    const answer = at(index).lower(each, effort);
    if (answer === unfit) return unfit;
    lowered.push(answer);
  }
  return lowered;
}

function nameOf({ kind, schema }: Form): string {
  return typeof schema.type === 'string' ? schema.type : kind;
}
