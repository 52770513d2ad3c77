import { availableParallelism } from 'node:os';
import type { PatternAnswer, PatternJob } from './text-search-job.ts';
import { startPatternThread, type PatternThread } from './text-search-thread.ts';

/** Runs pattern jobs in other threads, so that no pattern can block this one. */
export interface PatternRunner {
  /** Reserves threads for one search: an expensive pattern ends them, and no other search. Call `end` when done. */
  start(timeoutMs: number, signal: AbortSignal): PatternSearch;
  /** Ends the idle threads. */
  dispose(): Promise<void>;
}

/** The threads of one search. */
export interface PatternSearch {
  /**
   * Runs one job. Up to {@link maxJobs} run or wait for a thread. The buffers in `transfer` are moved to the thread. When
   * the promise settles, the thread has ended its work on the job.
   *
   * @throws PatternTooCostly if the job does not end in time, or the signal's reason when it aborts.
   */
  run(job: PatternJob, transfer?: readonly ArrayBuffer[]): Promise<PatternAnswer>;
  /** Aborts the jobs that still run. */
  end(): void;
}

/** Maximum number of threads that one search uses at once. */
const maxThreads = Math.min(4, availableParallelism());
/** Every thread has its next job in its queue, so that it does not wait for this thread. */
export const maxJobs: number = 2 * maxThreads;
const idleMs = 30_000;

/** Creates a runner. Threads start when needed, are reused, and never keep the process alive. */
export function createPatternRunner(): PatternRunner {
  const idle = new Map<PatternThread, NodeJS.Timeout>();

  const release = (thread: PatternThread): void => {
    if (thread.hasEnded) return;
    const retire = (): void => {
      idle.delete(thread);
      void thread.end(undefined);
    };
    idle.set(thread, setTimeout(retire, idleMs).unref());
  };
  const acquire = (): PatternThread => {
    for (const [thread, timer] of idle) {
      idle.delete(thread);
      clearTimeout(timer);
      if (!thread.hasEnded) return thread;
    }
    return startPatternThread();
  };

  return {
    start(timeoutMs, signal) {
      // Starts the first thread while the search for files begins.
      const threads = signal.aborted ? [] : [acquire()];
      const abort = (): void => {
        for (const thread of threads) if (thread.jobs > 0) void thread.end(signal.reason);
      };
      signal.addEventListener('abort', abort, { once: true });
      return {
        async run(job, transfer) {
          signal.throwIfAborted();
          let thread = threads.reduce((least, other) => (other.jobs < least.jobs ? other : least));
          if (thread.jobs > 0 && threads.length < maxThreads) threads.push((thread = acquire()));
          return thread.run(job, timeoutMs, transfer);
        },
        end() {
          signal.removeEventListener('abort', abort);
          for (const thread of threads.splice(0)) {
            if (thread.jobs > 0) void thread.end(new Error('the search ended'));
            else release(thread);
          }
        },
      };
    },
    async dispose() {
      const threads = [...idle];
      idle.clear();
      await Promise.all(
        threads.map(([thread, timer]) => {
          clearTimeout(timer);
          return thread.end(undefined);
        }),
      );
    },
  };
}
