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
}

/**
 * Repeats work while the database can't be reached. The work must have the same effect when it is repeated, because a
 * lost connection may hide a success.
 *
 * @throws JobsError `UNAVAILABLE`, `FULL` or `CLOSED`.
 */
export async function keepTrying<Result>(
  engine: Engine,
  { timeoutMs, isClosed }: Patience,
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
      if (!engine.isTemporary(error)) throw toJobsError(error, doing);
      if (performance.now() + pause >= deadline)
        throw toJobsError(error, doing, ` (tried again for ${timeoutMs} ms; the option timeoutMs changes that)`);
    }
    await delay(pause);
  }
}

function toJobsError(error: unknown, doing: string, hint = ''): JobsError {
  const text = error instanceof Error ? error.message : String(error);
  const isFull = sqlStateOf(error) === '53100' || /no space left|ENOSPC/i.test(text);
  return new JobsError(isFull ? 'FULL' : 'UNAVAILABLE', `${doing}: ${text}${hint}`, { cause: error });
}
