import type { ToolTraits } from '../contracts/permission/traits.ts';
import { findNearestNames } from '../nearest-names.ts';

type Expectation = readonly [isRight: (value: unknown) => boolean, expected: string];

const sideEffects = ['none', 'read', 'write', 'external'];
const flag: Expectation = [(value) => typeof value === 'boolean', 'true or false'];
const expectations: Readonly<Record<keyof ToolTraits, Expectation>> = {
  readOnly: flag,
  destructive: flag,
  idempotent: flag,
  openWorld: flag,
  pure: flag,
  sideEffects: [(value) => sideEffects.includes(value as string), `one of ${sideEffects.join(', ')}`],
  requires: [
    (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
    "a list of text such as ['network']",
  ],
};
const known: readonly string[] = Object.keys(expectations);

/** Tells whether a name is that of a trait. */
export function isTraitName(name: string): boolean {
  return known.includes(name);
}

/**
 * Finds what is wrong with declared traits; undefined when nothing is. Permission rests on them: one that is misspelt
 * would be missed without a word, and `'no'` would count as yes.
 */
export function findWrongTrait(traits: unknown): string | undefined {
  if (traits === undefined) return undefined;
  if (typeof traits !== 'object' || traits === null || Array.isArray(traits)) {
    return 'traits must be an object such as { readOnly: true }';
  }
  for (const [key, value] of Object.entries(traits)) {
    if (!known.includes(key)) {
      const nearest = findNearestNames(key, known, 1)[0];
      const instead = nearest === undefined ? `traits are ${known.join(', ')}` : `did you mean ${nearest}?`;
      return `there is no trait ${key}; ${instead}`;
    }
    const [isRight, expected] = expectations[key as keyof ToolTraits];
    if (value !== undefined && !isRight(value)) return `the trait ${key} must be ${expected}`;
  }
  return undefined;
}
