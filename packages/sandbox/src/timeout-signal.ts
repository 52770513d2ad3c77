/** An abort signal with a deadline. Call `dispose` when the work is done. */
export interface TimeoutSignal {
  /** Aborts at the deadline, or with the caller's signal and its reason. */
  readonly signal: AbortSignal;
  /**
   * True if the deadline aborted the signal, not the caller. This is a getter: destructuring copies its current value.
   */
  readonly timedOut: boolean;
  /** Removes the timer and the listener. May be called more than once. */
  dispose(): void;
}

const maxTimerMs = 2 ** 31 - 1;

/**
 * Combines a caller's signal with a deadline.
 *
 * @param signal - the caller's signal. If it is already aborted, the result is too and no timer starts.
 * @param ms - milliseconds until the deadline, default 30,000; `Infinity` for no deadline.
 * @example
 * import { createTimeoutSignal } from '@haft/sandbox';
 * const timeout = createTimeoutSignal(undefined, 1_000);
 * timeout.signal.aborted; // => false
 * timeout.dispose();
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
    if (ms !== Infinity) timer = setTimeout(onDeadline, Math.min(Math.max(ms, 0), maxTimerMs));
  }
  return {
    signal: controller.signal,
    get timedOut() {
      return timedOut;
    },
    dispose,
  };
}
