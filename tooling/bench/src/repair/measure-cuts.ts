import type { MeasuredRow } from '@haft-tooling/measure';
import { countRow } from '@haft-tooling/measure';
import type { Case } from '@haft-tooling/corpora/damaged-json';
import { countCuts, isDoubted } from './cuts.ts';

/** Cuts documents with up to three damages at every place: the text must not pass for whole before its closer is there. */
export function measureCuts(cases: readonly Case[]): readonly MeasuredRow[] {
  let cuts = 0;
  let taken = 0;
  let whole = 0;
  let doubted = 0;
  for (const one of cases) {
    const count = countCuts(one);
    cuts += count.cuts;
    taken += count.takenForWhole.length;
    const isDoubtedOne = one.closer < one.text.length ? isDoubted(one) : undefined;
    if (isDoubtedOne !== undefined) whole += 1;
    if (isDoubtedOne === true) doubted += 1;
  }
  return [
    countRow(
      `${cases.length} documents with up to three damages, cut at every place before their closer (${cuts} readings): taken for whole though something is missing`,
      '%',
      (100 * taken) / Math.max(1, cuts),
      {},
      '0 %',
      taken === 0,
    ),
    countRow(
      `${whole} documents with up to three damages and their closer, read as meant: not taken for whole`,
      '%',
      (100 * doubted) / Math.max(1, whole),
      {},
      '≤ 2 %',
      doubted <= whole * 0.02,
    ),
  ];
}
