import { setImmediate as nextTurn } from 'node:timers/promises';

const maxSliceMs = 10;

/**
 * Returns a function to call inside long loops. It returns a promise to await once the loop has used its time slice.
 */
export function sliceScanTime(): () => Promise<void> | undefined {
  let startedAt = performance.now();
  const wait = async (): Promise<void> => {
    await nextTurn();
    startedAt = performance.now();
  };
  return () => (performance.now() - startedAt < maxSliceMs ? undefined : wait());
}
