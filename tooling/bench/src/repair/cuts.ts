import { repairJson } from '@haft/repair';

import type { Case } from '@haft-tooling/corpora/damaged-json';
import { isJson, isSameValue } from '@haft-tooling/corpora/same-value';

/** What became of a text that was cut everywhere. */
export interface CutCount {
  /** Readings of the text, each cut somewhere else, or with another reason given for its end. */
  readonly cuts: number;
  /** Those that were taken for whole although something is missing. */
  readonly takenForWhole: readonly string[];
}

/** Cuts a text at every place before its document's own closer, and counts what passes for whole. */
export function countCuts(one: Case): CutCount {
  const takenForWhole: string[] = [];
  const places = cutPlaces(one);
  for (const at of places) {
    const text = one.text.slice(0, at);
    for (const stopped of ['length', 'stop'] as const) {
      const result = repairJson(text, { root: 'object', stopped });
      const isWhole = result.ok && result.complete;
      if (isWhole && !isSameValue(result.value, one.truth) && !isJson(text)) takenForWhole.push(text);
    }
  }
  return { cuts: places.length * 2, takenForWhole };
}

/** Whether a text is whole, read as meant, and still not said to be whole. Nothing where it is not read as meant. */
export function isDoubted({ text, truth }: Case): boolean | undefined {
  const result = repairJson(text, { root: 'object' });
  return result.ok && isSameValue(result.value, truth) ? !result.complete : undefined;
}

/**
 * Where cutting leaves a document without its end. White space alone is no document yet. Where an odd closer has closed
 * everything too early, what stands before it is a whole document, and nothing can show that more was to come.
 */
function cutPlaces({ text, begin, closer, ends }: Case): readonly number[] {
  const early = new Set(ends);
  return Array.from({ length: Math.max(0, Math.min(closer, text.length) - begin - 1) }, (_, index) => begin + index + 1)
    .filter((at) => text.slice(0, at).trim() !== '')
    .filter((at) => !early.has(text.slice(0, at).trimEnd().length));
}
