import { Worker } from 'node:worker_threads';
import type { PatternAnswer, PatternJob } from './text-search-job.ts';

/** Thrown if a pattern takes longer than its time limit, or more memory than the engine has. */
export class PatternTooCostly extends Error {
  override readonly name = 'PatternTooCostly';
}

/** A thread that runs pattern jobs, one after another. It never keeps the process alive without a job. */
export interface PatternThread {
  /** Number of jobs without an answer. */
  readonly jobs: number;
  readonly hasEnded: boolean;
  /**
   * Runs a job after the earlier ones. The buffers in `transfer` are moved to the thread. When the promise settles, the
   * thread has ended its work on the job.
   *
   * @throws PatternTooCostly if matching takes longer than `timeoutMs`, or the reason that was given to `end`.
   */
  run(job: PatternJob, timeoutMs: number, transfer?: readonly ArrayBuffer[]): Promise<PatternAnswer>;
  /** Ends the thread, and then rejects its jobs. */
  end(reason: unknown): Promise<void>;
}

interface PendingJob {
  readonly timeoutMs: number;
  readonly resolve: (answer: PatternAnswer) => void;
  readonly reject: (reason: unknown) => void;
}

/** Maximum time to start a thread. On a busy machine, this takes much longer than a job. */
const maxStartMs = 20_000;
const isSource = import.meta.url.endsWith('.ts');
let program = new URL(isSource ? './text-search-worker.ts' : './text-search-worker.js', import.meta.url);

/** Sets the program of later threads, for example to another build of it. */
export function useSearchProgram(url: URL): void {
  program = url;
}

/** Starts a thread. */
export function startPatternThread(): PatternThread {
  // Shared with the thread, which writes the time when matching began. A message per job would take longer than many jobs.
  const matchingSince = new BigInt64Array(new SharedArrayBuffer(8));
  const worker = new Worker(program, {
    execArgv: program.pathname.endsWith('.ts') ? ['--conditions=@haft/source'] : [],
    env: {},
    workerData: matchingSince,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  worker.unref();
  const pending: PendingJob[] = [];
  let answeredAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let ended: { readonly reason: unknown; readonly done: Promise<unknown> } | undefined;

  const end = async (reason: unknown): Promise<void> => {
    clearTimeout(timer);
    ended ??= { reason, done: worker.terminate() };
    await ended.done;
    for (const { reject } of pending.splice(0)) reject(ended.reason);
  };
  const watch = (ms: number): void => {
    timer = setTimeout(check, ms).unref();
  };
  const check = (): void => {
    timer = undefined;
    const [job] = pending;
    if (job === undefined) return;
    const { timeoutMs } = job;
    const since = Atomics.load(matchingSince, 0);
    const elapsedMs =
      since === 0n ? performance.now() - answeredAt - maxStartMs : Number(process.hrtime.bigint() - since) / 1e6;
    if (elapsedMs >= timeoutMs) void end(new PatternTooCostly(`the pattern took longer than ${timeoutMs} ms`));
    else watch(Math.min(timeoutMs, timeoutMs - elapsedMs));
  };

  worker.on('message', (answer: PatternAnswer) => {
    answeredAt = performance.now();
    pending.shift()?.resolve(answer);
    if (pending.length === 0) worker.unref();
  });
  worker.on('error', (error) => void end(error));
  worker.on('exit', () => void end(new Error('the search thread ended')));

  return {
    get jobs() {
      return pending.length;
    },
    get hasEnded() {
      return ended !== undefined;
    },
    async run(job, timeoutMs, transfer = []) {
      if (ended !== undefined) throw ended.reason;
      return new Promise((resolve, reject) => {
        if (pending.length === 0) {
          answeredAt = performance.now();
          worker.ref();
        }
        pending.push({ timeoutMs, resolve, reject });
        if (timer === undefined) watch(timeoutMs);
        worker.postMessage(job, transfer);
      });
    },
    end,
  };
}
