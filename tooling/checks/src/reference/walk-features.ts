import { describe, expect, it } from 'vitest';
import { readRepositoryFile } from '../workspace.ts';

/** A feature: a sentence about behaviour, and the code that proves it. */
export type Shown = readonly [sentence: string, show: () => unknown];

/** The published features of one system, and how many of them are covered here. */
export interface Walk {
  readonly system: string;
  /** The letter of its feature numbers, and their count: `G` 49 means G1 to G49. */
  readonly letter: string;
  readonly count: number;
  /** A test for each feature, keyed by number. */
  readonly shown: Readonly<Record<string, Shown>>;
  /** Features that are left out on purpose, each with its page below `docs/decisions`, and the sentence there. */
  readonly decided?: Readonly<Record<string, readonly [page: string, words: RegExp]>>;
  /** Features that are not built or not tested yet, each with the reason. The list may only shrink. */
  readonly missing: Readonly<Record<string, string>>;
  /** Maximum length of that list. Lower it with the list. */
  readonly maxMissing: number;
}

/** Creates a test for each feature, and one that checks that no feature was forgotten. */
export function walkFeatures({ system, letter, count, shown, decided = {}, missing, maxMissing }: Walk): void {
  describe(`the features of ${system}`, () => {
    it('are each tested here, left out on purpose, or listed as missing with a reason, and only one of these', () => {
      const all = Array.from({ length: count }, (_, index) => `${letter}${index + 1}`);
      const walked = [shown, decided, missing].flatMap((list) => Object.keys(list));
      expect(walked.toSorted(byNumber)).toEqual(all);
      expect(Object.values(missing).filter((reason) => reason.trim() === '')).toEqual([]);
    });

    it('that are missing become fewer', () => {
      expect(Object.keys(missing).length).toBeLessThanOrEqual(maxMissing);
    });

    for (const [id, [page, words]] of Object.entries(decided))
      it(`(${id}) is left out, as docs/decisions/${page} says`, () =>
        expect(readRepositoryFile(`docs/decisions/${page}`)).toMatch(words));

    for (const [id, [sentence, show]] of Object.entries(shown))
      it(`(${id}) ${sentence}`, async () => void (await show()));
  });
}

function byNumber(a: string, b: string): number {
  return Number(a.slice(1)) - Number(b.slice(1));
}
