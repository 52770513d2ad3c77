import { checkCommand } from '../check-command.ts';
import { conductProcess } from '../conduct-process.ts';
import type { LimitName } from '../../jail/limits/process-limits.ts';
import { createOutputRing, type OutputSlice } from '../../output/output-ring.ts';
import type { StartProcessOptions } from './process-manager-options.ts';
import type { EndSignal } from '../tree/process-tree.ts';
import type { ProcessResult } from '../process-result.ts';
import { createFailure, type SandboxFailure } from '../../sandbox-failure.ts';
import { openSpill, type Spill } from '../../output/spill.ts';

/** What is known of a process of a board. */
export interface ManagedProcessStatus {
  readonly id: string;
  readonly command: string;
  readonly cwd: string;
  readonly pid: number;
  readonly isAlive: boolean;
  /** Null while it is alive, and when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Somebody stopped it; otherwise it ended by itself. */
  readonly wasStopped: boolean;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** So far, or until it ended. */
  readonly durationMs: number;
  /** Characters of output so far: the cursor behind all that is settled. */
  readonly totalCharacters: number;
  readonly totalBytes: number;
  /** Characters that are no longer kept in memory. */
  readonly droppedCharacters: number;
  /** The output holds a NUL or bytes that are not UTF-8. */
  readonly isBinary: boolean;
  /** The file that has what is no longer kept in memory, and once the process has ended all of its output. */
  readonly spill: { readonly path: string; readonly isComplete: boolean } | null;
  /** Ids of processes it started that could not be ended. */
  readonly survivors: readonly number[];
  /** The limit that it ran into, as of `runProcess`. */
  readonly limitReached: LimitName | null;
}

/** A process of a board. */
export interface ManagedProcess {
  readonly ok: true;
  readonly id: string;
  status(): ManagedProcessStatus;
  /**
   * Reads output from a cursor, an earlier answer's or 0 for the beginning; without one the last `maxCharacters` (default
   * 65,536).
   */
  read(cursor?: number, maxCharacters?: number): OutputSlice;
  /** Resolves when there is output behind the cursor, when the process has ended, or when the signal aborts. */
  waitForOutput(cursor: number, signal: AbortSignal): Promise<void>;
  /**
   * Ends it with all it started: the signal (default SIGTERM), then SIGKILL after `graceMs` (default the `killGraceMs` it was
   * started with). A second call can only be quicker than the first.
   */
  stop(options?: { readonly signal?: EndSignal; readonly graceMs?: number }): Promise<ManagedProcessStatus>;
  /** Resolves when it has ended, however it did. */
  waitForEnd(): Promise<ManagedProcessStatus>;
}

const usualSlice = 65_536;
const usualGraceMs = 5_000;

/** Starts a process that goes on by itself. */
export async function startManagedProcess(
  id: string,
  options: Omit<StartProcessOptions, 'owner'>,
  maxCharacters: number,
): Promise<ManagedProcess | SandboxFailure> {
  checkCommand(options);
  const { spillDirectory, onOutput, ...wanted } = options;
  const startedAt = Date.now();
  const began = performance.now();
  const stop = new AbortController();
  const waiting = new Set<() => void>();
  let ending: { readonly first: EndSignal; readonly graceMs: number } = {
    first: 'SIGTERM',
    graceMs: wanted.killGraceMs ?? usualGraceMs,
  };
  let result: ProcessResult | undefined;
  let spill: Spill | undefined;
  let isSpilling = spillDirectory !== undefined;
  let tell = onOutput;
  const ring = createOutputRing(maxCharacters, (text) => {
    if (isSpilling && !spill) openSpillFile();
    spill?.push(text);
  });

  const openSpillFile = (): void => {
    const opened = openSpill(spillDirectory!);
    isSpilling = opened.ok;
    if (opened.ok) spill = opened;
  };
  const take = (settled: string): void => {
    try {
      if (settled !== '') tell?.(settled, 'output');
    } catch {
      tell = undefined;
    }
    wake();
  };
  const wake = (): void => {
    for (const look of waiting) look();
  };

  let processId = 0;
  let announce = (): void => {};
  const isStarted = new Promise<void>((resolve) => (announce = resolve));
  const conducted = conductProcess(
    { ...wanted, signal: stop.signal, timeoutMs: Infinity },
    {
      isDetached: true,
      onStart(pid) {
        processId = pid;
        announce();
      },
      endBy: () => ({ first: ending.first, graceMs: () => ending.graceMs }),
      onBytes: (bytes) => take(ring.push(bytes)),
    },
  );
  const ended = conducted.then((outcome) => {
    result = outcome;
    const last = ring.finish();
    spill?.push(ring.kept);
    spill?.close();
    take(last);
    return status();
  });
  // What can't be used rejects the start; nobody hears of the end of what never began.
  ended.catch(() => undefined);
  const notStarted = await Promise.race([isStarted, conducted]);
  if (notStarted && processId === 0)
    return notStarted.failure ?? createFailure('SPAWN_FAILED', 'the process ended before it was started');

  function status(): ManagedProcessStatus {
    return {
      id,
      command: wanted.command,
      cwd: wanted.cwd,
      pid: processId,
      isAlive: result === undefined,
      exitCode: result?.exitCode ?? null,
      signal: result?.signal ?? null,
      wasStopped: result?.aborted ?? false,
      startedAt,
      durationMs: result?.durationMs ?? performance.now() - began,
      totalCharacters: ring.totalCharacters,
      totalBytes: ring.totalBytes,
      droppedCharacters: ring.dropped,
      isBinary: ring.isBinary,
      spill: spill ? { path: spill.path, isComplete: spill.isComplete } : null,
      survivors: result?.survivors ?? [],
      limitReached: result?.limitReached ?? null,
    };
  }

  return {
    ok: true,
    id,
    status,
    read: (cursor, maxSlice = usualSlice) => ring.read(cursor, maxSlice),
    waitForOutput: (cursor, signal) => {
      const isDone = (): boolean => ring.totalCharacters > cursor || result !== undefined || signal.aborted;
      if (isDone()) return Promise.resolve();
      return holdWhile(
        new Promise((resolve) => {
          const look = (): void => {
            if (!isDone()) return void waiting.add(look);
            signal.removeEventListener('abort', look);
            waiting.delete(look);
            resolve();
          };
          waiting.add(look);
          signal.addEventListener('abort', look, { once: true });
        }),
      );
    },
    waitForEnd: () => holdWhile(ended),
    stop({ signal = 'SIGTERM', graceMs = wanted.killGraceMs ?? usualGraceMs } = {}) {
      ending = { first: signal, graceMs: signal === 'SIGKILL' ? 0 : graceMs };
      stop.abort();
      return holdWhile(ended);
    },
  };
}

/** The process keeps nobody from ending; who waits for it does. */
async function holdWhile<Value>(promise: Promise<Value>): Promise<Value> {
  const hold = setInterval(() => {}, 2 ** 30);
  try {
    return await promise;
  } finally {
    clearInterval(hold);
  }
}
