import { toolError } from '@haft/core';

/** Timeouts and signal of a request. */
export interface StreamBounds {
  readonly idleTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Interval in which a fast stream lets timers run. */
const yieldIntervalMs = 20;

/** Reads the events of one stream, within its timeouts. */
export interface StreamWatch {
  /** The signal for the model. Aborts when the watch stops. */
  readonly signal: AbortSignal;
  /**
   * Passes each value of the stream to `onValue`, until the stream ends or `onValue` returns false. Rejects when the
   * stream or `onValue` throws, the run's signal aborts, or a timeout passes; later values are dropped.
   */
  read(stream: AsyncIterator<unknown>, onValue: (value: unknown) => boolean): Promise<void>;
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
  let rejectRead: ((reason: unknown) => void) | undefined;

  const stop = (reason: unknown): void => {
    stopped ??= { reason };
    clearTimeout(timer);
    controller.abort(reason);
    rejectRead?.(reason);
  };
  /** One promise serves the whole stream, because a promise per event would cost more than the event. */
  const read: StreamWatch['read'] = (stream, onValue) =>
    new Promise((resolve, reject) => {
      if (stopped) throw stopped.reason;
      rejectRead = reject;
      const ask = (): void => {
        try {
          Promise.resolve(stream.next()).then(onStep, reject);
        } catch (cause) {
          reject(cause);
        }
      };
      const onStep = (step: IteratorResult<unknown>): void => {
        if (stopped) return;
        lastEventAt = Date.now();
        try {
          if (step.done === true || !onValue(step.value)) return resolve();
        } catch (cause) {
          return reject(cause);
        }
        // The event may have aborted the run.
        if (stopped) return;
        if (lastEventAt - lastYieldAt <= yieldIntervalMs) return ask();
        // A stream whose next event is always ready would block timers and other tasks.
        setTimeout(() => {
          lastYieldAt = Date.now();
          if (!stopped) ask();
        }, 0);
      };
      ask();
    });
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
    read,
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
