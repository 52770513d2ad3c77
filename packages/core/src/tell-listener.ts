/** Calls a listener. What it throws, or rejects with later, is its own affair: nobody waits for it. */
export function tellListener<Told>(listener: (told: Told) => unknown, told: Told): void {
  try {
    const returned = listener(told);
    if (typeof returned !== 'object' || returned === null) return;
    if (typeof Reflect.get(returned, 'then') !== 'function') return;
    new Promise((resolve) => resolve(returned)).catch(() => undefined);
  } catch {
    // A listener can't break what it listens to.
  }
}
