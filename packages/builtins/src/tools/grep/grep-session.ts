import type { ToolContext, Workspace } from '@haft/core';
import type { ConfinedFile, DirectoryHandle } from '@haft/sandbox';
import type { FileAnswer, FolderFiles, PatternJob } from '../../search/text/text-search-job.ts';
import { maxJobs, type PatternRunner } from '../../search/text/text-search-runner.ts';
import { PatternTooCostly } from '../../search/text/text-search-thread.ts';
import { isTooLarge } from '../../search/text/read-searched-content.ts';
import { joinName } from '../../search/walk/join-walked-name.ts';
import type { WalkReport } from '../../search/walk/walk-folders.ts';
import { showPath } from '../../show-path.ts';
import { createMatchCollector } from './collect-grep-matches.ts';
import type { FileSearch, FileSearchResult } from './grep-file-search.ts';

/** A search session. Files are added in order; worker threads read and match them. */
export interface SearchSession {
  /** Adds files of an open directory. The directory may be closed afterwards. */
  takeFolder(folder: DirectoryHandle, names: readonly string[]): Promise<void>;
  /** Adds one open file. */
  takeFile(file: ConfinedFile): Promise<void>;
  /** Records a file that could not be opened. */
  fail(path: string, code: string): void;
  /** Counts files that the permissions deny. */
  refuse(files: number): void;
  finish(walk: WalkReport, isPartial: boolean): Promise<FileSearchResult>;
  /** Aborts the remaining work. */
  dispose(): void;
}

/** Maximum matching time per job, in milliseconds. Far more than a reasonable pattern needs. */
const maxMatchMs = 5_000;
/** The first job is small, so that work begins soon; each is twice the one before, because jobs cost time to send. */
const filesOfFirstJob = 32;
const filesOfJob = 512;
const foldersOfJob = 64;
/** Maximum number of jobs whose results wait for those of earlier files. */
const maxWaiting = 8;
/** Number of bytes to read from files such as those in /proc, which report a size of zero. */
const unsizedBytes = 65_536;

interface Batch {
  readonly folders: FolderFiles[];
  readonly paths: string[];
  readonly close: (() => void)[];
}

/** Starts a session. Its promises reject with `PatternTooCostly` if the pattern takes too long or is too large. */
export function startSearchSession(
  search: FileSearch,
  { cwd }: Workspace,
  context: ToolContext,
  runner: PatternRunner,
): SearchSession {
  const { query, isOver } = search;
  const disposal = new AbortController();
  const signal = AbortSignal.any([context.signal, disposal.signal]);
  const threads = runner.start(maxMatchMs, signal);
  const collector = createMatchCollector(search);
  const unreadable: { readonly path: string; readonly code: string }[] = [];
  const largeFiles: string[] = [];
  const running = new Set<Promise<unknown>>();
  const waiting: Promise<void>[] = [];
  let searchedFiles = 0;
  let refused = 0;
  let isCut = false;
  let batch: Batch = { folders: [], paths: [], close: [] };
  let room = filesOfFirstJob;

  const collect = (path: string, answer: FileAnswer): void => {
    if (answer !== undefined && 'problem' in answer) {
      if (answer.problem === 'large') largeFiles.push(showPath(cwd, path));
      else unreadable.push({ path, code: answer.problem });
      return;
    }
    searchedFiles += 1;
    if (answer === undefined) return;
    collector.add(() => showPath(cwd, path), answer);
    if (!answer.isBinary) search.onMatch?.();
  };

  /** A slow job ends before all of its files are searched, so that a search without remaining time can stop here. */
  const runJob = async (
    files: PatternJob['files'],
    length: number,
    transfer?: ArrayBuffer[],
  ): Promise<FileAnswer[]> => {
    const answers: FileAnswer[] = [];
    while (answers.length < length && !(answers.length > 0 && (isCut ||= isOver()))) {
      const isFull = collector.shown >= search.limit || collector.files.length >= search.maxFiles;
      const job = { query: isFull ? { ...query, keep: 0 } : query, files, from: answers.length };
      const answer = await threads.run(job, transfer);
      if (!answer.ok) throw new PatternTooCostly(answer.reason);
      answers.push(...answer.files);
    }
    return answers;
  };

  /** Starts a job in the background as soon as a thread is free. The first failure aborts all other jobs. */
  const start = async (
    job: () => Promise<readonly FileAnswer[]>,
    paths: Batch['paths'],
    end = (): void => {},
  ): Promise<void> => {
    while (running.size >= maxJobs) await Promise.race(running).catch(() => {});
    if (waiting.length >= maxWaiting) await waiting.shift()?.catch(() => {});
    const working = job()
      .catch((error: unknown) => {
        disposal.abort(error);
        throw error;
      })
      .finally(() => {
        running.delete(working);
        end();
      });
    running.add(working);
    const previous = waiting.at(-1);
    const collected = (async () => {
      const answers = await working;
      await previous;
      for (const [index, answer] of answers.entries()) collect(paths[index]!, answer);
    })();
    // Prevents an unhandled rejection. The error is handled later, when the promise is awaited.
    collected.catch(() => {});
    waiting.push(collected);
    signal.throwIfAborted();
  };

  const flush = async (): Promise<void> => {
    const { folders, paths, close } = batch;
    if (paths.length === 0) return;
    batch = { folders: [], paths: [], close: [] };
    room = Math.min(filesOfJob, 2 * room);
    await start(
      () => runJob(folders, paths.length),
      paths,
      () => close.forEach((each) => each()),
    );
  };

  return {
    async takeFolder(folder, names) {
      for (let next = 0; next < names.length && !isCut;) {
        const fitting = names.slice(next, next + room - batch.paths.length);
        const overAt = fitting.findIndex(() => isOver());
        isCut = overAt !== -1;
        const taken = isCut ? fitting.slice(0, overAt) : fitting;
        if (taken.length === 0) break;
        next += taken.length;
        const shared = folder.share();
        batch.folders.push({ directory: shared.reference, names: taken });
        for (const name of taken) batch.paths.push(joinName(folder.path, name));
        batch.close.push(() => shared.close());
        if (batch.paths.length >= room || batch.folders.length >= foldersOfJob) await flush();
      }
    },
    async takeFile(file) {
      const { path, size } = file;
      if (isTooLarge(size, query)) return collect(path, { problem: 'large' });
      const bytes = await file.read(0, size === 0 ? unsizedBytes : size).catch(() => undefined);
      if (bytes === undefined) return collect(path, { problem: 'READ_ERROR' });
      const transfer = bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [];
      await start(() => runJob([bytes], 1, transfer), [path]);
    },
    fail: (path, code) => void unreadable.push({ path, code }),
    refuse: (files) => void (refused += files),
    async finish(walk, isPartial) {
      await flush();
      await Promise.all(waiting);
      const { files, matches, matchedFiles, shown, binaryFiles } = collector;
      const gaps = { walk, unreadable, refused, isPartial: isPartial || isCut };
      return { files, matches, matchedFiles, shown, searchedFiles, binaryFiles, largeFiles, gaps };
    },
    dispose() {
      disposal.abort();
      threads.end();
      for (const close of batch.close) close();
    },
  };
}
