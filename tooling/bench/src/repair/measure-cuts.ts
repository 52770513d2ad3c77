import { atMost, countRow, exactly, type MeasuredRow } from '@haft-tooling/measure';
import type { Case } from '@haft-tooling/corpora/damaged-json';
import { countCuts, isUnsure } from './cuts.ts';

/** Cuts documents with up to three damages at every position. No cut text may be reported as complete. */
export function measureCuts(cases: readonly Case[]): readonly MeasuredRow[] {
  let cuts = 0;
  let taken = 0;
  let whole = 0;
  let unsure = 0;
  for (const one of cases) {
    const count = countCuts(one);
    cuts += count.cuts;
    taken += count.takenForWhole.length;
    const isUnsureOne = one.closer < one.text.length ? isUnsure(one) : undefined;
    if (isUnsureOne !== undefined) whole += 1;
    if (isUnsureOne === true) unsure += 1;
  }
  const documents = (count: number): string => `${count} documents with up to three damages`;
  const ofCuts = `${documents(cases.length)}, cut at every place before their closer (${cuts} readings): reported as complete although cut`;
  const ofWhole = `${documents(whole)}, uncut and read as meant: reported as incomplete`;
  return [
    countRow(ofCuts, '%', (100 * taken) / Math.max(1, cuts), {}, exactly(0, '%')),
    countRow(ofWhole, '%', (100 * unsure) / Math.max(1, whole), {}, atMost(2, '%')),
  ];
}
