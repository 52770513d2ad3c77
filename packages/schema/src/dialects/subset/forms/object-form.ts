import type { JsonSchema, JsonSchemaObject } from '../../../json-schema.ts';
import { isRecord, setOwn } from '../../../json-value.ts';
import { compilePattern } from '../../../patterns/pattern-matcher.ts';
import { describePart } from '../facets/describe-part.ts';
import type { Conjunction, Facets, Note } from '../facets/facets.ts';
import type { Form } from './form.ts';
import { neverForm, unfit } from './form.ts';
import type { Lowering } from './lowering.ts';
import type { Member } from './form-member.ts';
import { lowerMembers, memberOf, raiseMembers, standsForMembers } from './form-member.ts';
import { createFreeNames } from '../../names/free-names.ts';
import { nameKeys } from '../../names/name-keys.ts';
import { pairsForm } from './pairs-form.ts';
import { keepLimits } from './scalar-forms.ts';
import { listedTextForm, textForm } from './text-form.ts';

/**
 * Converts an object: its declared keys, and the rule for other keys. Returns `undefined` if it exceeds the provider's
 * limits.
 */
export function objectForm(lowering: Lowering, facets: Facets, note: Note, level: number): Form | undefined {
  const { rules } = lowering;
  const names = new Set([...facets.keys.flatMap(({ properties }) => Object.keys(properties)), ...facets.required]);
  const others = undeclaredOf(lowering, facets, names.size > 0 || level === 1);
  const limits = keepLimits(lowering, facets, ['minProperties', 'maxProperties']);
  const isFree = names.size === 0 && others === 'any' && (rules.undeclared !== 'schema' || level > 1);
  if (isFree) {
    const meaning = 'it is written as JSON text, which the provider does not check';
    lowering.lose({ path: facets.path, keyword: 'additionalProperties', effect: 'wider', meaning });
    return textForm(describePart(note, ['JSON text of an object', ...limits.hints]), isRecord);
  }
  if (names.size === 0 && others !== 'none' && others !== 'any') {
    if (rules.undeclared !== 'schema')
      return limited(pairsForm(lowering, others, describePart(note, limits.hints), level, facets.path), limits.fits);
  }
  const characters = [...names].reduce((sum, name) => sum + name.length, 0);
  if (!lowering.spend('properties', names.size) || !lowering.spend('characters', characters)) return undefined;

  const keys = nameKeys([...names], rules.keys);
  const members: Member[] = [];
  for (const name of names) {
    const conjunction = schemasOf(facets, name);
    const isRequired = facets.required.has(name);
    const mayBeNull = takesNull(lowering, conjunction);
    // A key that is optional and accepts null is wrapped, which adds one level.
    const isWrapped = !isRequired && rules.optional === 'null' && mayBeNull;
    const form = lowering.emit(conjunction, level + (isWrapped ? 2 : 1));
    if (form.kind === 'never') {
      if (isRequired) return neverForm;
      if (rules.undeclared === 'schema') loseNever(lowering, facets, name);
      continue;
    }
    if (!isRequired && rules.optional === 'absent' && !lowering.spend('optionalKeys', 1)) return undefined;
    const member = memberOf(lowering, { name, key: keys.get(name) ?? name, form, isRequired, mayBeNull });
    if (member === undefined) return undefined;
    members.push(member);
  }
  if (members.length === 0 && others === 'none' && !rules.emptyObjects && level > 1) {
    return listedTextForm(describePart(note), [{}]);
  }
  const pairs = othersAsMember(lowering, others, members, level, facets.path);
  const words = { ...limits.kept, ...describePart(note, limits.hints) };
  return limited(
    finish(lowering, pairs === undefined ? members : [...members, pairs], others, level, words),
    limits.fits,
  );
}

/** Inside a union, the limits show which form a value belongs to. */
function limited(form: Form, fits: (value: unknown) => boolean): Form {
  return {
    ...form,
    lower: (value, effort) => (effort.choices > 0 && !fits(value) ? unfit : form.lower(value, effort)),
  };
}

function finish(
  lowering: Lowering,
  members: readonly Member[],
  others: Conjunction | 'any' | 'none',
  level: number,
  more: JsonSchemaObject,
): Form {
  const { rules } = lowering;
  const properties: Record<string, JsonSchema> = {};
  for (const { key, schema } of members) setOwn(properties, key, schema);
  const required = members.flatMap(({ key, isAlwaysThere }) => (isAlwaysThere ? [key] : []));
  const rest = restOf(lowering, others, level);
  const isMap = members.length === 0 && rest.form !== undefined;
  const schema: JsonSchemaObject = {
    type: 'object',
    ...(isMap ? {} : { properties }),
    ...(required.length > 0 || rules.optional === 'null' ? { required } : {}),
    ...rest.schema,
    ...more,
  };
  return {
    kind: 'object',
    schema,
    isSame: members.every(({ isSame }) => isSame) && rest.form?.isSame !== false,
    members: {
      forms: new Map(members.map(({ key, form }) => [key, form])),
      required: new Set(required),
      fillable: new Set(members.flatMap(({ key, filler }) => (filler === 'none' ? [] : [key]))),
      isClosed: rules.undeclared !== 'schema' || others === 'none',
    },
    raise: (answer) => raiseMembers(members, rest.form, answer),
    lower: (value, effort) => lowerMembers(members, rest.form, others === 'none', value, effort),
    stands: (value) => standsForMembers(members, others === 'none', value),
  };
}

/** Rules for undeclared keys: schemas, any value, or none allowed. */
function undeclaredOf(lowering: Lowering, facets: Facets, isDeclaring: boolean): Conjunction | 'any' | 'none' {
  const patterns = facets.keys.flatMap((rules) => rules.patterns);
  const isClosed = facets.isSealed || facets.keys.some(({ undeclared }) => undeclared === false);
  const said = facets.keys.flatMap(({ undeclared }) => (saysSomething(undeclared) ? [undeclared] : []));
  if (patterns.length > 0) {
    const path = facets.keys.find((rules) => rules.patterns.length > 0)?.path ?? facets.path;
    lowering.lose({ path, keyword: 'patternProperties', effect: 'wider', meaning: 'keys may have any form' });
    const rest: readonly JsonSchema[] = isClosed ? [] : [said.length === 0 ? true : { allOf: said }];
    return [{ anyOf: [...patterns.map(([, schema]) => schema), ...rest] }];
  }
  if (isClosed || said.length > 0) return isClosed ? 'none' : said;
  // `properties` without names declares an object without keys; a missing `properties` declares any object.
  const isMeantOpen = facets.keys.some(({ undeclared }) => undeclared !== undefined);
  const isObjectOfKeys = isDeclaring || facets.keys.length > 0;
  if (lowering.rules.undeclared === 'schema' || (isMeantOpen && !isDeclaring) || !isObjectOfKeys) return 'any';
  const path = facets.keys[0]?.path ?? facets.path;
  const meaning = 'undeclared keys cannot be given';
  lowering.lose({ path, keyword: 'additionalProperties', effect: 'narrower', meaning });
  return 'none';
}

function saysSomething(schema: JsonSchema | undefined): schema is JsonSchema {
  return typeof schema === 'object' && Object.keys(schema).length > 0;
}

function takesNull({ read }: Lowering, conjunction: Conjunction): boolean {
  return read(conjunction).alternatives.some(({ types, values }) => values?.includes(null) ?? types.has('null'));
}

/** All schemas that apply to the value of one key. */
function schemasOf(facets: Facets, name: string): Conjunction {
  const isDeclared = facets.keys.some(({ properties }) => Object.hasOwn(properties, name));
  if (facets.isSealed && !isDeclared) return [false];
  return facets.keys.flatMap(({ properties, patterns, undeclared }) => {
    const found = patterns.flatMap(([pattern, schema]) =>
      compilePattern(pattern).test(name) === true ? [schema] : [],
    );
    if (Object.hasOwn(properties, name)) found.push(properties[name] as JsonSchema);
    return found.length === 0 && undeclared !== undefined ? [undeclared] : found;
  });
}

function othersAsMember(
  lowering: Lowering,
  others: Conjunction | 'any' | 'none',
  members: readonly Member[],
  level: number,
  path: string,
): Member | undefined {
  const { rules } = lowering;
  if (others === 'none' || others === 'any' || rules.undeclared === 'schema') return undefined;
  const key = createFreeNames(members.map((member) => member.key))('further_keys');
  const words = { description: 'Keys that are not listed above, with their values.' };
  const form = pairsForm(lowering, others, words, level + 1, path);
  return form.kind === 'never'
    ? undefined
    : memberOf(lowering, { name: undefined, key, form, isRequired: true, mayBeNull: false });
}

/** Rules for undeclared keys, as the value of `additionalProperties`. */
function restOf(
  lowering: Lowering,
  others: Conjunction | 'any' | 'none',
  level: number,
): { readonly schema: JsonSchemaObject; readonly form?: Form } {
  const { rules } = lowering;
  if (rules.undeclared === 'unsaid') return { schema: {} };
  if (rules.undeclared === 'closed' || others === 'none') return { schema: { additionalProperties: false } };
  if (others === 'any') return { schema: {} };
  const form = lowering.emit(others, level + 1);
  return form.kind === 'never'
    ? { schema: { additionalProperties: false } }
    : { schema: { additionalProperties: form.schema }, form };
}

function loseNever(lowering: Lowering, facets: Facets, name: string): void {
  const path = facets.keys.find(({ properties }) => Object.hasOwn(properties, name))?.path ?? facets.path;
  lowering.lose({
    path,
    keyword: 'properties',
    effect: 'wider',
    meaning: `the key ${JSON.stringify(name)} may be given`,
  });
}
