import { createStartTimes } from './start-times.ts';
import { createWaitingLine } from './waiting-line.ts';

/** How many calls may pass, at once and in a stretch of time. */
export interface GateLimits {
  readonly parallel: number;
  readonly calls: number;
  readonly perMs: number;
}

/** How a gate answers: come in and leave like this, or come back in so many milliseconds. */
export type Admission = { readonly leave: () => void } | { readonly retryAfterMs: number } | 'aborted';

/** Lets calls pass one after the other, in the order in which they came. */
export interface Gate {
  /** Who waited in vain for others to leave is told to come back after as long again: nobody knows when they will. */
  enter(maxWaitMs: number, signal: AbortSignal | undefined): Promise<Admission>;
}

/** The longest time that timers everywhere can count, in milliseconds. */
const maxTimerMs = 2_000_000_000;

/**
 * Makes a gate. Who would have to wait too long for the rate is told so at once; who waits for others to leave is told
 * when the time is up. A place that is given up goes to the next.
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
  /** One timer for the whole line: for the first one, as the others come after it. */
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
        const settle = (admission: Admission): void => {
          clearTimeout(patience);
          signal?.removeEventListener('abort', onAbort);
          resolve(admission);
        };
        const place = line.join(settle);
        const giveUp = (admission: Admission): void => {
          line.leave(place);
          settle(admission);
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
