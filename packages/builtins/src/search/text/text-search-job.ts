import {
  openSharedDirectory,
  type ConfinedFile,
  type DirectoryReference,
  type SandboxFailure,
} from '@haft/sandbox/reading';
import { createContentReader } from './read-searched-content.ts';
import { prepareBytesSearch, type BytesSearchResult } from './search-bytes.ts';
import type { TextQuery } from './text-search.ts';

/** Files of one folder, by name. */
export interface FolderFiles {
  readonly directory: DirectoryReference;
  readonly names: readonly string[];
}

/** Files to search for a pattern. Plain data, so that it can be sent to another thread. */
export interface PatternJob {
  readonly query: TextQuery;
  /** The files to open, or the content of one file. */
  readonly files: readonly (FolderFiles | Uint8Array)[];
  /** Number of files to skip. Default 0. */
  readonly from?: number;
}

/** The result for one file. Undefined without a match. */
export type FileAnswer = BytesSearchResult | { readonly problem: 'large' | (string & {}) } | undefined;

/**
 * The results, in file order, or why the engine could not use the pattern. Contains fewer results than files if the job
 * ended early to make room for other work.
 */
export type PatternAnswer =
  | { readonly ok: true; readonly files: readonly FileAnswer[] }
  | { readonly ok: false; readonly reason: string };

/** Time after which a job ends at the next file, in milliseconds. */
const maxJobMs = 250;

/**
 * Searches the files of a job, at least one of them. Calls `startMatching` when matching begins, and again after a
 * large file was read, because the time for reading does not count as matching time.
 */
export function runPatternJob({ query, files, from = 0 }: PatternJob, startMatching = (): void => {}): PatternAnswer {
  const end = performance.now() + maxJobMs;
  try {
    const search = prepareBytesSearch(query);
    const reader = createContentReader(query, startMatching);
    const answers: FileAnswer[] = [];
    startMatching();
    for (const file of openFiles(files, from)) {
      const content =
        file instanceof Uint8Array ? reader.select(file) : file.ok ? reader.read(file) : { problem: file.code };
      const answer = content instanceof Uint8Array ? search(content) : content;
      answers.push(answer !== undefined && 'matches' in answer && answer.matches === 0 ? undefined : answer);
      if (performance.now() > end) break;
    }
    return { ok: true, files: answers };
  } catch (error) {
    // An engine detects only at run time that a pattern is too large or nested too deeply.
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Yields the contents of the files in a job. A file is closed when the next one is requested. */
function* openFiles(
  sources: PatternJob['files'],
  from: number,
): Generator<Uint8Array | ConfinedFile | SandboxFailure, void, undefined> {
  let passed = 0;
  for (const source of sources) {
    if (source instanceof Uint8Array) {
      if (passed++ >= from) yield source;
      continue;
    }
    const names = source.names.slice(Math.max(0, from - passed));
    passed += source.names.length;
    const opened = names.length === 0 ? [] : openSharedDirectory(source.directory).open(names);
    try {
      yield* opened;
    } finally {
      for (const file of opened) if (file.ok) file.close();
    }
  }
}
