import type { Material } from '../material/material.ts';
import type { Random } from '../random.ts';
import type { ObjectPart } from './part.ts';
import type { MemberPlace } from './places.ts';
import { membersOf, objectsOf } from './places.ts';

/** The input of a spoiler. It changes `value` in place, and `meant` if more than the original is right. */
export interface Draft {
  readonly tool: ObjectPart;
  readonly value: Record<string, unknown>;
  /** The same arguments before they were spoiled. */
  readonly meant: Record<string, unknown>;
}

/** Spoils arguments as a model does. Returns false if the arguments don't support it. */
export type Spoiler = (draft: Draft, random: Random, material: Material) => boolean;

/** Returns the spelling of a key in another case. */
export const renaming = 'a key in another case';

/** The near misses. Each can be undone with the schema alone. */
export const spoilers: Readonly<Record<string, Spoiler>> = {
  'a number in a string': (draft, random) =>
    replaceOne(draft, random, isNumber, ({ value, member }) =>
      member.part.kind === 'integer' && random.chance(0.15) ? `${String(value)}.0` : String(value),
    ),
  'true or false in a string': (draft, random) =>
    replaceOne(draft, random, isFlag, ({ value }) => random.pick([String(value), value === true ? 'True' : 'False'])),
  'a list or object as JSON in a string': (draft, random) =>
    replaceOne(draft, random, isContainer, ({ value }) =>
      random.chance(0.5) ? JSON.stringify(value) : JSON.stringify(value, null, random.pick([1, 2])),
    ),
  'a value of an enum in another case': (draft, random) =>
    replaceOne(draft, random, isChoice, ({ value, member }) => {
      const text = String(value);
      const values: readonly string[] = member.part.kind === 'choice' ? member.part.values : [];
      const others = [
        text.toUpperCase(),
        text.toLowerCase(),
        text.charAt(0).toUpperCase() + text.slice(1).toLowerCase(),
      ];
      return random.pick(others.filter((other) => !values.includes(other)));
    }),
  [renaming]: (draft, random) => renameOne(draft, random),
  'one item in place of a list': (draft, random) =>
    replaceOne(draft, random, isListOfOne, ({ value }) => (value as readonly unknown[])[0]),
  'null for a key that is left out': (draft, random) =>
    replaceOne(
      draft,
      random,
      ({ value, member }) => value === undefined && !member.isRequired,
      () => null,
    ),
  'a key that is not declared': addKey,
};

/** Keys that models add out of habit, and that no tool here declares. */
const strays: readonly (readonly [string, unknown])[] = [
  ['explanation', 'I need this to answer the question.'],
  ['_comment', 'first attempt'],
  ['confidence', 0.93],
  ['justification', null],
  ['reasoning', ['look', 'then change']],
  ['toolUseId', 'toolu_01'],
];

function isNumber({ value }: MemberPlace): boolean {
  return typeof value === 'number';
}

function isFlag({ value }: MemberPlace): boolean {
  return typeof value === 'boolean';
}

function isContainer({ value }: MemberPlace): boolean {
  return typeof value === 'object' && value !== null;
}

function isChoice({ value, member }: MemberPlace): boolean {
  return member.part.kind === 'choice' && value !== undefined;
}

/** A missing pair of brackets is clear around objects and lists. Around an empty text, it is hardly ever meant. */
function isListOfOne({ value }: MemberPlace): boolean {
  return Array.isArray(value) && value.length === 1;
}

function replaceOne(
  { tool, value }: Draft,
  random: Random,
  canBe: (place: MemberPlace) => boolean,
  make: (place: MemberPlace) => unknown,
): boolean {
  const places = membersOf(tool, value).filter(canBe);
  if (places.length === 0) return false;
  const place = random.pick(places);
  place.holder[place.name] = make(place);
  return true;
}

function renameOne({ tool, value }: Draft, random: Random): boolean {
  const places = membersOf(tool, value).filter((place) => place.value !== undefined);
  const given = places.flatMap((place) => {
    const names = variantsOf(place.name).filter(
      (name) => name !== place.name && !Object.hasOwn(place.object.members, name),
    );
    return names.map((name) => ({ place, name }));
  });
  if (given.length === 0) return false;
  const { place, name } = random.pick(given);
  const entries = Object.entries(place.holder).map(([key, part]) => [key === place.name ? name : key, part] as const);
  for (const key of Object.keys(place.holder)) delete place.holder[key];
  Object.assign(place.holder, Object.fromEntries(entries));
  return true;
}

/** The ways to write the words of a name: `maxResults`, `max_results`, `max-results`, `MaxResults`, `MAX_RESULTS`. */
function variantsOf(name: string): readonly string[] {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_');
  const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  const camel = pascal.charAt(0).toLowerCase() + pascal.slice(1);
  return [...new Set([camel, words.join('_'), words.join('-'), pascal, words.join('_').toUpperCase()])];
}

/** Adds keys only if the schema accepts them, because a key that a closed object rejects is not a near miss. */
function addKey({ tool, value }: Draft, random: Random): boolean {
  const places = objectsOf(tool, value).filter(({ object }) => !object.isClosed);
  if (places.length === 0) return false;
  const [key, stray] = random.pick(strays);
  random.pick(places).holder[key] = stray;
  return true;
}

/** The meaning of arguments with and without the keys that models add: both are right. */
export function withoutStrays(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutStrays);
  if (typeof value !== 'object' || value === null) return value;
  const names = new Set(strays.map(([name]) => name));
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) => (names.has(key) ? [] : [[key, withoutStrays(part)]])),
  );
}
