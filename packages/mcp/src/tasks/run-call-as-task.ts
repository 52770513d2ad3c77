import { ProtocolError, SdkError } from '@modelcontextprotocol/server';
import type { ServedTask, TaskDescription } from './served-task.ts';
import type { TaskStore } from './task-store.ts';
import type { TaskMode } from './task-options.ts';

/** What a request is answered with whose call has become a task. */
export interface TaskAnswer extends TaskDescription {
  readonly resultType: 'task';
}

/** A call that may become a task. */
export interface TaskCall<Answer> {
  readonly mode: Exclude<TaskMode, 'never'>;
  readonly taskStore: TaskStore;
  readonly owner: string;
  /** Aborts when the request is cancelled, which a task outlives. */
  readonly signal: AbortSignal;
  /** Whether it can still become one: a call that waits for further rounds of its request can't. */
  readonly canBecomeTask: () => boolean;
  /** Hears that it is one from now on. */
  readonly onTask: (task: ServedTask) => void;
  readonly run: (signal: AbortSignal) => Promise<Answer>;
  /** Ends the task with what came of the call. */
  readonly end: (task: ServedTask, answer: Answer) => void;
}

const internalError = -32_603;

/** Runs a call to its end, or until it is a task that goes on by itself. */
export async function runCallAsTask<Answer>(call: TaskCall<Answer>): Promise<Answer | TaskAnswer> {
  const { mode, taskStore, owner, signal } = call;
  const life = new AbortController();
  const abort = (): void => life.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  const begin = (): ServedTask | undefined => {
    const task = taskStore.begin(owner, () => life.abort());
    if (!task) return undefined;
    signal.removeEventListener('abort', abort);
    call.onTask(task);
    return task;
  };

  const early = mode === 'slow' ? undefined : begin();
  if (mode === 'required' && !early) throw new ProtocolError(internalError, 'too many tasks run; call again later');
  const running = call.run(life.signal);
  const isSlow = mode === 'slow' && (await takesLonger(running, taskStore.options.afterMs));
  const task = early ?? (isSlow && !signal.aborted && call.canBecomeTask() ? begin() : undefined);
  if (!task) return running;
  running.then(
    (answer) => call.end(task, answer),
    () => task.fail({ code: internalError, message: 'the call failed' }),
  );
  endWithRequest(task, signal);
  return { resultType: 'task', ...task.head() };
}

/** A request that its client cancels before it is answered takes its task along, of which nobody would ever know. */
function endWithRequest(task: ServedTask, signal: AbortSignal): void {
  const onAbort = (): void => {
    // Where each request has a connection of its own, that ends as soon as it is answered.
    if (!SdkError.isInstance(signal.reason)) task.cancel();
  };
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  setImmediate(() => signal.removeEventListener('abort', onAbort));
}

async function takesLonger(running: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<true>((resolve) => {
    timer = setTimeout(() => resolve(true), ms);
  });
  const done = running.then(
    () => false,
    () => false,
  );
  try {
    return await Promise.race([done, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
