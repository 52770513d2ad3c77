import { setTimeout as delay } from 'node:timers/promises';

import { sqlStateOf } from '@haft/store/connections';

import { JobsError } from '../jobs-error.ts';
import type { Engine } from './engine.ts';

const minPauseMs = 25;
const maxPauseMs = 500;

/** When {@link keepTrying} ends. */
export interface Patience {
  /** Milliseconds. */
  readonly timeoutMs: number;
  readonly isClosed: () => boolean;
  /** Called repeatedly while the work is delayed. */
  readonly onDelay?: (doing: string, error: unknown) => void;
}

/**
 * Repeats work while the database can't be reached. Repeating the work must have no further effect, because a lost
 * connection may hide a success.
 *
 * @throws JobsError `UNAVAILABLE`, `FULL` or `CLOSED`.
 */
export async function keepTrying<Result>(
  engine: Engine,
  { timeoutMs, isClosed, onDelay }: Patience,
  doing: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const deadline = performance.now() + timeoutMs;
  for (let pause = minPauseMs; ; pause = Math.min(pause * 2, maxPauseMs)) {
    if (isClosed()) throw new JobsError('CLOSED', `${doing}: the jobs are closed`);
    try {
      return await work();
    } catch (error) {
      if (error instanceof JobsError) throw error;
      if (isClosed()) throw new JobsError('CLOSED', `${doing}: the jobs are closed`, { cause: error });
      // Work without a deadline also waits until a full disk has room again.
      const isTemporary = engine.isTemporary(error) || (timeoutMs === Infinity && isFull(error));
      if (!isTemporary) throw toJobsError(error, doing);
      if (performance.now() + pause >= deadline)
        throw toJobsError(error, doing, ` (tried again for ${timeoutMs} ms; the option timeoutMs changes that)`);
      if (pause === maxPauseMs) onDelay?.(doing, error);
    }
    await delay(pause);
  }
}

function isFull(error: unknown): boolean {
  return sqlStateOf(error) === '53100' || /no space left|ENOSPC/i.test(textOf(error));
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function toJobsError(error: unknown, doing: string, hint = ''): JobsError {
  return new JobsError(isFull(error) ? 'FULL' : 'UNAVAILABLE', `${doing}: ${textOf(error)}${hint}`, { cause: error });
}
