import type { LimitName } from '../jail/limits/process-limits.ts';
import type { CapturedOutput } from '../output/output-capture.ts';
import type { SandboxFailure } from '../sandbox-failure.ts';

/** How a command ended. */
export interface ProcessResult {
  /** Null when a signal ended it, or when it never started. */
  readonly exitCode: number | null;
  /** The signal that ended it, such as `SIGKILL`. */
  readonly signal: NodeJS.Signals | null;
  /** The deadline passed. Never together with `aborted`. */
  readonly timedOut: boolean;
  /** The caller's signal aborted it. */
  readonly aborted: boolean;
  /**
   * Why it never started: `COMMAND_NOT_FOUND`, `SPAWN_FAILED`, or for the working directory `NOT_FOUND`, `NOT_DIRECTORY`,
   * `ACCESS_DENIED`, `INVALID_PATH`.
   */
  readonly failure: SandboxFailure | null;
  /** Both streams, or standard output alone with `streams: 'separate'`. */
  readonly output: CapturedOutput;
  /** Standard error with `streams: 'separate'`, else null. */
  readonly errorOutput: CapturedOutput | null;
  readonly durationMs: number;
  /** Null when it never started. */
  readonly pid: number | null;
  /** Ids of processes it started that are alive: kept ones, or ones that could not be ended. */
  readonly survivors: readonly number[];
  /** The limit that it ran into, where the system tells: memory that it was killed for, or processes it could not start. */
  readonly limitReached: LimitName | null;
  /** Which of its `limits` could not be had, in words. Those of a jail are among its gaps. */
  readonly unenforced: readonly string[];
}
