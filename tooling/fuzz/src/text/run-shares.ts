import type { FuzzRecord, ShareRecord } from './fuzz-record.ts';
import type { Failure } from './inputs/input.ts';
import { watchProcess } from './watch-process.ts';

/** Options of a run that are not in its record. */
export interface RunOptions {
  /** End time in milliseconds since 1970. */
  readonly deadline: number;
  /** Ends the run early. The record keeps its progress and failures. */
  readonly signal: AbortSignal;
  /** Called at once for each failure, so that it is known before millions of texts are read. */
  readonly onFailure: (failure: Failure) => void;
}

/** A single check takes milliseconds, one of growth a second or two. */
const maxCpuMs = 60_000;

/** Reads the remaining inputs of a run, each share in a separate process, and updates the record. */
export async function runShares(record: FuzzRecord, { deadline, signal, onFailure }: RunOptions): Promise<void> {
  const size = Math.ceil(record.count / record.shares.length);
  const before = record.seconds;
  const start = performance.now();
  const runShare = async (share: ShareRecord, job: number): Promise<void> => {
    // An input that crashes its process ends that process, not the share.
    while (share.done < size && Date.now() < deadline && !signal.aborted) {
      const { done, full } = share;
      const seed = `${record.seed}/${job}/${share.attempts}`;
      share.attempts += 1;
      let hasDied = false;
      const reached = await watchProcess({
        order: { seed, count: size - done, deadline, maxCpuMs },
        signal,
        onProgress: (progress) => {
          share.done = done + progress.done;
          share.full = full + progress.full;
          record.traits = Math.max(record.traits, progress.traits);
          record.seconds = before + (performance.now() - start) / 1_000;
        },
        onFailure: (failure) => {
          hasDied ||= failure.law === 'reading comes to an end' || failure.law === 'no text takes the process down';
          record.failures.push(failure);
          onFailure(failure);
        },
      });
      share.done = done + reached.done + (hasDied ? 1 : 0);
    }
  };
  await Promise.all(record.shares.map(runShare));
  record.seconds = before + (performance.now() - start) / 1_000;
}
