import { createStartTimes } from './call-start-times.ts';
import { createWaitingLine } from './waiting-calls.ts';

/** Limits on the number of concurrent calls and on the call rate. */
export interface GateLimits {
  readonly parallel: number;
  readonly calls: number;
  readonly perMs: number;
}

/** The answer of a gate: a function that releases the slot, or the time in milliseconds after which to retry. */
export type Admission = { readonly leave: () => void } | { readonly retryAfterMs: number } | 'aborted';

/** Admits calls in the order in which they arrive. */
export interface Gate {
  /**
   * A call that times out while it waits for a free slot gets its own waiting time as the retry time, because no better
   * estimate exists.
   */
  enter(maxWaitMs: number, signal: AbortSignal | undefined): Promise<Admission>;
}

/** Maximum delay in milliseconds that timers support on all platforms. */
const maxTimerMs = 2_000_000_000;

/**
 * Creates a gate. A call that would have to wait too long because of the rate is rejected at once. A call that waits
 * for a free slot is rejected when its waiting time ends. A released slot goes to the next call.
 */
export function createGate({ parallel, calls, perMs }: GateLimits, now: () => number): Gate {
  const line = createWaitingLine<(admission: Admission) => void>();
  const starts = createStartTimes(calls, perMs, now);
  let inside = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const pass = (): Admission => {
    inside += 1;
    starts.note();
    let isLeft = false;
    const leave = (): void => {
      if (isLeft) return;
      isLeft = true;
      inside -= 1;
      letIn();
    };
    return { leave };
  };
  const mayPass = (): boolean => inside < parallel && starts.waitBehind(0) <= 0;
  /** One timer for the first call in the queue, because the others follow it. */
  const letIn = (): void => {
    while (line.size > 0 && mayPass()) line.takeFirst()!(pass());
    if (timer !== undefined) clearTimeout(timer);
    timer = line.size > 0 && inside < parallel ? setTimeout(letIn, Math.ceil(starts.waitBehind(0))) : undefined;
  };

  return {
    enter(maxWaitMs, signal) {
      if (signal?.aborted) return Promise.resolve('aborted');
      if (line.size === 0 && mayPass()) return Promise.resolve(pass());
      const expected = starts.waitBehind(line.size);
      if (expected > maxWaitMs) return Promise.resolve({ retryAfterMs: expected });
      return new Promise((resolve) => {
        const answer = (admission: Admission): void => {
          clearTimeout(patience);
          signal?.removeEventListener('abort', onAbort);
          resolve(admission);
        };
        const place = line.join(answer);
        const giveUp = (admission: Admission): void => {
          line.leave(place);
          answer(admission);
          letIn();
        };
        const onAbort = (): void => giveUp('aborted');
        const patience = setTimeout(
          () => giveUp({ retryAfterMs: starts.waitBehind(line.size - 1) || maxWaitMs }),
          Math.min(maxWaitMs, maxTimerMs),
        );
        signal?.addEventListener('abort', onAbort, { once: true });
        letIn();
      });
    },
  };
}
