import type { JsonSchemaObject } from '../../../json-schema.ts';
import type { JsonRecord } from '../../../json-value.ts';
import { hasValue, isRecord, keysWithValues, setOwn } from '../../../json-value.ts';
import { canBeNull } from './agreement.ts';
import type { Effort, Form } from './form.ts';
import { sameForm, unfit } from './form.ts';
import type { Lowering } from './lowering.ts';
import { nullableSchema } from './union-form.ts';

/** One key of a converted object. */
export interface Member {
  /** Its name in the original schema; `undefined` for the list of all undeclared keys. */
  readonly name: string | undefined;
  readonly key: string;
  readonly form: Form;
  readonly schema: JsonSchemaObject;
  readonly isAlwaysThere: boolean;
  /** How an omitted key is written: absent, as null, or as null with present values wrapped as `{ value }`. */
  readonly filler: 'none' | 'null' | 'wrapped';
  readonly isSame: boolean;
}

/** The input of `createMember`. */
export interface NewMember extends Pick<Member, 'name' | 'key' | 'form'> {
  readonly isRequired: boolean;
  /** Whether the original accepts null for it. */
  readonly mayBeNull: boolean;
}

/** Creates a member of a form. Returns `undefined` if the provider allows no further union. */
export function memberOf(
  lowering: Lowering,
  { name, key, form, isRequired, mayBeNull }: NewMember,
): Member | undefined {
  const isFilled = !isRequired && lowering.rules.optional === 'null';
  if (!isFilled) {
    const isSame = form.isSame && name === key;
    return { name, key, form, schema: form.schema, isAlwaysThere: isRequired, filler: 'none', isSame };
  }
  const isNullTaken = form.kind === 'reference' ? mayBeNull : canBeNull(form);
  const inner = isNullTaken ? wrapValue(form) : form;
  if (!lowering.spend('unions', 1)) return undefined;
  const schema = nullableSchema(lowering, inner);
  const filler = isNullTaken ? 'wrapped' : 'null';
  return { name, key, form: inner, schema, isAlwaysThere: true, filler, isSame: false };
}

/** `{ value }`, so that a given null differs from an omitted key. */
function wrapValue(form: Form): Form {
  const schema: JsonSchemaObject = {
    type: 'object',
    properties: { value: form.schema },
    required: ['value'],
    additionalProperties: false,
    description: 'null omits the key; {"value": null} sets it to null.',
  };
  const members = {
    forms: new Map([['value', form]]),
    required: new Set(['value']),
    fillable: new Set<string>(),
    isClosed: true,
  };
  return {
    ...sameForm('object', schema, { members }),
    isSame: false,
    raise: (answer) =>
      isRecord(answer) && Object.hasOwn(answer, 'value') && Object.keys(answer).length === 1
        ? form.raise(answer['value'])
        : answer,
    lower: (value, effort) => {
      const answer = form.lower(value, effort);
      return answer === unfit ? unfit : { value: answer };
    },
    stands: (value) => form.stands(value),
  };
}

/** Converts an answer into the object that it means. Other input stays unchanged. */
export function raiseMembers(members: readonly Member[], rest: Form | undefined, answer: unknown): unknown {
  if (!isRecord(answer)) return answer;
  const byKey = new Map(members.map((member) => [member.key, member]));
  const raised: Record<string, unknown> = {};
  const maps: unknown[] = [];
  for (const key of Object.keys(answer)) {
    const member = byKey.get(key);
    const given = answer[key];
    if (member === undefined) setOwn(raised, key, rest === undefined ? given : rest.raise(given));
    else if (given === null && member.filler !== 'none') continue;
    else if (member.name !== undefined) setOwn(raised, member.name, member.form.raise(given));
    else maps.push(member.form.raise(given));
  }
  return maps.every((map) => addKeys(raised, map)) ? raised : answer;
}

/** Adds the keys of a map to an object. Returns false if a key exists already, because its value is then ambiguous. */
function addKeys(raised: Record<string, unknown>, map: unknown): boolean {
  if (!isRecord(map) || Object.keys(map).some((name) => Object.hasOwn(raised, name))) return false;
  for (const name of Object.keys(map)) setOwn(raised, name, map[name]);
  return true;
}

/** Converts an object into an answer, or returns `unfit`. */
export function lowerMembers(
  members: readonly Member[],
  rest: Form | undefined,
  isClosed: boolean,
  value: unknown,
  effort: Effort,
): unknown {
  if (!isRecord(value)) return unfit;
  const lowered: Record<string, unknown> = {};
  const known = new Set(members.map(({ name }) => name));
  const others = keysWithValues(value).filter((key) => !known.has(key));
  const isFitting = (isComplete(members, value) && (others.length === 0 || !isClosed)) || effort.choices === 0;
  if (!isFitting) return unfit;
  for (const { name, key, form, filler } of members) {
    if (name !== undefined && !hasValue(value, name)) {
      if (filler !== 'none') setOwn(lowered, key, null);
      continue;
    }
    const part = name === undefined ? pick(value, others) : value[name];
    const answer = form.lower(part, effort);
    if (answer === unfit) return unfit;
    setOwn(lowered, key, answer);
  }
  if (known.has(undefined)) return lowered;
  for (const key of others) {
    const answer = rest === undefined ? value[key] : rest.lower(value[key], effort);
    if (answer === unfit) return unfit;
    setOwn(lowered, key, answer);
  }
  return lowered;
}

/** Whether an object has all required keys and, if closed, no others. */
export function standsForMembers(members: readonly Member[], isClosed: boolean, value: unknown): boolean {
  if (!isRecord(value)) return false;
  const byName = new Map(members.map((member) => [member.name, member]));
  return (
    isComplete(members, value) &&
    keysWithValues(value).every((key) => {
      const member = byName.get(key);
      return member === undefined ? !isClosed : member.form.members !== undefined || member.form.stands(value[key]);
    })
  );
}

function isComplete(members: readonly Member[], value: JsonRecord): boolean {
  return members.every(
    ({ name, isAlwaysThere, filler }) =>
      !isAlwaysThere || filler !== 'none' || name === undefined || hasValue(value, name),
  );
}

function pick(value: JsonRecord, keys: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const key of keys) setOwn(picked, key, value[key]);
  return picked;
}
