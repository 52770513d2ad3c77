import type { Case } from '@haft-tooling/corpora/damaged-json';
import type { Reading } from '@haft-tooling/peers/damaged-json/readers';
import { isSameValue, stringsOf } from '@haft-tooling/corpora/same-value';

/** `alternative` is a reading that is as good where a class has no one right answer. `hung` did not come back in time. */
export type Outcome = 'exact' | 'alternative' | 'wrong' | 'refused' | 'hung';

/** What a reader made of a case. */
export interface Verdict {
  readonly outcome: Outcome;
  /** Wrong, and nothing said that it might be. */
  readonly unmarked: boolean;
  /** A value came back without a string that the damage had not touched. */
  readonly changedString: boolean;
}

/** Compares what came back with the truth. */
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
