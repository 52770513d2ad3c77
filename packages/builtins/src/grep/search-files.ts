import type { ToolContext, Workspace } from '@haft/core';
import { openConfined, type ConfinedFile, type SandboxFailure } from '@haft/sandbox';
import type { CompiledPattern } from '../search/compile-pattern.ts';
import { findRequiredText } from '../search/find-required-text.ts';
import type { SearchStart } from '../search/find-start.ts';
import { joinName } from '../search/join-name.ts';
import type { PathFilter } from '../search/path-filter.ts';
import type { PatternRunner } from '../search/pattern-runner.ts';
import { filterNames } from '../search/filter-names.ts';
import { keepPermitted } from '../search/permitted-files.ts';
import type { BytesSearchResult } from '../search/search-bytes.ts';
import type { SearchGaps } from '../search/search-notes.ts';
import { takeTurns } from '../search/take-turns.ts';
import type { TextQuery } from '../search/text-search.ts';
import { createWalkReport, walkFolders, type WalkedFolder, type WalkReport } from '../search/walk-folders.ts';
import { showPath } from '../show-path.ts';
import { createMatchCollector, type CollectOptions, type FileMatches } from './collect-matches.ts';
import { createContentMatcher } from './match-contents.ts';
import { createContentReader } from './read-content.ts';

/** What to search for, where, and how much of it to keep. */
export interface FileSearch extends CollectOptions {
  readonly pattern: CompiledPattern;
  readonly query: TextQuery;
  readonly filter: PathFilter;
  /** Searches what ignore rules keep out, too. */
  readonly noIgnore: boolean;
  /** Says when the search has to answer with what it has. */
  readonly isOver: () => boolean;
  /** Hears of each file with a match. */
  readonly onMatch?: () => void;
}

/** What a search found, and what it left out. */
export interface FileSearchResult {
  readonly files: readonly FileMatches[];
  readonly matches: number;
  readonly matchedFiles: number;
  /** Matches whose lines are in `files`. */
  readonly shown: number;
  readonly searchedFiles: number;
  /** Files that are no text, and hold a match. */
  readonly binaryFiles: number;
  readonly largeFiles: readonly string[];
  readonly gaps: SearchGaps;
}

/** Files held open at once. */
const openAtOnce = 32;

/** Where a search goes on, for what is said of it. */
export interface SearchPlace {
  readonly walk: WalkReport;
  /** What a person is asked when files may not be read without. */
  readonly title: string;
}

/** Searches a file, or every file below a folder that is neither ignored nor kept closed by permission. */
export async function searchFiles(
  search: FileSearch,
  start: SearchStart,
  workspace: Workspace,
  context: ToolContext,
  runner: PatternRunner,
): Promise<FileSearchResult> {
  const walk = createWalkReport();
  const place = { walk, title: `Search ${start.shown}` };
  if (start.kind !== 'directory') {
    const session = startSession(search, workspace, context, runner);
    await session.take(start.path, await openConfined(workspace.readRoots, start.path, { expectedPath: start.path }));
    return session.finish(walk, false);
  }
  const { noIgnore } = search;
  const folders = walkFolders(workspace.readRoots, start.path, walk, context.signal, { noIgnore });
  return searchFolders(search, folders, place, workspace, context, runner);
}

/** Searches the files of folders that pass the filter and are not kept closed by permission. */
export async function searchFolders(
  search: FileSearch,
  folders: AsyncIterable<WalkedFolder>,
  { walk, title }: SearchPlace,
  workspace: Workspace,
  context: ToolContext,
  runner: PatternRunner,
): Promise<FileSearchResult> {
  const { filter, isOver } = search;
  const { signal } = context;
  const session = startSession(search, workspace, context, runner);
  let isPartial = false;
  for await (const folder of folders) {
    const names = await filterNames(filter, folder, isOver, signal);
    const paths = names.map((name) => joinName(folder.path, name));
    const permitted = await keepPermitted(context, title, paths);
    session.refuse(paths.length - permitted.length);
    const prefixLength = joinName(folder.path, '').length;
    for (let next = 0; next < permitted.length && !isPartial; next += openAtOnce) {
      const chunk = permitted.slice(next, next + openAtOnce);
      await session.takeAll(chunk, folder.open.open(chunk.map((path) => path.slice(prefixLength))));
      isPartial = isOver();
    }
    isPartial ||= isOver();
    if (isPartial) break;
  }
  return session.finish(walk, isPartial);
}

interface SearchSession {
  take(path: string, file: ConfinedFile | SandboxFailure): Promise<void>;
  /** Takes one file after another, in turns, until it is over, and leaves none open. */
  takeAll(paths: readonly string[], files: readonly (ConfinedFile | SandboxFailure)[]): Promise<void>;
  refuse(files: number): void;
  finish(walk: WalkReport, isPartial: boolean): Promise<FileSearchResult>;
}

function startSession(
  search: FileSearch,
  { cwd }: Workspace,
  { signal }: ToolContext,
  runner: PatternRunner,
): SearchSession {
  const { pattern, query } = search;
  const requiredText = findRequiredText(pattern.source, pattern.flags);
  const required = requiredText === undefined ? undefined : Buffer.from(requiredText, 'latin1');
  const collector = createMatchCollector(search);
  const unreadable: { readonly path: string; readonly code: string }[] = [];
  const largeFiles: string[] = [];
  const turns = takeTurns();
  const reader = createContentReader({ required, isWhole: query.isMultiline });
  const found = (path: string, result: BytesSearchResult): void => {
    collector.add(() => showPath(cwd, path), result);
    if (result.matches > 0 && !result.isBinary) search.onMatch?.();
  };
  const matcher = createContentMatcher({ query, isCheap: pattern.isCheap, runner, turns, signal, found });
  let searchedFiles = 0;
  let refused = 0;

  const take = async (path: string, file: ConfinedFile | SandboxFailure): Promise<void> => {
    if (!file.ok) return void unreadable.push({ path, code: file.code });
    const content = await reader.read(file);
    if (content.kind === 'large') largeFiles.push(showPath(cwd, path));
    else if (content.kind === 'failed') unreadable.push({ path, code: 'READ_ERROR' });
    else searchedFiles += 1;
    if (content.kind === 'bytes') await matcher.take(path, content.bytes);
  };

  return {
    take,
    async takeAll(paths, files) {
      let taken = 0;
      try {
        while (taken < files.length && !search.isOver()) {
          const at = taken;
          taken += 1;
          await take(paths[at]!, files[at]!);
          const turn = turns.next();
          if (turn === undefined) continue;
          await turn;
          signal.throwIfAborted();
        }
      } finally {
        for (const file of files.slice(taken)) if (file.ok) file.close();
      }
    },
    refuse: (files) => void (refused += files),
    async finish(walk, isPartial) {
      await matcher.finish();
      const { files, matches, matchedFiles, shown, binaryFiles } = collector;
      const gaps = { walk, unreadable, refused, isPartial };
      return { files, matches, matchedFiles, shown, searchedFiles, binaryFiles, largeFiles, gaps };
    },
  };
}
