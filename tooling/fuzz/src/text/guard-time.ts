import { Worker } from 'node:worker_threads';

/** Watches the duration of tasks in a process. */
export interface TimeGuard {
  /** Reports that a new task begins. */
  readonly tick: () => void;
  readonly stop: () => void;
}

/** Suffix of the file that holds the reason when a process was stopped on an endless input. */
export const endedBehind = '.never-ends';

/**
 * Stops this process if one task takes too much processor time; wall time is unsuitable, because hours may pass on a
 * busy machine. Writes the reason to a file. Runs in a separate thread, because a hanging thread can't check itself.
 */
export function guardTime(maxCpuMs: number, current: string): TimeGuard {
  const ticks = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(new URL('guard-time-thread.ts', import.meta.url), {
    workerData: { ticks, maxCpuMs, file: current + endedBehind },
  });
  thread.unref();
  return {
    tick: () => {
      ticks[0] = ((ticks[0] ?? 0) + 1) | 0;
    },
    stop: () => void thread.terminate(),
  };
}
