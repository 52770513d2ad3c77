import { createLineSearch, type LineSearchResult } from './search-lines.ts';

/** Lines to find in files by a pattern that comes from a model. */
export interface PatternJob {
  readonly source: string;
  readonly flags: string;
  /** Each file's text, in pieces. */
  readonly files: readonly (readonly string[])[];
  /** Lines shown before and after a match. */
  readonly context: number;
  /** How many matching lines are kept. */
  readonly keep: number;
}

/** A search result for each file, or why the engine could not use the pattern. */
export type PatternAnswer =
  | { readonly ok: true; readonly files: readonly LineSearchResult[] }
  | { readonly ok: false; readonly reason: string };

const sliceLength = 131_072;

/** Does a job piece by piece, pausing after each. How long one takes is up to the pattern. */
export function* workOnJob(job: PatternJob): Generator<undefined, PatternAnswer, undefined> {
  let { keep } = job;
  const files: LineSearchResult[] = [];
  try {
    const pattern = new RegExp(job.source, job.flags);
    for (const pieces of job.files) {
      const search = createLineSearch({ pattern, context: job.context, keep });
      for (const piece of pieces) {
        for (let from = 0; from < piece.length; from += sliceLength) {
          search.push(piece.slice(from, from + sliceLength));
          yield;
        }
      }
      const result = search.finish();
      keep = Math.max(0, keep - result.matches);
      files.push(result);
    }
  } catch (error) {
    // An engine finds out only when it runs a pattern that it is too large, or too deep.
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
  return { ok: true, files };
}

/** Does a job without a pause, for a thread that has nothing else to do. */
export function runPatternJob(job: PatternJob): PatternAnswer {
  const work = workOnJob(job);
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
