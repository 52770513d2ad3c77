import { workInTurns, type Turns } from '../../search/walk/take-turns.ts';
import { workOnJob } from '../../search/text/pattern-job.ts';
import { PatternTooCostly, type PatternRunner } from '../../search/text/pattern-runner.ts';
import type { BytesSearchResult } from '../../search/text/search-bytes.ts';
import type { TextQuery } from '../../search/text/text-search.ts';

/** Searches the contents of files, one after another. */
export interface ContentMatcher {
  /** Takes the content of one file. It is copied where it is needed longer than until the promise resolves. */
  take(path: string, bytes: Uint8Array): Promise<void>;
  /** Waits until all is searched. */
  finish(): Promise<void>;
}

/** What a matcher works with. */
export interface ContentMatcherOptions {
  readonly query: TextQuery;
  /** The pattern takes few steps a character, so that it can be matched in this thread. */
  readonly isCheap: boolean;
  readonly runner: PatternRunner;
  readonly turns: Turns;
  readonly signal: AbortSignal;
  /** Hears of every file, in the order in which they were taken. */
  readonly found: (path: string, result: BytesSearchResult) => void;
}

/** The longest one batch of files may take to match: far more than any sound pattern needs. */
export const longestBatchMs = 5_000;
const batchBytes = 2_097_152;
const batchFiles = 500;
/** While one batch is matched in another thread, the next is read in this one. */
const batchesUnderway = 2;

/** Makes a matcher. Its promises reject with `PatternTooCostly` for a pattern that takes too long, or is too large. */
export function createContentMatcher(options: ContentMatcherOptions): ContentMatcher {
  return options.isCheap && !options.query.isMultiline ? matchHere(options) : matchElsewhere(options);
}

function matchHere({ query, signal, turns, found }: ContentMatcherOptions): ContentMatcher {
  return {
    async take(path, bytes) {
      const answer = await workInTurns(workOnJob({ query, files: [bytes] }), signal, turns);
      if (!answer.ok) throw new PatternTooCostly(answer.reason);
      found(path, answer.files[0]!);
    },
    finish: async () => {},
  };
}

function matchElsewhere({ query, runner, signal, found }: ContentMatcherOptions): ContentMatcher {
  const underway: Promise<void>[] = [];
  const spare: ArrayBuffer[] = [];
  const giveBack = (buffers: readonly ArrayBuffer[]): void =>
    void spare.push(...buffers.filter(({ byteLength }) => byteLength === batchBytes));
  let batch = createBatch(spare);

  const send = async (): Promise<void> => {
    const { paths, files, buffers } = batch;
    if (paths.length === 0) return;
    batch = createBatch(spare);
    const previous = underway.at(-1);
    const job = runner.run({ query, files }, longestBatchMs, signal, buffers, giveBack);
    const running = (async () => {
      const answer = await job;
      await previous;
      if (!answer.ok) throw new PatternTooCostly(answer.reason);
      for (const [index, result] of answer.files.entries()) found(paths[index]!, result);
    })();
    // Heard of when it is waited for, which may be later.
    running.catch(() => {});
    job.catch(() => {});
    underway.push(running);
    if (underway.length >= batchesUnderway) await underway.shift();
  };

  return {
    async take(path, bytes) {
      if (batch.length + bytes.length > batchBytes || batch.paths.length >= batchFiles) await send();
      batch.add(path, bytes);
    },
    async finish() {
      await send();
      while (underway.length > 0) await underway.shift();
    },
  };
}

interface Batch {
  readonly paths: string[];
  readonly files: Uint8Array[];
  readonly buffers: ArrayBuffer[];
  readonly length: number;
  add(path: string, bytes: Uint8Array): void;
}

/** Files of a batch lie one behind the other, so that they can be handed over as one. */
function createBatch(spare: ArrayBuffer[]): Batch {
  const paths: string[] = [];
  const files: Uint8Array[] = [];
  const buffers: ArrayBuffer[] = [];
  let room: Buffer<ArrayBuffer> | undefined;
  let used = 0;
  let length = 0;
  return {
    paths,
    files,
    buffers,
    get length() {
      return length;
    },
    add(path, bytes) {
      if (room === undefined || used + bytes.length > room.length) {
        const left = bytes.length <= batchBytes ? spare.pop() : undefined;
        room = left ? Buffer.from(left) : Buffer.allocUnsafeSlow(Math.max(bytes.length, batchBytes));
        buffers.push(room.buffer);
        used = 0;
      }
      room.set(bytes, used);
      paths.push(path);
      files.push(room.subarray(used, used + bytes.length));
      used += bytes.length;
      length += bytes.length;
    },
  };
}
