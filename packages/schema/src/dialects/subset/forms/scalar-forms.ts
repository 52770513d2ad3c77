import { checkValue } from '../../../validate/check-value.ts';
import { formats } from '../../../patterns/formats.ts';
import type { JsonSchemaObject } from '../../../json-schema.ts';
import { jsonTypeOf } from '../../../json-value.ts';
import { describePart, hintOf } from '../facets/describe-part.ts';
import type { Facets, Limit, Note } from '../facets/facets.ts';
import type { Form } from './form.ts';
import { neverForm, sameForm } from './form.ts';
import type { Lowering } from './lowering.ts';
import { listedTextForm } from './text-form.ts';

const stringLimits = ['minLength', 'maxLength', 'pattern', 'format'];
const numberLimits = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];

/** Lookarounds, back references and word boundaries, which linear-time engines do not support. */
const beyondRegular = /\(\?<?[=!]|\\[1-9bBk]/;

/** Converts a string without listed values. */
export function stringForm(lowering: Lowering, facets: Facets, note: Note): Form {
  const { kept, hints, fits } = keepLimits(lowering, facets, stringLimits);
  return sameForm('string', { type: 'string', ...kept, ...describePart(note, hints) }, { fits });
}

/** Converts a number or integer without listed values. */
export function numberForm(lowering: Lowering, facets: Facets, note: Note): Form {
  const limits = keepLimits(lowering, facets, numberLimits);
  const type = facets.isInteger ? 'integer' : 'number';
  const fits = (value: unknown): boolean => (!facets.isInteger || Number.isInteger(value)) && limits.fits(value);
  return sameForm('number', { type, ...limits.kept, ...describePart(note, limits.hints) }, { fits });
}

/** Converts a boolean. */
export function booleanForm(note: Note): Form {
  return sameForm('boolean', { type: 'boolean', ...describePart(note) });
}

/** Converts null. */
export function nullForm(note: Note): Form {
  return sameForm('null', { type: 'null', ...describePart(note) });
}

/**
 * Keeps the limits that the provider accepts as keywords. The others are recorded as lost, and added to the
 * description. `fits` returns whether a value of the original is within all limits.
 */
export function keepLimits(
  lowering: Lowering,
  { limits }: Facets,
  keywords: readonly string[],
): { readonly kept: JsonSchemaObject; readonly hints: readonly string[]; readonly fits: (value: unknown) => boolean } {
  const kept: Record<string, unknown> = {};
  const hints: string[] = [];
  const given: Record<string, unknown> = {};
  for (const keyword of keywords) {
    const limit = limits.get(keyword);
    if (limit === undefined) continue;
    given[keyword] = limit.value;
    if (takes(lowering, keyword, limit)) {
      kept[keyword] = limit.value;
      continue;
    }
    hints.push(hintOf(keyword, limit.value));
    // An unchecked format is only an annotation, so it can be dropped.
    if (keyword === 'format' && !formats.has(String(limit.value))) continue;
    lowering.lose({
      path: limit.path,
      keyword,
      effect: 'wider',
      meaning: `${hintOf(keyword, limit.value)} is not enforced by the provider`,
    });
  }
  const { document } = lowering;
  const isLimited = Object.keys(given).length > 0;
  return { kept, hints, fits: (value) => !isLimited || checkValue(document, given, value) };
}

function takes({ rules, spend }: Lowering, keyword: string, { value }: Limit): boolean {
  if (!rules.keywords.includes(keyword)) return false;
  if (keyword === 'format') return rules.formats.includes(String(value));
  if (keyword === 'pattern') return !beyondRegular.test(String(value)) && spend('characters', String(value).length);
  if (keyword === 'minItems') return Number(value) <= (rules.maxMinItems ?? Infinity);
  return true;
}

/**
 * Converts listed values: to one form per type if the provider lists values of every type, otherwise to JSON texts. If
 * there are too many values, returns only forms of their types, and none if some are arrays or objects.
 */
export function valueForms(lowering: Lowering, values: readonly unknown[], note: Note, path: string): readonly Form[] {
  if (values.length === 0) return [neverForm];
  const { rules } = lowering;
  const types = new Set(values.map(jsonTypeOf));
  const canList = (type: unknown): boolean => (rules.enumTypes as readonly unknown[]).includes(type);
  const isBothTruths = types.has('boolean') && values.includes(true) && values.includes(false);
  const isSayable = [...types].every(
    (type) => canList(type) || (type === 'boolean' && isBothTruths) || type === 'null',
  );
  if (!canAfford(lowering, values)) {
    const hint = {
      path,
      keyword: 'enum',
      effect: 'wider',
      meaning: 'there are more values than the provider accepts',
    } as const;
    lowering.lose(hint);
    const isSimple = !types.has('array') && !types.has('object');
    return isSimple ? [...types].map((type) => widenedForm(type, values, note)) : [];
  }
  // JSON texts beside strings would be ambiguous, so all values become JSON texts.
  if (!isSayable) return [listedTextForm(describePart(note), values)];
  const words = types.size === 1 ? describePart(note) : {};
  return [...types].map((type) => {
    const some = values.filter((value) => jsonTypeOf(value) === type);
    if (type === 'null') return nullForm(types.size === 1 ? note : {});
    if (type === 'boolean' && some.length > 1) return sameForm('boolean', { type, ...words });
    const named = type === 'number' && some.every(Number.isInteger) ? 'integer' : (type as 'string');
    return sameForm(type as 'string', { type: named, enum: some, ...words }, { answers: some });
  });
}

function canAfford({ rules, spend, mark }: Lowering, values: readonly unknown[]): boolean {
  const characters = values.reduce<number>((sum, value) => sum + textLength(value), 0);
  const long = rules.limits.longEnum;
  if (long !== undefined && values.length > long.values && characters > long.characters) return false;
  const undo = mark();
  if (spend('enumValues', values.length) && spend('characters', characters)) return true;
  undo();
  return false;
}

function textLength(value: unknown): number {
  return (typeof value === 'string' ? value : JSON.stringify(value)).length;
}

function widenedForm(type: string | undefined, values: readonly unknown[], note: Note): Form {
  if (type === 'boolean') return booleanForm(note);
  if (type === 'null') return nullForm(note);
  if (type === 'string') return sameForm('string', { type, ...describePart(note) });
  const numbers = values.filter((value) => typeof value === 'number');
  return sameForm('number', { type: numbers.every(Number.isInteger) ? 'integer' : 'number', ...describePart(note) });
}
