import { totalmem } from 'node:os';

/** Resource limits of a command and its descendants. `Infinity` removes a limit. */
export interface ProcessLimits {
  /** Memory in bytes: in total with control groups, otherwise per process (excluding shared memory). */
  readonly memoryBytes?: number;
  /** Maximum number of processes and threads at the same time. */
  readonly processes?: number;
  /** Maximum size of a written file in bytes. */
  readonly fileBytes?: number;
}

/** A limit that a result can report as reached. */
export type LimitName = 'memory' | 'processes';

/**
 * Returns the default limits of a jail: half of the memory of this process, 1,024 processes and threads, files of 4
 * GiB.
 */
export function defaultLimits(): Required<ProcessLimits> {
  const constrained = process.constrainedMemory();
  const memory = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  return { memoryBytes: Math.floor(memory / 2), processes: 1_024, fileBytes: 4_294_967_296 };
}

/** Fills in `Infinity` for limits that are not given. */
export function fillLimits(limits: ProcessLimits | undefined): Required<ProcessLimits> {
  return { memoryBytes: Infinity, processes: Infinity, fileBytes: Infinity, ...limits };
}

/**
 * Validates limits.
 *
 * @throws TypeError naming the invalid limit.
 */
export function checkLimits(limits: ProcessLimits): void {
  const minimums = { memoryBytes: 1_048_576, processes: 1, fileBytes: 0 } as const;
  for (const [name, minimum] of Object.entries(minimums)) {
    const value = limits[name as keyof typeof minimums];
    if (value !== undefined && !(typeof value === 'number' && value >= minimum))
      throw new TypeError(`${name}: invalid (expected a number from ${minimum}, or Infinity, got ${String(value)})`);
  }
}
