import { runOverFiles, type ConfinedFile } from '@haft/sandbox';

/** Tells which of some open files may hold a match. */
export type CandidateFilter = (files: readonly ConfinedFile[], signal: AbortSignal) => Promise<ReadonlySet<number>>;

/** Far more than any batch takes; after it the files are searched without. */
const longestMs = 10_000;

/**
 * Makes a filter of ripgrep, by a pattern from `relaxPattern`. It gets the files open and no paths, no settings and no
 * environment. Where it fails, every file may hold a match.
 */
export function createRipgrepFilter(program: string, pattern: string): CandidateFilter {
  const args = [
    '--no-config',
    '--no-messages',
    '--no-mmap',
    '--color=never',
    '--case-sensitive',
    '--text',
    '--files-with-matches',
    `--regexp=${pattern}`,
    '--',
  ];
  return async (files, signal) => {
    const run = await runOverFiles({ program, args, files, signal, timeoutMs: longestMs });
    // One is what it says when there is no match, two when something went wrong on the way.
    if (!run.ok || run.exitCode > 1) return new Set(files.keys());
    const candidates = run.output.split('\n').flatMap((name) => run.indexOf(name) ?? []);
    return new Set(candidates);
  };
}
