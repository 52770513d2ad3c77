import { repairJson } from '@haft/repair';
import type { Case } from '@haft-tooling/corpora/damaged-json';
import { makeCompositions, makeControls, makeSingles, plainDamages } from '@haft-tooling/corpora/damaged-json';
import { isJson, isSameValue } from '@haft-tooling/corpora/same-value';

const uncut = plainDamages.filter(({ group }) => group !== 'truncation');
const cutClasses = new Set(plainDamages.filter(({ group }) => group === 'truncation').map(({ name }) => name));

/** Makes complete documents with up to three damages, to be cut. */
export function makeUncut(split: string, perClass: number, compositions: number, controls: number): readonly Case[] {
  return [
    ...makeControls(split, controls),
    ...makeSingles(split, perClass, uncut),
    ...makeCompositions(split, 2, compositions),
    ...makeCompositions(split, 3, compositions),
  ].filter(({ damages }) => !damages.some((name) => cutClasses.has(name)));
}

/** The outcomes for a text that was cut at every position. */
export interface CutCount {
  /** Number of readings of the text, one per cut and reason for its end. */
  readonly cuts: number;
  /** Readings that were reported as complete although the end is missing. */
  readonly takenForWhole: readonly string[];
}

/** Cuts a text at every position before the document's closer, and counts readings that are reported as complete. */
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

/**
 * Whether a complete text is read as meant but reported as incomplete. Returns undefined if it is not read as
 * meant.
 */
export function isUnsure({ text, truth }: Case): boolean | undefined {
  const result = repairJson(text, { root: 'object' });
  return result.ok && isSameValue(result.value, truth) ? !result.complete : undefined;
}

/**
 * The positions at which a cut leaves the document incomplete. White space alone does not count. If a stray closer
 * closed everything too early, the text up to it counts as complete, because nothing shows that more should follow.
 */
function cutPlaces({ text, begin, closer, ends }: Case): readonly number[] {
  const early = new Set(ends);
  return Array.from({ length: Math.max(0, Math.min(closer, text.length) - begin - 1) }, (_, index) => begin + index + 1)
    .filter((at) => text.slice(0, at).trim() !== '')
    .filter((at) => !early.has(text.slice(0, at).trimEnd().length));
}
