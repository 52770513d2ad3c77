import { setImmediate as nextTurn } from 'node:timers/promises';

/** Lets long work in this thread leave room for everything else that wants to run in it. */
export interface Turns {
  /** A promise to await when this turn was long enough, else undefined. Cheap: ask after every small piece of work. */
  next(): Promise<void> | undefined;
}

const maxTurnMs = 10;

/** Makes the turns of one piece of work. */
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
