/** A signal with a deadline. Dispose of it when the work is done. */
export interface TimeoutSignal {
  /** Aborts at the deadline, or when the signal given at the start does, with that signal's reason. */
  readonly signal: AbortSignal;
  /** The deadline, not the caller, aborted it. Read it when needed: destructuring keeps the value of that moment. */
  readonly timedOut: boolean;
  /** Takes back the timer and the listener. May be called twice. */
  dispose(): void;
}

const longestTimer = 2 ** 31 - 1;

/**
 * Joins a caller's signal with a deadline.
 *
 * @param signal - what the caller may abort with; aborted already, the result is too, and no timer starts.
 * @param ms - milliseconds until the deadline, default 30,000; `Infinity` means none.
 */
export function createTimeoutSignal(signal?: AbortSignal, ms = 30_000): TimeoutSignal {
  const controller = new AbortController();
  let timedOut = false;
  let timer: NodeJS.Timeout | undefined;

  const dispose = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  };
  const onAbort = (): void => {
    dispose();
    controller.abort(signal?.reason);
  };
  const onDeadline = (): void => {
    timedOut = true;
    dispose();
    controller.abort(new DOMException(`The deadline of ${ms} ms has passed`, 'TimeoutError'));
  };

  if (signal?.aborted === true) onAbort();
  else {
    signal?.addEventListener('abort', onAbort, { once: true });
    if (ms !== Infinity) timer = setTimeout(onDeadline, Math.min(Math.max(ms, 0), longestTimer));
  }
  return {
    signal: controller.signal,
    get timedOut() {
      return timedOut;
    },
    dispose,
  };
}
