import { isThenable } from './is-thenable.ts';

/** Calls a listener. What it throws, or rejects with later, is ignored. */
export function notifyListener<Told>(listener: (told: Told) => unknown, told: Told): void {
  try {
    dropPromise(listener(told));
  } catch {
    // A listener can't break what it listens to.
  }
}

/**
 * Ignores a promise where a value was expected, so that its rejection does not end the process. Throws what reading it
 * throws.
 * @param onRejected called with the reason of a rejection.
 * @returns whether it was a promise.
 */
export function dropPromise(value: unknown, onRejected: (reason: unknown) => void = ignore): boolean {
  if (!isThenable(value)) return false;
  new Promise((resolve) => resolve(value)).catch(onRejected);
  return true;
}

function ignore(): void {}
