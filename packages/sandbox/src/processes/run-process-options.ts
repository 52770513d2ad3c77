import type { Environment } from './clean-environment.ts';
import type { Jail } from '../jail/contract/jail.ts';
import type { ProcessLimits } from '../jail/limits/process-limits.ts';

/** The stream of an output chunk. `output` may be both streams in one. */
export type OutputStream = 'output' | 'error';

/** The command to run and its limits. */
export interface RunProcessOptions {
  /** A program, or with `shell` a command line. */
  readonly command: string;
  /** Arguments, passed literally. With `shell` they become `$1`, `$2`, … (not on Windows). */
  readonly args?: readonly string[];
  /**
   * Whether to run a shell: true for `/bin/sh` (`cmd.exe` on Windows), a string for another shell that supports `-c`.
   * Default false.
   */
  readonly shell?: boolean | string;
  /** The working directory, an absolute path. */
  readonly cwd: string;
  /** All environment variables. Default: `createCleanEnvironment()`. One variable is added to identify descendants. */
  readonly env?: Environment;
  /** Standard input. Default: empty. */
  readonly stdin?: string | Uint8Array;
  /** Ends the command and all its descendants when it aborts. */
  readonly signal?: AbortSignal;
  /** Deadline in milliseconds. Default 120,000; `Infinity` for none. */
  readonly timeoutMs?: number;
  /** Time in milliseconds between SIGTERM and SIGKILL. Default 5,000. */
  readonly killGraceMs?: number;
  /** Maximum number of output bytes to retain per stream, half from the start and half from the end. Default 51,200. */
  readonly maxOutputBytes?: number;
  /**
   * `combined` (default) joins standard output and standard error in the order written (on Windows: of arrival);
   * `separate` captures them separately.
   */
  readonly streams?: 'combined' | 'separate';
  /** What to do with background processes when the command has ended by itself. Default `kill`. */
  readonly background?: 'kill' | 'keep';
  /**
   * The jail to run the command in, from `createJail`. The jail must give access to the working directory. With
   * bubblewrap, a command ended by a signal has the exit code 128 plus the signal, and its background processes are
   * killed when it ends.
   */
  readonly jail?: Jail;
  /**
   * Limits for the command and its descendants without a jail; a jail has its own limits. The result lists limits that
   * cannot be enforced. Default: no limits.
   */
  readonly limits?: ProcessLimits;
  /** Called with plain text as it arrives, including carriage returns. Not called again once it throws. */
  readonly onOutput?: (text: string, stream: OutputStream) => void;
}
