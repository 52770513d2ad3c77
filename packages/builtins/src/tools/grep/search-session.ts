import type { ToolContext, Workspace } from '@haft/core';
import type { ConfinedFile, SandboxFailure } from '@haft/sandbox';
import { findRequiredText } from '../../search/patterns/find-required-text.ts';
import type { PatternRunner } from '../../search/text/pattern-runner.ts';
import type { BytesSearchResult } from '../../search/text/search-bytes.ts';
import { takeTurns } from '../../search/walk/take-turns.ts';
import type { WalkReport } from '../../search/walk/walk-folders.ts';
import { showPath } from '../../show-path.ts';
import { createMatchCollector } from './collect-matches.ts';
import { createContentMatcher } from './match-contents.ts';
import { createContentReader } from './read-content.ts';
import type { FileSearch, FileSearchResult } from './file-search.ts';

/** The files of one search, taken one after another. */
export interface SearchSession {
  /** Takes open files, or why they are not, and closes them, at the latest with `dispose`. */
  take(paths: readonly string[], files: readonly (ConfinedFile | SandboxFailure)[]): Promise<void>;
  /** Counts files that permission keeps closed. */
  refuse(files: number): void;
  finish(walk: WalkReport, isPartial: boolean): Promise<FileSearchResult>;
  /** Closes what is open. */
  dispose(): void;
}

interface OpenFile {
  readonly path: string;
  readonly file: ConfinedFile;
}

/** Files that are asked about together where somebody tells which may match; twice as many are open at most. */
const batchFiles = 400;
const batchBytes = 67_108_864;
/** Less than this is searched sooner than somebody is asked, with a text that every match must hold and without. */
const fewBytesWithText = 33_554_432;
const fewBytes = 4_194_304;
/** Larger ones, and those that claim to be empty, are looked at in any case. */
const mostFilteredBytes = 10_000_000;

/** Starts a session. Its promises reject with `PatternTooCostly` for a pattern that takes too long, or is too large. */
export function startSearchSession(
  search: FileSearch,
  { cwd }: Workspace,
  { signal }: ToolContext,
  runner: PatternRunner,
): SearchSession {
  const { pattern, query, candidates, isOver } = search;
  const requiredText = findRequiredText(pattern.source, pattern.flags);
  const required = requiredText === undefined ? undefined : Buffer.from(requiredText, 'latin1');
  const collector = createMatchCollector(search);
  const unreadable: { readonly path: string; readonly code: string }[] = [];
  const largeFiles: string[] = [];
  const turns = takeTurns();
  const reader = createContentReader({ required, isComplete: query.isMultiline });
  const found = (path: string, result: BytesSearchResult): void => {
    collector.add(() => showPath(cwd, path), result);
    if (result.matches > 0 && !result.isBinary) search.onMatch?.();
  };
  const matcher = createContentMatcher({ query, isCheap: pattern.isCheap, runner, turns, signal, found });
  let searchedFiles = 0;
  let isCut = false;
  let refused = 0;
  const open = new Set<ConfinedFile>();
  let gathered: OpenFile[] = [];
  let gatheredBytes = 0;
  let underway = Promise.resolve();

  const readOne = async ({ path, file }: OpenFile): Promise<void> => {
    const content = await reader.read(file);
    open.delete(file);
    if (content.kind === 'large') largeFiles.push(showPath(cwd, path));
    else if (content.kind === 'failed') unreadable.push({ path, code: 'READ_ERROR' });
    else searchedFiles += 1;
    if (content.kind === 'bytes') await matcher.take(path, content.bytes);
    const turn = turns.next();
    if (turn === undefined) return;
    await turn;
    signal.throwIfAborted();
  };

  const searchBatch = async (files: readonly OpenFile[], previous: Promise<void>): Promise<void> => {
    const asked = files.filter(({ file }) => file.size > 0 && file.size <= mostFilteredBytes);
    const bytes = asked.reduce((sum, { file }) => sum + file.size, 0);
    const isWorthAsking = bytes >= (required === undefined ? fewBytes : fewBytesWithText);
    const telling = isWorthAsking
      ? candidates?.(
          asked.map(({ file }) => file),
          signal,
        )
      : undefined;
    await previous;
    const told = await telling;
    signal.throwIfAborted();
    const passed = new Set(asked.filter((_, index) => told?.has(index) === false));
    for (const one of files) {
      isCut ||= isOver();
      if (isCut) return;
      if (!passed.has(one)) await readOne(one);
      else {
        one.file.close();
        open.delete(one.file);
        searchedFiles += 1;
      }
    }
  };

  /** While one batch is looked through elsewhere, the next is opened. */
  const flush = async (): Promise<void> => {
    const files = gathered;
    gathered = [];
    gatheredBytes = 0;
    const previous = underway;
    underway = searchBatch(files, previous);
    underway.catch(() => {});
    await previous;
  };

  return {
    async take(paths, files) {
      for (const file of files) if (file.ok) open.add(file);
      for (const [index, file] of files.entries()) {
        const path = paths[index]!;
        if (!file.ok) unreadable.push({ path, code: file.code });
        else if (candidates !== undefined) {
          gathered.push({ path, file });
          gatheredBytes += file.size;
        } else if (isOver()) return;
        else await readOne({ path, file });
      }
      if (gathered.length >= batchFiles || gatheredBytes >= batchBytes) await flush();
    },
    refuse: (files) => void (refused += files),
    async finish(walk, isPartial) {
      if (gathered.length > 0) await flush();
      await underway;
      await matcher.finish();
      const { files, matches, matchedFiles, shown, binaryFiles } = collector;
      const gaps = { walk, unreadable, refused, isPartial: isPartial || isCut };
      return { files, matches, matchedFiles, shown, searchedFiles, binaryFiles, largeFiles, gaps };
    },
    dispose() {
      for (const file of open) file.close();
      open.clear();
    },
  };
}
