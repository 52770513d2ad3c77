import type { Case } from '@haft-tooling/corpora/damaged-json';
import type { Verdict } from './verdict.ts';

/** A case with what a reader made of it. */
export interface Judged {
  readonly one: Case;
  readonly verdict: Verdict;
}

/** What every reader, by name, made of the cases. */
export type Results = ReadonlyMap<string, readonly Judged[]>;

export type SuitsCase = (one: Case) => boolean;
export type IsHit = (judged: Judged) => boolean;

/** Whether there is one right answer that needs no schema. */
export function isUnambiguous({ group }: Case): boolean {
  return group !== 'ambiguous' && group !== 'schema';
}

/** Whether exactly what was meant came back. */
export function isExact({ verdict }: Judged): boolean {
  return verdict.outcome === 'exact';
}

/** Whether what came back was meant, or is as good where there is no one right answer. */
export function isAsGood({ verdict }: Judged): boolean {
  return verdict.outcome === 'exact' || verdict.outcome === 'alternative';
}

/** How many of a hundred suitable cases are hits. Throws when there is no suitable case. */
export function countShare(results: Results, reader: string, suits: SuitsCase, hits: IsHit): number {
  const suitable = (results.get(reader) ?? []).filter(({ one }) => suits(one));
  if (suitable.length === 0) throw new Error(`${reader} was given no such case`);
  return (100 * suitable.filter(hits).length) / suitable.length;
}
