import { isThenable } from './is-thenable.ts';

/** Calls a listener. What it throws, or rejects with later, is its own affair: nobody waits for it. */
export function tellListener<Told>(listener: (told: Told) => unknown, told: Told): void {
  try {
    dropPromise(listener(told));
  } catch {
    // A listener can't break what it listens to.
  }
}

/**
 * Passes over a promise where a value was due, so that its rejection ends no process. Throws what reading it throws.
 * @returns whether it was one.
 */
export function dropPromise(value: unknown): boolean {
  if (!isThenable(value)) return false;
  new Promise((resolve) => resolve(value)).catch(() => undefined);
  return true;
}
