import { toolError } from '@haft/core';

/** Timeouts and signal of a request. */
export interface StreamBounds {
  readonly idleTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Interval in which a fast stream lets timers run. */
const yieldIntervalMs = 20;

/** Waits for the events of one stream, within its timeouts. */
export interface StreamWatch {
  /** The signal for the model. Aborts when the watch stops. */
  readonly signal: AbortSignal;
  /** Settles like the step, or rejects when the run's signal aborts or a timeout passes. */
  next<Step>(step: Promise<Step>): Promise<Step>;
  /** Clears timers and listeners. With a reason, aborts the model's signal. */
  end(reason?: unknown): void;
}

/**
 * Starts the timeouts of one request. One timer serves all events, because a timer per event would cost more than the
 * event.
 */
export function watchStream({ idleTimeoutMs, requestTimeoutMs, signal }: StreamBounds): StreamWatch {
  const controller = new AbortController();
  const startedAt = Date.now();
  let lastEventAt = startedAt;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastYieldAt = startedAt;
  let stopped: { readonly reason: unknown } | undefined;
  let rejectPending: ((reason: unknown) => void) | undefined;

  const stop = (reason: unknown): void => {
    stopped ??= { reason };
    clearTimeout(timer);
    controller.abort(reason);
    rejectPending?.(reason);
  };
  /** A stream whose next event is always ready would block timers and other tasks. */
  const yieldToTimers = (goOn: () => void): void => {
    setTimeout(() => {
      lastYieldAt = Date.now();
      goOn();
    }, 0);
  };
  const take = <Value>(value: Value, goOn: (value: Value) => void): void => {
    lastEventAt = Date.now();
    if (lastEventAt - lastYieldAt <= yieldIntervalMs) goOn(value);
    else yieldToTimers(() => goOn(value));
  };
  const onAbort = (): void => stop(signal?.reason);
  const check = (): void => {
    const now = Date.now();
    const left = Math.min(lastEventAt + idleTimeoutMs, startedAt + requestTimeoutMs) - now;
    if (left > 0) timer = setTimeout(check, Math.min(left, 2_000_000_000));
    else if (now - startedAt >= requestTimeoutMs)
      stop(timeout(`the model did not finish its answer within ${requestTimeoutMs} ms`));
    else stop(timeout(`the model sent nothing for ${idleTimeoutMs} ms`));
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();
  else check();

  return {
    signal: controller.signal,
    next: (step) =>
      // A new promise per step, because a single long-lived promise would hold a reaction for every step.
      new Promise((resolve, reject) => {
        if (stopped) {
          // The step is no longer awaited and may reject.
          Promise.resolve(step).catch(() => undefined);
          throw stopped.reason;
        }
        rejectPending = reject;
        Promise.resolve(step).then((value) => take(value, resolve), reject);
      }),
    end(reason) {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      if (reason !== undefined && !controller.signal.aborted) controller.abort(reason);
    },
  };
}

function timeout(message: string): unknown {
  return toolError('MODEL_FAILED', message, { retryable: true, details: { reason: 'timeout' } });
}
