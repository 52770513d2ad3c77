import type { Case } from '@haft-tooling/corpora/damaged-json';
import type { Verdict } from './verdict.ts';

/** A case, and the outcome of a reader. */
export interface Judged {
  readonly one: Case;
  readonly verdict: Verdict;
}

/** The outcomes of every reader, by name. */
export type Results = ReadonlyMap<string, readonly Judged[]>;

export type SuitsCase = (one: Case) => boolean;
export type IsHit = (judged: Judged) => boolean;

/** Whether the case has a single right answer without a schema. */
export function isUnambiguous({ group }: Case): boolean {
  return group !== 'ambiguous' && group !== 'schema';
}

/** Whether the reader returned exactly the original value. */
export function isExact({ verdict }: Judged): boolean {
  return verdict.outcome === 'exact';
}

/** Whether the reader returned the original value, or an equally good one if the case has no single right answer. */
export function isAsGood({ verdict }: Judged): boolean {
  return verdict.outcome === 'exact' || verdict.outcome === 'alternative';
}

/** Percentage of suitable cases that are hits. Throws if no case is suitable. */
export function countShare(results: Results, reader: string, suits: SuitsCase, hits: IsHit): number {
  const suitable = (results.get(reader) ?? []).filter(({ one }) => suits(one));
  if (suitable.length === 0) throw new Error(`no case of this kind was given to ${reader}`);
  return (100 * suitable.filter(hits).length) / suitable.length;
}
