import { setImmediate as nextTurn } from 'node:timers/promises';

/** Divides long work in this thread into turns, so that other work can run in between. */
export interface Turns {
  /**
   * Returns a promise to await if this turn has lasted long enough, else undefined. Fast enough to call after every
   * small step.
   */
  next(): Promise<void> | undefined;
}

const maxTurnMs = 10;

/** Starts the turns of one task. */
export function takeTurns(now: () => number = () => performance.now()): Turns {
  let startedAt = now();
  const waitForTurn = async (): Promise<void> => {
    await nextTurn();
    startedAt = now();
  };
  return {
    next: () => (now() - startedAt < maxTurnMs ? undefined : waitForTurn()),
  };
}
