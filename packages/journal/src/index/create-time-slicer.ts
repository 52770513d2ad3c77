import { setImmediate as nextTurn } from 'node:timers/promises';

const maxSliceMs = 10;

/** Lets long work leave room for everything else in this thread: gives a promise to await when a turn was long enough. */
export function createTimeSlicer(): () => Promise<void> | undefined {
  let startedAt = performance.now();
  const wait = async (): Promise<void> => {
    await nextTurn();
    startedAt = performance.now();
  };
  return () => (performance.now() - startedAt < maxSliceMs ? undefined : wait());
}
