import { checkValue } from '../../../validate/check-value.ts';
import { arrayForm } from './array-form.ts';
import { describePart } from '../facets/describe-part.ts';
import type { Conjunction, Facets, Note } from '../facets/facets.ts';
import { allTypes, isAnything } from '../facets/facets.ts';
import type { Form } from './form.ts';
import type { Lowering } from './lowering.ts';
import { isOnlyValues } from '../facets/merge-alternatives.ts';
import { objectForm } from './object-form.ts';
import type { Reading } from '../facets/read-facets.ts';
import { booleanForm, nullForm, numberForm, stringForm, valueForms } from './scalar-forms.ts';
import type { ValueType } from '../facets/subset-rules.ts';
import { listedTextForm, textForm } from './text-form.ts';
import { unionForm } from './union-form.ts';

const maxChecked = 1000;

/** Converts schemas that must all hold; falls back to JSON text. */
export function formOf(lowering: Lowering, conjunction: Conjunction, level: number): Form {
  const reading = lowering.read(conjunction);
  const { alternatives, note, lost } = reading;
  const undo = lowering.mark();
  const { listed, isExact } = checkedValues(lowering, conjunction, reading);
  const others = alternatives.filter(({ values }) => values === undefined);
  // The listed values have been checked against all rules, so no rule is lost.
  const isListed = alternatives.length > 0 && others.length === 0;
  if (!isListed || !isExact) for (const rule of lost) lowering.lose(rule);
  if (others.some(isAnything)) return textForm(describePart(note, ['JSON text of any value']), () => true);

  const isSingle = alternatives.length === 1;
  const forms: Form[] = [];
  if (listed.length > 0) {
    const path = alternatives.find(({ values }) => values !== undefined)?.path ?? '#';
    const meaning = 'some of the values are refused by other keywords';
    if (!isExact) lowering.lose({ path, keyword: 'enum', effect: 'wider', meaning });
    const found = valueForms(lowering, listed, isListed ? note : {}, path);
    if (found.length === 0) return giveUp('enum');
    forms.push(...found);
  }
  for (const facets of others) {
    const types = typesOf(lowering, facets);
    if (types.length === 0) return giveUp('type');
    const words = isSingle && types.length === 1 ? { ...facets.note, ...note } : facets.note;
    for (const type of types) {
      const form = formOfType(lowering, type, facets, words, level);
      if (form === undefined) return giveUp(type === 'array' ? 'items' : 'properties');
      forms.push(form);
    }
  }
  const form = unionForm(lowering, forms, forms.length === 1 ? {} : note) ?? giveUp('anyOf');
  // If null is a flag of other types, it cannot be a type by itself.
  const isLonelyNull = form.kind === 'null' && lowering.rules.nullable === 'keyword';
  return isLonelyNull ? listedTextForm(describePart(note), [null]) : form;

  function giveUp(keyword: string): Form {
    undo();
    return lowering.asText(conjunction, keyword);
  }
}

function formOfType(lowering: Lowering, type: ValueType, facets: Facets, note: Note, level: number): Form | undefined {
  const isTooDeep = level > (lowering.rules.limits.depth ?? Infinity);
  switch (type) {
    case 'string':
      return stringForm(lowering, facets, note);
    case 'number':
      return numberForm(lowering, facets, note);
    case 'boolean':
      return booleanForm(note);
    case 'null':
      return nullForm(note);
    case 'array':
      return isTooDeep ? undefined : arrayForm(lowering, facets, note, level);
    default:
      return isTooDeep ? undefined : objectForm(lowering, facets, note, level);
  }
}

/**
 * Returns those listed values of the alternatives that the schemas accept. `isExact`: whether all of them were checked.
 */
function checkedValues(
  { document }: Lowering,
  conjunction: Conjunction,
  { alternatives, lost }: Reading,
): { readonly listed: readonly unknown[]; readonly isExact: boolean } {
  const listing = alternatives.filter(({ values }) => values !== undefined);
  const listed = listing.flatMap(({ values }) => values ?? []);
  if (lost.length === 0 && listing.every(isOnlyValues)) return { listed, isExact: true };
  if (listed.length > maxChecked) return { listed, isExact: false };
  const fits = (value: unknown): boolean => conjunction.every((schema) => checkValue(document, schema, value));
  return { listed: listed.filter(fits), isExact: true };
}

/** Returns the types to write for an alternative: its declared types, or those that its keywords apply to. */
function typesOf(lowering: Lowering, facets: Facets): readonly ValueType[] {
  if (facets.isTyped) return [...facets.types];
  const { limits, items, keys, required, isSealed } = facets;
  const about = new Set<ValueType>();
  if (keys.length > 0 || required.size > 0 || isSealed) about.add('object');
  if (items.length > 0) about.add('array');
  for (const keyword of limits.keys()) about.add(typeOfLimit(keyword));
  const meaning = `only ${[...about].join(' or ')} can be given, because the schema has no type`;
  if (about.size > 0 && about.size < allTypes.size) {
    lowering.lose({ path: facets.path, keyword: 'type', effect: 'narrower', meaning });
  }
  return [...about];
}

function typeOfLimit(keyword: string): ValueType {
  if (keyword.endsWith('Items')) return 'array';
  if (keyword.endsWith('Properties')) return 'object';
  return /Length$|^pattern$|^format$/.test(keyword) ? 'string' : 'number';
}
