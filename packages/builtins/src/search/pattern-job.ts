import { createLineSearch, type LineSearchResult } from './search-lines.ts';

/** Work for a pattern that comes from a model, done where it can be stopped. */
export type PatternJob =
  | {
      readonly kind: 'lines';
      readonly source: string;
      readonly flags: string;
      /** Each file's text, in pieces. */
      readonly files: readonly (readonly string[])[];
      readonly context: number;
      readonly keep: number;
    }
  | { readonly kind: 'names'; readonly source: string; readonly flags: string; readonly names: readonly string[] };

/** The answer: a search result for each file, or whether each name matches. */
export type PatternAnswer =
  | { readonly kind: 'lines'; readonly files: readonly LineSearchResult[] }
  | { readonly kind: 'names'; readonly matches: readonly boolean[] };

/** Does the work. Takes as long as the pattern takes. */
export function runPatternJob(job: PatternJob): PatternAnswer {
  const pattern = new RegExp(job.source, job.flags);
  if (job.kind === 'names') return { kind: 'names', matches: job.names.map((name) => pattern.test(name)) };
  let { keep } = job;
  const files = job.files.map((pieces) => {
    const search = createLineSearch({ pattern, context: job.context, keep });
    for (const piece of pieces) search.push(piece);
    const result = search.finish();
    keep = Math.max(0, keep - result.matches);
    return result;
  });
  return { kind: 'lines', files };
}
