import { join, relative, sep } from 'node:path';
import type { ToolContext, Workspace } from '@haft/core';
import type { CompiledPattern } from '../search/compile-pattern.ts';
import { findRequiredText } from '../search/find-required-text.ts';
import type { SearchStart } from '../search/find-start.ts';
import { matchPaths } from '../search/match-paths.ts';
import type { PathPattern } from '../search/path-pattern.ts';
import { workOnJob } from '../search/pattern-job.ts';
import { PatternTooCostly, type PatternRunner } from '../search/pattern-runner.ts';
import { keepPermitted } from '../search/permitted-files.ts';
import type { SearchGaps } from '../search/search-notes.ts';
import { startSearchTime } from '../search/search-time.ts';
import { workInTurns } from '../search/take-turns.ts';
import { createWalkReport, walkFolders, type WalkReport } from '../search/walk-folders.ts';
import { showPath } from '../show-path.ts';
import { readPieces, type FilePieces } from './read-pieces.ts';
import type { FileMatches } from './render-matches.ts';

/** What to search for, and how much of it to keep. */
export interface FileSearch {
  readonly pattern: CompiledPattern;
  readonly include: PathPattern | undefined;
  readonly context: number;
  /** How many matching lines are kept; all are counted. */
  readonly limit: number;
}

/** What a search found, and what it left out. */
export interface FileSearchResult {
  readonly files: readonly FileMatches[];
  readonly matches: number;
  readonly matchedFiles: number;
  readonly searchedFiles: number;
  readonly binaryFiles: number;
  readonly largeFiles: readonly string[];
  readonly gaps: SearchGaps;
}

/** The longest one batch of files may take to match: far more than any sound pattern needs. */
export const longestBatchMs = 5_000;
const batchCharacters = 2_000_000;
const batchFiles = 200;
const readsAtOnce = 8;

/** Searches a file, or every file below a folder that is neither ignored nor kept closed by permission. */
export async function searchFiles(
  search: FileSearch,
  start: SearchStart,
  workspace: Workspace,
  context: ToolContext,
  runner: PatternRunner,
): Promise<FileSearchResult> {
  const { signal } = context;
  const isOver = startSearchTime(context);
  const requiredText = findRequiredText(search.pattern.source, search.pattern.flags);
  const required = requiredText === undefined ? undefined : Buffer.from(requiredText, 'latin1');
  const walk = createWalkReport();
  const files: FileMatches[] = [];
  const unreadable: { readonly path: string; readonly code: string }[] = [];
  const largeFiles: string[] = [];
  let matches = 0;
  let matchedFiles = 0;
  let searchedFiles = 0;
  let binaryFiles = 0;
  let refused = 0;
  let isPartial = false;
  let batch: { readonly path: string; readonly pieces: readonly string[] }[] = [];
  let characters = 0;

  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    const sent = batch;
    batch = [];
    characters = 0;
    const { source, flags } = search.pattern;
    const keep = Math.max(0, search.limit - matches);
    const job = { source, flags, files: sent.map(({ pieces }) => pieces), context: search.context, keep };
    const answer = await (search.pattern.isCheap
      ? workInTurns(workOnJob(job), signal)
      : runner.run(job, longestBatchMs, signal));
    if (!answer.ok) throw new PatternTooCostly(answer.reason);
    for (const [index, result] of answer.files.entries()) {
      searchedFiles += 1;
      if (result.matches === 0) continue;
      matches += result.matches;
      matchedFiles += 1;
      if (result.lines.length > 0)
        files.push({ path: showPath(workspace.cwd, sent[index]!.path), lines: result.lines });
    }
  };

  const take = async (path: string, read: FilePieces): Promise<void> => {
    if (read.kind === 'binary') binaryFiles += 1;
    else if (read.kind === 'large') largeFiles.push(showPath(workspace.cwd, path));
    else if (read.kind === 'failed') unreadable.push({ path, code: read.code });
    else if (read.pieces.length === 0) searchedFiles += 1;
    else {
      batch.push({ path, pieces: read.pieces });
      characters += read.characters;
      if (characters >= batchCharacters || batch.length >= batchFiles) await flush();
    }
  };

  const candidates =
    start.kind === 'directory' ? listCandidates(search, start, workspace, walk, isOver, context) : [[start.path]];
  for await (const folder of candidates) {
    const permitted =
      start.kind === 'directory' ? await keepPermitted(context, `Search ${start.shown}`, folder) : folder;
    refused += folder.length - permitted.length;
    for (let next = 0; next < permitted.length; next += readsAtOnce) {
      signal.throwIfAborted();
      isPartial = isOver();
      if (isPartial) break;
      const paths = permitted.slice(next, next + readsAtOnce);
      const reads = await Promise.all(paths.map((path) => readPieces(workspace.readRoots, path, required)));
      for (const [index, read] of reads.entries()) await take(paths[index]!, read);
    }
    isPartial ||= isOver();
    if (isPartial) break;
  }
  await flush();
  return {
    files,
    matches,
    matchedFiles,
    searchedFiles,
    binaryFiles,
    largeFiles,
    gaps: { walk, unreadable, refused, isPartial },
  };
}

/** The files of each folder whose path fits `include`. */
async function* listCandidates(
  { include }: FileSearch,
  start: SearchStart,
  workspace: Workspace,
  walk: WalkReport,
  isOver: () => boolean,
  { signal }: ToolContext,
): AsyncGenerator<readonly string[]> {
  for await (const folder of walkFolders(workspace.readRoots, start.path, walk, signal)) {
    const below = relative(start.path, folder.path).replaceAll(sep, '/');
    const names = folder.files.map((name) => (below === '' ? name : `${below}/${name}`));
    const matching = include ? await matchPaths(include, names, isOver, signal) : undefined;
    yield folder.files
      .filter((_, index) => matching?.has(names[index]!) ?? true)
      .map((name) => join(folder.path, name));
  }
}
