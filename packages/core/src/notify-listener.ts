import { isThenable } from './is-thenable.ts';

/** Calls a listener. Ignores thrown errors and rejected promises. */
export function notifyListener<Told>(listener: (received: Told) => unknown, received: Told): void {
  try {
    dropPromise(listener(received));
  } catch {
    // A failing listener must not affect the notifier.
  }
}

/**
 * Handles a promise where a value was expected, so that its rejection does not end the process. Throws what reading the
 * value throws.
 * @param onRejected called with the reason of a rejection.
 * @returns whether the value was a promise.
 */
export function dropPromise(value: unknown, onRejected: (reason: unknown) => void = ignore): boolean {
  if (!isThenable(value)) return false;
  new Promise((resolve) => resolve(value)).catch(onRejected);
  return true;
}

function ignore(): void {}
