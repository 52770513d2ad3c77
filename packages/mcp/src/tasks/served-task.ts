import type { InputRequests } from '@modelcontextprotocol/server';

/** Status of a task, as defined by the protocol. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** The members of every task in the protocol. */
export interface TaskDescription {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
}

/** A call that outlives its request. */
export interface ServedTask {
  readonly id: string;
  /** The caller that the task belongs to. */
  readonly owner: string;
  /** Returns the task without its outcome. */
  head(): TaskDescription;
  /** Returns the task with its open requests, result or error. */
  describe(): TaskDescription & Readonly<Record<string, unknown>>;
  /** Sets the status message. */
  setStatusMessage(message: string): void;
  /** Asks the client and waits for the answer. Rejects if the task ends first. */
  ask(key: string, request: InputRequests[string]): Promise<unknown>;
  /** Accepts answers of the client. Answers to unknown keys are ignored. */
  answer(responses: Readonly<Record<string, unknown>>): void;
  /** Ends the task with a result, unless it has ended. */
  complete(result: Readonly<Record<string, unknown>>): void;
  /** Ends the task with a protocol error, unless it has ended. */
  fail(error: { readonly code: number; readonly message: string }): void;
  /** Ends the task and its call, unless the task has ended. */
  cancel(): void;
  /** Adds a listener for changes of the status, its message or the open requests. */
  onChange(listener: () => void): void;
  /** Resolves at the next change, or when the signal aborts. */
  nextChange(signal: AbortSignal): Promise<void>;
}

interface Waiting {
  readonly request: InputRequests[string];
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Creates a running task. `abort` ends its call. */
export function createServedTask(
  who: { readonly id: string; readonly owner: string; readonly ttlMs: number; readonly pollIntervalMs: number },
  abort: () => void,
): ServedTask {
  const { id, owner, ttlMs, pollIntervalMs } = who;
  const createdAt = new Date().toISOString();
  const openRequests = new Map<string, Waiting>();
  let lastUpdatedAt = createdAt;
  let statusMessage: string | undefined;
  let ending: { readonly status: 'completed' | 'failed' | 'cancelled'; readonly outcome: object } | undefined;

  const listeners = new Set<() => void>();
  const touch = (): void => {
    lastUpdatedAt = new Date().toISOString();
    for (const listener of listeners) listener();
  };
  const end = (status: 'completed' | 'failed' | 'cancelled', outcome: object): void => {
    if (ending) return;
    ending = { status, outcome };
    for (const { reject } of openRequests.values()) reject(new Error('the task has ended'));
    openRequests.clear();
    touch();
  };
  const head = (): TaskDescription => ({
    taskId: id,
    status: ending?.status ?? (openRequests.size > 0 ? 'input_required' : 'working'),
    ...(statusMessage === undefined ? {} : { statusMessage }),
    createdAt,
    lastUpdatedAt,
    ttlMs,
    pollIntervalMs,
  });

  return {
    id,
    owner,
    head,
    describe: () => ({
      ...head(),
      ...(openRequests.size > 0
        ? { inputRequests: Object.fromEntries([...openRequests].map(([key, { request }]) => [key, request])) }
        : {}),
      ...ending?.outcome,
    }),
    setStatusMessage(message) {
      if (ending) return;
      statusMessage = message;
      touch();
    },
    ask: (key, request) =>
      new Promise((resolve, reject) => {
        if (ending) return reject(new Error('the task has ended'));
        openRequests.set(key, { request, resolve, reject });
        touch();
      }),
    answer(responses) {
      for (const [key, { resolve }] of openRequests)
        if (Object.hasOwn(responses, key)) {
          openRequests.delete(key);
          touch();
          resolve(responses[key]);
        }
    },
    complete: (result) => end('completed', { result }),
    fail: (error) => end('failed', { error }),
    cancel() {
      if (ending) return;
      end('cancelled', {});
      abort();
    },
    onChange: (listener) => void listeners.add(listener),
    nextChange: (signal) =>
      new Promise((resolve) => {
        const done = (): void => {
          listeners.delete(done);
          signal.removeEventListener('abort', done);
          resolve();
        };
        listeners.add(done);
        signal.addEventListener('abort', done, { once: true });
        if (signal.aborted) done();
      }),
  };
}
