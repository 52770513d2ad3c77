import { totalmem } from 'node:os';

/** How much a command and all it starts may take. `Infinity` lifts a limit. */
export interface ProcessLimits {
  /** Bytes of memory: of all of them together where control groups can be had, else of each (shared memory aside). */
  readonly memoryBytes?: number;
  /** How many processes and threads there may be at once. */
  readonly processes?: number;
  /** Bytes of the largest file that may be written. */
  readonly fileBytes?: number;
}

/** A limit that a command can be seen to have run into. */
export type LimitName = 'memory' | 'processes';

/**
 * What a jail allows when nothing else is said: half of the memory that this process may have, 1,024 processes and threads,
 * files of 4 GiB.
 */
export function usualLimits(): Required<ProcessLimits> {
  const constrained = process.constrainedMemory();
  const memory = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  return { memoryBytes: Math.floor(memory / 2), processes: 1_024, fileBytes: 4_294_967_296 };
}

/** Limits as given, and none where none is. */
export function givenLimits(limits: ProcessLimits | undefined): Required<ProcessLimits> {
  return { memoryBytes: Infinity, processes: Infinity, fileBytes: Infinity, ...limits };
}

/**
 * Refuses limits that can't be meant.
 *
 * @throws TypeError naming the limit.
 */
export function checkLimits(limits: ProcessLimits): void {
  const lowest = { memoryBytes: 1_048_576, processes: 1, fileBytes: 0 } as const;
  for (const [name, least] of Object.entries(lowest)) {
    const value = limits[name as keyof typeof lowest];
    if (value !== undefined && !(typeof value === 'number' && value >= least))
      throw new TypeError(`${name} must be a number from ${least}, or Infinity, not ${String(value)}`);
  }
}
