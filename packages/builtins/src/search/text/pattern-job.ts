import {
  openSharedDirectory,
  type ConfinedFile,
  type DirectoryReference,
  type SandboxFailure,
} from '@haft/sandbox/reading';
import { createContentReader } from './read-content.ts';
import { prepareBytesSearch, type BytesSearchResult } from './search-bytes.ts';
import type { TextQuery } from './text-search.ts';

/** Files of one folder, by their names. */
export interface FolderFiles {
  readonly directory: DirectoryReference;
  readonly names: readonly string[];
}

/** Files to search with a model's pattern; plain data that can be sent to another thread. */
export interface PatternJob {
  readonly query: TextQuery;
  /** Files to open, or the content of one. */
  readonly files: readonly (FolderFiles | Uint8Array)[];
  /** How many of the files to skip. Default 0. */
  readonly from?: number;
}

/** The search result of one file; undefined without a match. */
export type FileAnswer = BytesSearchResult | { readonly problem: 'large' | (string & {}) } | undefined;

/** One answer per file, fewer when it is time for other work; or why the engine could not use the pattern. */
export type PatternAnswer =
  | { readonly ok: true; readonly files: readonly FileAnswer[] }
  | { readonly ok: false; readonly reason: string };

/** After so long a job ends where it is, at the next file. */
const maxJobMs = 250;

/**
 * Does a job, at least one file of it. `startMatching` is called when matching begins, and again after a large file was read:
 * how long reading takes says nothing about the pattern.
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
    // An engine finds out only when it runs a pattern that it is too large, or too deep.
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

/** The files of a job, one after another. Files are open until the next one is asked for. */
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
