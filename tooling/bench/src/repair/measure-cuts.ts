import type { MeasuredRow } from '@haft-tooling/measure';
import { countRow } from '@haft-tooling/measure';
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
  return [
    countRow(
      `${cases.length} documents with up to three damages, cut at every place before their closer (${cuts} readings): reported as complete although cut`,
      '%',
      (100 * taken) / Math.max(1, cuts),
      {},
      '0 %',
      taken === 0,
    ),
    countRow(
      `${whole} documents with up to three damages, uncut and read as meant: reported as incomplete`,
      '%',
      (100 * unsure) / Math.max(1, whole),
      {},
      '≤ 2 %',
      unsure <= whole * 0.02,
    ),
  ];
}
