import type { RunProcessOptions } from '../run-process-options.ts';

/** Options of {@link createProcessManager}. */
export interface ProcessManagerOptions {
  /** Maximum number of running processes. Default 16. */
  readonly maxAlive?: number;
  /** Maximum number of ended processes to remember, the latest ones. Default 32. */
  readonly maxEnded?: number;
  /** Maximum number of output characters to store per process, the latest ones. Default 1,048,576. */
  readonly maxCharacters?: number;
}

/** A process to start, with the options of `runProcess` except those that would end it. */
export interface StartProcessOptions extends Omit<
  RunProcessOptions,
  'signal' | 'timeoutMs' | 'streams' | 'background' | 'maxOutputBytes'
> {
  /** The owner of the process. `find` and `list` with an owner return only its processes. */
  readonly owner?: string;
  /** Absolute directory for output dropped from memory, as in `openSpill`. Default: dropped output is lost. */
  readonly spillDirectory?: string;
}
