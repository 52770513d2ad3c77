import type { LimitName } from '../jail/limits/process-limits.ts';
import type { CapturedOutput } from '../output/output-capture.ts';
import type { SandboxFailure } from '../sandbox-failure.ts';

/** The result of a command. */
export interface ProcessResult {
  /** Null if a signal ended the command or it never started. */
  readonly exitCode: number | null;
  /** The signal that ended the command, for example `SIGKILL`. */
  readonly signal: NodeJS.Signals | null;
  /** True if the deadline passed. Never true together with `aborted`. */
  readonly timedOut: boolean;
  /** True if the caller's signal aborted the command. */
  readonly aborted: boolean;
  /**
   * The reason why the command never started: `COMMAND_NOT_FOUND`, `SPAWN_FAILED`, or for the working directory
   * `NOT_FOUND`, `NOT_DIRECTORY`, `ACCESS_DENIED`, `INVALID_PATH`.
   */
  readonly failure: SandboxFailure | null;
  /** Both streams, or only standard output with `streams: 'separate'`. */
  readonly output: CapturedOutput;
  /** Standard error with `streams: 'separate'`, otherwise null. */
  readonly errorOutput: CapturedOutput | null;
  readonly durationMs: number;
  /** Null if the command never started. */
  readonly pid: number | null;
  /** Ids of descendant processes that still run: those left in the background, or those that could not be ended. */
  readonly survivors: readonly number[];
  /**
   * The limit that was reached, if the system reports it: memory for which a process was killed, or processes that
   * could not start.
   */
  readonly limitReached: LimitName | null;
  /** Descriptions of the `limits` that could not be enforced. Those of a jail are among its gaps. */
  readonly unenforced: readonly string[];
}
