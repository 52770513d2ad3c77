import type { LimitName, ProcessLimits } from '../limits/process-limits.ts';

/**
 * Whether a jail has to be had: `required` fails where there is none, `preferred` does without and warns, `off` does
 * without.
 */
export type JailPolicy = 'required' | 'preferred' | 'off';

/** What keeps a command in: `none` keeps nothing. */
export type JailDriver = 'bubblewrap' | 'seatbelt' | 'none';

/**
 * What a command may reach. Absolute paths; what does not exist is left out, and so is what lies below a path of `write` and is led
 * elsewhere by a link, which a command may have made.
 */
export interface JailAccess {
  /** Files and folders that may be read, programs included, besides what the system's own programs need. */
  readonly read?: readonly string[];
  /** Files and folders that may be written. What lies deeper in `read` is only read, also where it lies in here. */
  readonly write?: readonly string[];
  /** Files and folders inside of the others that are not in view: there is nothing to read at their paths, nor to write. */
  readonly hidden?: readonly string[];
  /** The network, with this machine's own ports. Default false: none at all. */
  readonly network?: boolean;
}

/**
 * How much a command may take, as far as the driver can tell: what it can't is among the gaps. Default: half of the memory that
 * this process may have, 1,024 processes and threads, files of 4 GiB.
 */
export interface JailLimits extends ProcessLimits {
  /** Bytes that `/tmp` may hold; they count as memory of the machine. Default 256 MiB. */
  readonly temporaryBytes?: number;
}

/** A program with its arguments. */
export interface JailCommand {
  /** The absolute path of the program. */
  readonly file: string;
  readonly args: readonly string[];
  /** Where it starts. Default: where it is started from, which has to be in view. */
  readonly cwd?: string;
  /** Said of a line of shell that a driver has made: `args` are `-c`, the line and its words, and another line may go before it. */
  readonly isShellLine?: true;
}

/** Keeps commands in. */
export interface Jail {
  readonly ok: true;
  readonly driver: JailDriver;
  /** What is not kept out here although it should be; with driver `none` everything. */
  readonly gaps: readonly string[];
  /** What to start instead of a command, with the environment and the descriptors that it is to have. */
  wrap(command: JailCommand, more?: JailAccess): JailCommand;
  /**
   * Tells which limit a wrapped command ran into, as far as the system knows, and tidies up after it: to be called with the id of
   * the process that was started, when it has ended.
   */
  settle(pid: number): LimitName | null;
  /** Closes the way to listed hosts; commands that run lose it. */
  close(): Promise<void>;
}
