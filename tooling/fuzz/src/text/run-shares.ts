import type { FuzzRecord, ShareRecord } from './fuzz-record.ts';
import type { Failure } from './inputs/input.ts';
import { watchProcess } from './watch-process.ts';

/** What goes beyond the record of a run. */
export interface RunOptions {
  /** When to end, in milliseconds since 1970. */
  readonly deadline: number;
  /** Ends the run early: what was read and found so far is in the record. */
  readonly signal: AbortSignal;
  /** Said at once: whoever waits for millions of texts wants to know before they are all read. */
  readonly onFailure: (failure: Failure) => void;
}

/** A single check takes milliseconds, one of growth a second or two. */
const mostCpuMs = 60_000;

/** Reads what of a run has not been read yet, each share in a process of its own, and keeps the record up to date. */
export async function runShares(record: FuzzRecord, { deadline, signal, onFailure }: RunOptions): Promise<void> {
  const size = Math.ceil(record.count / record.shares.length);
  const before = record.seconds;
  const start = performance.now();
  const runShare = async (share: ShareRecord, job: number): Promise<void> => {
    // One that its process did not survive ends that process, not the share.
    while (share.done < size && Date.now() < deadline && !signal.aborted) {
      const { done, full } = share;
      const seed = `${record.seed}/${job}/${share.attempts}`;
      share.attempts += 1;
      let hasDied = false;
      const reached = await watchProcess({
        order: { seed, count: size - done, deadline, mostCpuMs },
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
