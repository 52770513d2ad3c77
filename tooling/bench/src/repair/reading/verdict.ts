import type { Case } from '@haft-tooling/corpora/damaged-json';
import type { Reading } from '@haft-tooling/peers/damaged-json/readers';
import { isSameValue, stringsOf } from '@haft-tooling/corpora/same-value';

/**
 * `alternative` is an equally good reading in a class without one right answer. `hung` means that the time limit
 * passed.
 */
export type Outcome = 'exact' | 'alternative' | 'wrong' | 'refused' | 'hung';

/** The outcome of a reader for one case. */
export interface Verdict {
  readonly outcome: Outcome;
  /** The value is wrong, and the reader reported no ambiguity. */
  readonly unmarked: boolean;
  /** The value lacks a string that the damage had not touched. */
  readonly changedString: boolean;
}

/** Compares the value that was read with the original. */
export function judge(reading: Reading | undefined, one: Pick<Case, 'truth' | 'alternatives' | 'untouched'>): Verdict {
  if (reading === undefined || reading.value === undefined)
    return { outcome: 'refused', unmarked: false, changedString: false };
  const { value, marked = false } = reading;
  if (isSameValue(value, one.truth)) return { outcome: 'exact', unmarked: false, changedString: false };
  const isAlternative = one.alternatives.some((alternative) => isSameValue(value, alternative));
  return {
    outcome: isAlternative ? 'alternative' : 'wrong',
    unmarked: !isAlternative && !marked,
    changedString: !isAlternative && losesString(value, one.untouched),
  };
}

function losesString(value: unknown, untouched: readonly string[]): boolean {
  const left = new Map<string, number>();
  for (const text of stringsOf(value)) left.set(text, (left.get(text) ?? 0) + 1);
  return untouched.some((text) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count === 0;
  });
}
