import type { Environment } from './clean-environment.ts';
import type { Jail } from '../jail/contract/jail.ts';
import type { ProcessLimits } from '../jail/limits/process-limits.ts';

/** The stream a chunk of output came from; `output` may be both in one. */
export type OutputStream = 'output' | 'error';

/** What to run, and within which limits. */
export interface RunProcessOptions {
  /** A program, or with `shell` a line for it. */
  readonly command: string;
  /** Arguments, passed as they are. With `shell` they become `$1`, `$2`, … (not on Windows). */
  readonly args?: readonly string[];
  /** Run through a shell: true is `/bin/sh` (`cmd.exe` on Windows), a string names another that understands `-c`. Default false. */
  readonly shell?: boolean | string;
  /** The working directory, an absolute path. */
  readonly cwd: string;
  /** All variables the command gets. Default: `createCleanEnvironment()`. One is added, by which its descendants are known. */
  readonly env?: Environment;
  /** What the command reads. Default: nothing, and it sees the end at once. */
  readonly stdin?: string | Uint8Array;
  /** Aborting it ends the command and all it started. */
  readonly signal?: AbortSignal;
  /** Default 120,000 milliseconds; `Infinity` means none. */
  readonly timeoutMs?: number;
  /** How long processes may take to end after SIGTERM, before SIGKILL. Default 5,000 milliseconds. */
  readonly killGraceMs?: number;
  /** How much output is kept of each stream, half from the beginning and half from the end. Default 51,200 bytes. */
  readonly maxOutputBytes?: number;
  /**
   * `combined` (default) joins standard output and standard error in the order written (on Windows: in the order they
   * arrive); `separate` keeps them apart.
   */
  readonly streams?: 'combined' | 'separate';
  /** What becomes of processes that are alive when the command itself has ended by itself. Default `kill`. */
  readonly background?: 'kill' | 'keep';
  /**
   * What the command is kept in, made by `createJail`; the working directory has to be in its view. With
   * bubblewrap the signal that ended a command is its exit code, 128 more, and what it leaves running is killed when it ends.
   */
  readonly jail?: Jail;
  /**
   * How much the command and all it starts may take, without a jail, which has limits of its own. What can't be had is said in
   * the result. Default: no limits.
   */
  readonly limits?: ProcessLimits;
  /** Called with plain text as it arrives, carriage returns left in. Once it throws, it is not called again. */
  readonly onOutput?: (text: string, stream: OutputStream) => void;
}
