import { canonicalJson } from './canonical-json.ts';
import { isDeepEqual } from '../json-value.ts';

/** A list of choices, prepared so that looking one up does not cost more the longer the list is. */
export interface ChoiceIndex {
  has(value: unknown): boolean;
  /** The one text that differs from this in case and outer blanks only; `undefined` for none or several. */
  findRecased(text: string): string | undefined;
}

const indexes = new WeakMap<readonly unknown[], ChoiceIndex>();

/** The index of a list that does not change any more. Made once for a list. */
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
    // Two that fold alike stand for nothing.
    folded.set(key, folded.has(key) ? undefined : choice);
  }
  return folded;
}

function fold(text: string): string {
  return text.trim().toLowerCase();
}
