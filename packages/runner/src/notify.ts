/** Calls a listener and drops what it throws or rejects with: listening can't break a run. */
export function notify<Parameters extends readonly unknown[]>(
  listener: ((...parameters: Parameters) => unknown) | undefined,
  ...parameters: Parameters
): void {
  if (!listener) return;
  try {
    const returned = listener(...parameters);
    if (returned instanceof Promise) returned.catch(() => {});
  } catch {
    // The listener's failure is its own.
  }
}
