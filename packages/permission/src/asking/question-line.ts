/** Runs one task at a time, in the order in which they come. */
export interface QuestionLine {
  /** Number of tasks that have not ended. */
  readonly length: number;
  /** Runs a task after all earlier ones. If the signal aborts, rejects at once and lets the next task run. */
  run<Result>(signal: AbortSignal, task: () => Result | PromiseLike<Result>): Promise<Result>;
}

/** Creates an empty line. `onEmpty` is called each time that the last task has ended. */
export function createQuestionLine(onEmpty?: () => void): QuestionLine {
  let last: Promise<unknown> = Promise.resolve();
  let length = 0;
  const leave = (): void => {
    length -= 1;
    if (length === 0) onEmpty?.();
  };

  return {
    get length() {
      return length;
    },
    run(signal, task) {
      const before = last;
      const stopped = rejectOnAbort(signal);
      const ended = (async () => {
        await Promise.race([before, stopped]);
        signal.throwIfAborted();
        return Promise.race([task(), stopped]);
      })();
      length += 1;
      last = Promise.allSettled([before, ended]).then(leave);
      return ended;
    },
  };
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  const stopped = new Promise<never>((_, reject) => {
    const fail = (): void =>
      reject(signal.reason instanceof Error ? signal.reason : new Error('no caller waits for the answer'));
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
  // The signal may abort after the task has ended.
  stopped.catch(() => undefined);
  return stopped;
}
