import { toolError } from '@haft/core';

/** How long a request may take. */
export interface StreamBounds {
  readonly idleTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Milliseconds after which a stream lets timers run, however fast its events come. */
const yieldIntervalMs = 20;

/** Waits for the events of one stream, within its bounds. */
export interface StreamWatch {
  /** Aborts together with the watch; what the model is given. */
  readonly signal: AbortSignal;
  /** Resolves as the step does, or rejects once the run's signal aborts or a time is over. */
  next<Step>(step: Promise<Step>): Promise<Step>;
  /** Lets go of timers and listeners. With a reason, the model's signal aborts. */
  end(reason?: unknown): void;
}

/** Starts the clocks of one request: one timer for all its events, since a timer for each would cost more than they do. */
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
  /** A stream that always has its next event ready keeps timers and everybody else from running. */
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
      stop(timeout(`the model did not end its answer in ${requestTimeoutMs} ms`));
    else stop(timeout(`the model wrote nothing for ${idleTimeoutMs} ms`));
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();
  else check();

  return {
    signal: controller.signal,
    next: (step) =>
      // A promise for each step, since one that all steps were raced with would remember every one of them.
      new Promise((resolve, reject) => {
        if (stopped) {
          // Nobody waits for it any more, and it may fail.
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
