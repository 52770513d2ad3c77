import type { InputRequests } from '@modelcontextprotocol/server';

/** How a task is, as the protocol calls it. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** What the protocol says of every task. */
export interface TaskDescription {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
}

/** One call that outlives its request. */
export interface ServedTask {
  readonly id: string;
  /** The caller that it belongs to. */
  readonly owner: string;
  /** What is known of it without what came of it. */
  head(): TaskDescription;
  /** The same with its questions, its result or its error. */
  describe(): TaskDescription & Readonly<Record<string, unknown>>;
  /** Says in a few words how far it is. */
  setStatusMessage(message: string): void;
  /** Puts a question to the client, and waits until it is answered. Rejects when the task ends before that. */
  ask(key: string, question: InputRequests[string]): Promise<unknown>;
  /** Takes in what the client answered; answers to questions that nobody has asked are dropped. */
  answer(responses: Readonly<Record<string, unknown>>): void;
  /** Ends it with a result, unless it has ended. */
  complete(result: Readonly<Record<string, unknown>>): void;
  /** Ends it with an error of the protocol, unless it has ended. */
  fail(error: { readonly code: number; readonly message: string }): void;
  /** Ends it and its call, unless it has ended. */
  cancel(): void;
}

interface Waiting {
  readonly question: InputRequests[string];
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Makes a task that runs. `abort` ends its call. */
export function createServedTask(
  who: { readonly id: string; readonly owner: string; readonly ttlMs: number; readonly pollIntervalMs: number },
  abort: () => void,
): ServedTask {
  const { id, owner, ttlMs, pollIntervalMs } = who;
  const createdAt = new Date().toISOString();
  const questions = new Map<string, Waiting>();
  let lastUpdatedAt = createdAt;
  let statusMessage: string | undefined;
  let ending: { readonly status: 'completed' | 'failed' | 'cancelled'; readonly outcome: object } | undefined;

  const touch = (): void => void (lastUpdatedAt = new Date().toISOString());
  const end = (status: 'completed' | 'failed' | 'cancelled', outcome: object): void => {
    if (ending) return;
    ending = { status, outcome };
    touch();
    for (const { reject } of questions.values()) reject(new Error('the task has ended'));
    questions.clear();
  };
  const head = (): TaskDescription => ({
    taskId: id,
    status: ending?.status ?? (questions.size > 0 ? 'input_required' : 'working'),
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
      ...(questions.size > 0
        ? { inputRequests: Object.fromEntries([...questions].map(([key, { question }]) => [key, question])) }
        : {}),
      ...ending?.outcome,
    }),
    setStatusMessage(message) {
      if (ending) return;
      statusMessage = message;
      touch();
    },
    ask: (key, question) =>
      new Promise((resolve, reject) => {
        if (ending) return reject(new Error('the task has ended'));
        questions.set(key, { question, resolve, reject });
        touch();
      }),
    answer(responses) {
      for (const [key, { resolve }] of questions)
        if (Object.hasOwn(responses, key)) {
          questions.delete(key);
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
  };
}
