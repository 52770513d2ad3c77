import { checkCommand } from '../check-process-command.ts';
import { runToEnd } from '../run-process-to-end.ts';
import type { LimitName } from '../../jail/limits/process-limits.ts';
import { createOutputRing, type OutputSlice } from '../../output/output-ring.ts';
import type { StartProcessOptions } from './process-manager-options.ts';
import type { EndSignal } from '../tree/process-tree.ts';
import type { ProcessResult } from '../process-result.ts';
import { createFailure, type SandboxFailure } from '../../sandbox-failure.ts';
import { openSpill, type Spill } from '../../output/spill.ts';

/** The status of a managed process. */
export interface ManagedProcessStatus {
  readonly id: string;
  readonly command: string;
  readonly cwd: string;
  readonly pid: number;
  readonly isAlive: boolean;
  /** Null while the process runs, or if a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** True if it was stopped by `stop`, false if it ended by itself. */
  readonly wasStopped: boolean;
  /** Start time in milliseconds since the epoch. */
  readonly startedAt: number;
  /** Running time so far, or until it ended. */
  readonly durationMs: number;
  /** Number of settled output characters so far, which is also the latest cursor. */
  readonly totalCharacters: number;
  readonly totalBytes: number;
  /** Number of characters dropped from memory. */
  readonly droppedCharacters: number;
  /** True if the output contains a NUL or invalid UTF-8. */
  readonly isBinary: boolean;
  /** The file with the output dropped from memory; after the process has ended, with all output. */
  readonly spill: { readonly path: string; readonly isComplete: boolean } | null;
  /** Ids of descendant processes that could not be ended. */
  readonly survivors: readonly number[];
  /** The limit that was reached, as in `runProcess`. */
  readonly limitReached: LimitName | null;
}

/** A background process. */
export interface ManagedProcess {
  readonly ok: true;
  readonly id: string;
  status(): ManagedProcessStatus;
  /**
   * Reads output from a cursor (from an earlier result, or 0 for the start). Without a cursor, reads the last
   * `maxCharacters` (default 65,536).
   */
  read(cursor?: number, maxCharacters?: number): OutputSlice;
  /** Resolves when there is output after the cursor, the process has ended, or the signal aborts. */
  waitForOutput(cursor: number, signal: AbortSignal): Promise<void>;
  /**
   * Ends the process and all its descendants: sends the signal (default SIGTERM), then SIGKILL after `graceMs`
   * (default: the `killGraceMs` of the start). A second call can only shorten the grace period.
   */
  stop(options?: { readonly signal?: EndSignal; readonly graceMs?: number }): Promise<ManagedProcessStatus>;
  /** Resolves when the process has ended for any reason. */
  waitForEnd(): Promise<ManagedProcessStatus>;
}

const defaultSliceLength = 65_536;
const defaultGraceMs = 5_000;

/** Starts a background process. */
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
    graceMs: wanted.killGraceMs ?? defaultGraceMs,
  };
  let result: ProcessResult | undefined;
  let spill: Spill | undefined;
  let isSpilling = spillDirectory !== undefined;
  let notify = onOutput;
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
      if (settled !== '') notify?.(settled, 'output');
    } catch {
      notify = undefined;
    }
    wake();
  };
  const wake = (): void => {
    for (const check of waiting) check();
  };

  let processId = 0;
  let announce = (): void => {};
  const isStarted = new Promise<void>((resolve) => (announce = resolve));
  const running = runToEnd(
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
  const ended = running.then((outcome) => {
    result = outcome;
    const last = ring.finish();
    spill?.push(ring.stored);
    spill?.close();
    take(last);
    return status();
  });
  // Invalid options reject the start, so this rejection needs no second handler.
  ended.catch(() => undefined);
  const notStarted = await Promise.race([isStarted, running]);
  if (notStarted && processId === 0)
    return notStarted.failure ?? createFailure('SPAWN_FAILED', 'the process ended before it could start');

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
    read: (cursor, maxSlice = defaultSliceLength) => ring.read(cursor, maxSlice),
    waitForOutput: (cursor, signal) => {
      const isDone = (): boolean => ring.totalCharacters > cursor || result !== undefined || signal.aborted;
      if (isDone()) return Promise.resolve();
      return keepAliveWhile(
        new Promise((resolve) => {
          const check = (): void => {
            if (!isDone()) return void waiting.add(check);
            signal.removeEventListener('abort', check);
            waiting.delete(check);
            resolve();
          };
          waiting.add(check);
          signal.addEventListener('abort', check, { once: true });
        }),
      );
    },
    waitForEnd: () => keepAliveWhile(ended),
    stop({ signal = 'SIGTERM', graceMs = wanted.killGraceMs ?? defaultGraceMs } = {}) {
      ending = { first: signal, graceMs: signal === 'SIGKILL' ? 0 : graceMs };
      stop.abort();
      return keepAliveWhile(ended);
    },
  };
}

/** Keeps this process alive while a caller waits. The managed process itself does not. */
async function keepAliveWhile<Value>(promise: Promise<Value>): Promise<Value> {
  const openNamespace = setInterval(() => {}, 2 ** 30);
  try {
    return await promise;
  } finally {
    clearInterval(openNamespace);
  }
}
