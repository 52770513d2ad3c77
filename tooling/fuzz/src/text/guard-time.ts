import { Worker } from 'node:worker_threads';

/** Watches over what a process does. */
export interface TimeGuard {
  /** Says that something else is done now. */
  readonly tick: () => void;
  readonly stop: () => void;
}

/** What follows the name of the file of the current input, where a process was ended because that never ends. */
export const endedBehind = '.never-ends';

/**
 * Ends this process when one thing that it does takes too much of the processor's time: on a machine with other work to do
 * hours may pass meanwhile. Why it was ended is left in a file. Looks from a thread of its own, since nothing else happens
 * in one that hangs.
 */
export function guardTime(mostCpuMs: number, current: string): TimeGuard {
  const ticks = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(new URL('guard-time-thread.ts', import.meta.url), {
    workerData: { ticks, mostCpuMs, file: current + endedBehind },
  });
  thread.unref();
  return {
    tick: () => {
      ticks[0] = ((ticks[0] ?? 0) + 1) | 0;
    },
    stop: () => void thread.terminate(),
  };
}
