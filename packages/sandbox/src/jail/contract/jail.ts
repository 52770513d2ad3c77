import type { LimitName, ProcessLimits } from '../limits/process-limits.ts';

/**
 * Whether a jail is necessary: `required` fails without one, `preferred` warns and continues without one, `off` does
 * not use one.
 */
export type JailPolicy = 'required' | 'preferred' | 'off';

/** The mechanism of a jail. `none` restricts nothing. */
export type JailDriver = 'bubblewrap' | 'seatbelt' | 'none';

/**
 * What a command may access, as absolute paths. Missing paths are ignored, and so are paths inside a `write` path that
 * a link redirects, because a command may have created that link.
 */
export interface JailAccess {
  /** Files and directories that may be read, including programs, in addition to the system's own programs. */
  readonly read?: readonly string[];
  /** Files and directories that may be written. A `read` path inside a `write` path is read-only. */
  readonly write?: readonly string[];
  /** Files and directories inside the others that are hidden: they can be neither read nor written. */
  readonly hidden?: readonly string[];
  /** Network access, including local ports of this machine. Default false. */
  readonly network?: boolean;
}

/**
 * Resource limits of a command. Limits that the driver cannot enforce are listed as gaps. Default: half of the memory
 * of this process, 1,024 processes and threads, files of 4 GiB.
 */
export interface JailLimits extends ProcessLimits {
  /** Maximum size of `/tmp` in bytes, which counts as memory of the machine. Default 256 MiB. */
  readonly temporaryBytes?: number;
}

/** A program with its arguments. */
export interface JailCommand {
  /** The absolute path of the program. */
  readonly file: string;
  readonly args: readonly string[];
  /** The working directory. Default: that of the caller, which must be accessible in the jail. */
  readonly cwd?: string;
  /**
   * Set for a shell command created by a driver: `args` are `-c`, the script and its parameters, and another line may
   * be prepended.
   */
  readonly isShellLine?: true;
}

/** A jail for commands. */
export interface Jail {
  readonly ok: true;
  readonly driver: JailDriver;
  /** Descriptions of restrictions that cannot be enforced on this machine; with driver `none` all of them. */
  readonly gaps: readonly string[];
  /** Returns the command to start instead of `command`, with the same environment and descriptors. */
  wrap(command: JailCommand, more?: JailAccess): JailCommand;
  /**
   * Returns the limit that a command reached, if the system reports it, and removes its control group. Call it with the
   * id of the started process after it has ended.
   */
  settle(pid: number): LimitName | null;
  /** Closes the connection to the allowed hosts, even for running commands. */
  close(): Promise<void>;
}
