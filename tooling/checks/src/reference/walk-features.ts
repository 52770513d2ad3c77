import { describe, expect, it } from 'vitest';
import { readRepositoryFile } from '../workspace.ts';

/** A feature, as a sentence about behaviour and the code that shows it. */
export type Shown = readonly [sentence: string, show: () => unknown];

/** What one system publishes, and how far that is shown here. */
export interface Walk {
  readonly system: string;
  /** The letter that its features are numbered under, and how many there are: `G` 49 is G1 to G49. */
  readonly letter: string;
  readonly count: number;
  /** A test for each feature, by its number. */
  readonly shown: Readonly<Record<string, Shown>>;
  /** Features that are left out on purpose, each with the page below `docs/decisions` that says so, and the words that do. */
  readonly decided?: Readonly<Record<string, readonly [page: string, words: RegExp]>>;
  /** Features that are not built or not shown yet, each with the reason: a list that only shrinks. */
  readonly missing: Readonly<Record<string, string>>;
  /** How many may be missing: lower it with the list. */
  readonly mostMissing: number;
}

/** Makes a test of every feature, and one that none was forgotten. */
export function walkFeatures({ system, letter, count, shown, decided = {}, missing, mostMissing }: Walk): void {
  describe(`the features of ${system}`, () => {
    it('are each shown here, decided against, or named as missing with the reason, and only one of these', () => {
      const all = Array.from({ length: count }, (_, index) => `${letter}${index + 1}`);
      const walked = [shown, decided, missing].flatMap((list) => Object.keys(list));
      expect(walked.toSorted(byNumber)).toEqual(all);
      expect(Object.values(missing).filter((reason) => reason.trim() === '')).toEqual([]);
    });

    it('that are missing become fewer', () => {
      expect(Object.keys(missing).length).toBeLessThanOrEqual(mostMissing);
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
