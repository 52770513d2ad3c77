import { canonicalJson } from './canonical-json.ts';
import { isDeepEqual } from '../json-value.ts';

/** A list of choices, indexed so that look-ups do not take longer for longer lists. */
export interface ChoiceIndex {
  has(value: unknown): boolean;
  /**
   * Returns the choice that differs from a text only in case and surrounding blanks. Returns `undefined` if there is no
   * such choice or more than one.
   */
  findRecased(text: string): string | undefined;
}

const indexes = new WeakMap<readonly unknown[], ChoiceIndex>();

/** The index of an immutable list. Cached per list. */
export function indexOfChoices(choices: readonly unknown[]): ChoiceIndex {
  const known = indexes.get(choices);
  if (known !== undefined) return known;
  const index = createIndex(choices);
  indexes.set(choices, index);
  return index;
}

function createIndex(choices: readonly unknown[]): ChoiceIndex {
  const scalars = new Set<unknown>();
  const containers = new Map<string, unknown[]>();
  let recased: Map<string, string | undefined> | undefined;
  for (const choice of choices) {
    if (typeof choice !== 'object' || choice === null) scalars.add(choice);
    else push(containers, canonicalJson(choice), choice);
  }
  return {
    has(value) {
      if (typeof value !== 'object' || value === null) return scalars.has(value);
      if (containers.size === 0) return false;
      return containers.get(canonicalJson(value))?.some((choice) => isDeepEqual(choice, value)) === true;
    },
    findRecased(text) {
      recased ??= foldAll(choices);
      return recased.get(fold(text));
    },
  };
}

function push(into: Map<string, unknown[]>, key: string, value: unknown): void {
  const list = into.get(key);
  if (list === undefined) into.set(key, [value]);
  else list.push(value);
}

function foldAll(choices: readonly unknown[]): Map<string, string | undefined> {
  const folded = new Map<string, string | undefined>();
  for (const choice of choices) {
    if (typeof choice !== 'string') continue;
    const key = fold(choice);
    // If two choices are equal after folding, neither is meant.
    folded.set(key, folded.has(key) ? undefined : choice);
  }
  return folded;
}

function fold(text: string): string {
  return text.trim().toLowerCase();
}
