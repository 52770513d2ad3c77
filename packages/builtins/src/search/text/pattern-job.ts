import { prepareBytesSearch, type BytesSearchResult } from './search-bytes.ts';
import type { TextQuery } from './text-search.ts';

/** Files to be searched by a pattern that comes from a model. */
export interface PatternJob {
  readonly query: TextQuery;
  /** The content of each. */
  readonly files: readonly Uint8Array[];
}

/** A search result for each file, or why the engine could not use the pattern. */
export type PatternAnswer =
  | { readonly ok: true; readonly files: readonly BytesSearchResult[] }
  | { readonly ok: false; readonly reason: string };

/** Does a job piece by piece, pausing after each. How long one takes is up to the pattern. */
export function* workOnJob({ query, files }: PatternJob): Generator<undefined, PatternAnswer, undefined> {
  try {
    const search = prepareBytesSearch(query);
    const found: BytesSearchResult[] = [];
    for (const bytes of files) found.push(yield* search(bytes));
    return { ok: true, files: found };
  } catch (error) {
    // An engine finds out only when it runs a pattern that it is too large, or too deep.
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Does a job without a pause, for a thread that has nothing else to do. */
export function runPatternJob(job: PatternJob): PatternAnswer {
  const work = workOnJob(job);
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
