/** Calls a listener and ignores its exceptions and rejections. */
export function notify<Parameters extends readonly unknown[]>(
  listener: ((...parameters: Parameters) => unknown) | undefined,
  ...parameters: Parameters
): void {
  if (!listener) return;
  try {
    const returned = listener(...parameters);
    if (returned instanceof Promise) returned.catch(() => {});
  } catch {
    // A listener must not break the run.
  }
}
