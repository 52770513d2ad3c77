import type { RunProcessOptions } from '../run-process-options.ts';

/** Limits of a board. */
export interface ProcessManagerOptions {
  /** How many of its processes may be alive at once. Default 16. */
  readonly maxAlive?: number;
  /** How many that have ended are remembered, the latest ones. Default 32. */
  readonly maxEnded?: number;
  /** How many characters of output are kept of each, the latest ones. Default 1,048,576. */
  readonly maxCharacters?: number;
}

/** A process to start on a board: as for `runProcess`, but for what would end it by itself. */
export interface StartProcessOptions extends Omit<
  RunProcessOptions,
  'signal' | 'timeoutMs' | 'streams' | 'background' | 'maxOutputBytes'
> {
  /** Whose it is: `find` and `list` show nobody else's when they are asked for an owner. */
  readonly owner?: string;
  /** Absolute folder for output that is no longer kept in memory, as of `openSpill`. Default: it is gone. */
  readonly spillDirectory?: string;
}
