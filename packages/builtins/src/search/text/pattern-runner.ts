import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { PatternAnswer, PatternJob } from './pattern-job.ts';

/** A pattern took longer than it was given, or more than the engine has. */
export class PatternTooCostly extends Error {
  override readonly name = 'PatternTooCostly';
}

/** Runs pattern jobs outside this thread, so that none can hold it up. */
export interface PatternRunner {
  /**
   * Runs one job. The buffers in `transfer` are handed over to the thread. The thread has ended its work when the promise settles.
   *
   * @throws PatternTooCostly when it does not end in `timeoutMs`; the signal's reason when that aborts.
   */
  run(
    job: PatternJob,
    timeoutMs: number,
    signal: AbortSignal,
    transfer?: readonly ArrayBuffer[],
  ): Promise<PatternAnswer>;
  /** Ends the threads that wait for work. */
  dispose(): Promise<void>;
}

/** The most threads that one search keeps busy. */
export const maxThreads: number = Math.min(4, availableParallelism());
const idleMs = 30_000;
/** How long a thread may take to start: on a busy machine, much longer than a job. */
const maxStartMs = 20_000;
// Source files run as they are; what is built has another ending.
const [workerFile, execArgv] = import.meta.url.endsWith('.ts')
  ? ['./pattern-worker.ts', ['--conditions=@haft/source']]
  : ['./pattern-worker.js', []];

/** Makes a runner. Threads start when needed, are used again, and never keep the process alive. */
export function createPatternRunner(): PatternRunner {
  const idle: { readonly worker: Worker; readonly timer: NodeJS.Timeout }[] = [];

  const release = (worker: Worker): void => {
    const timer = setTimeout(() => {
      const index = idle.findIndex((entry) => entry.worker === worker);
      if (index !== -1) idle.splice(index, 1);
      void worker.terminate();
    }, idleMs);
    timer.unref();
    idle.push({ worker, timer });
    worker.unref();
  };
  const acquire = (): Worker => {
    const entry = idle.pop();
    if (!entry)
      return new Worker(new URL(workerFile, import.meta.url), {
        execArgv,
        env: {},
        resourceLimits: { maxOldGenerationSizeMb: 512 },
      });
    clearTimeout(entry.timer);
    entry.worker.ref();
    return entry.worker;
  };

  return {
    async run(job, timeoutMs, signal, transfer = []) {
      signal.throwIfAborted();
      const worker = acquire();
      try {
        const answer = await converse(worker, job, timeoutMs, signal, transfer);
        release(worker);
        return answer;
      } catch (error) {
        await worker.terminate();
        throw error;
      }
    },
    async dispose() {
      const ended = idle.splice(0).map(({ worker, timer }) => {
        clearTimeout(timer);
        return worker.terminate();
      });
      await Promise.all(ended);
    },
  };
}

function converse(
  worker: Worker,
  job: PatternJob,
  timeoutMs: number,
  signal: AbortSignal,
  transfer: readonly ArrayBuffer[],
): Promise<PatternAnswer> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      signal.removeEventListener('abort', onAbort);
      settle();
    };
    const onMessage = (reply: PatternAnswer | 'started'): void => {
      if (reply === 'started') timer = startTimer(timeoutMs);
      else end(() => resolve(reply));
    };
    const onError = (error: unknown): void =>
      end(() => reject(error instanceof Error ? error : new Error(String(error))));
    const onExit = (): void => onError(new Error('the search thread ended'));
    const onAbort = (): void => onError(signal.reason);
    const startTimer = (ms: number): NodeJS.Timeout => {
      clearTimeout(timer);
      return setTimeout(() => onError(new PatternTooCostly(`the pattern took longer than ${timeoutMs} ms`)), ms);
    };
    let timer: NodeJS.Timeout | undefined;
    timer = startTimer(maxStartMs + timeoutMs);
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    signal.addEventListener('abort', onAbort, { once: true });
    worker.postMessage(job, transfer);
  });
}
