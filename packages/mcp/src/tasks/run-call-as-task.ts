import { ProtocolError, SdkError } from '@modelcontextprotocol/server';
import type { ServedTask, TaskDescription } from './served-task.ts';
import type { TaskStore } from './task-store.ts';
import type { TaskMode } from './task-options.ts';

/** Response to a request whose call became a task. */
export interface TaskAnswer extends TaskDescription {
  readonly resultType: 'task';
}

/** A call that may become a task. */
export interface TaskCall<Answer> {
  readonly mode: Exclude<TaskMode, 'never'>;
  readonly taskStore: TaskStore;
  readonly owner: string;
  /** Aborts when the request is cancelled. A task outlives its request. */
  readonly signal: AbortSignal;
  /**
   * Returns whether the call can still become a task. It can't while it waits for input through further rounds of its
   * request.
   */
  readonly canBecomeTask: () => boolean;
  /** Called when the call becomes a task. */
  readonly onTask: (task: ServedTask) => void;
  readonly run: (signal: AbortSignal) => Promise<Answer>;
  /** Ends the task with the outcome of the call. */
  readonly end: (task: ServedTask, answer: Answer) => void;
}

const internalError = -32_603;

/** Runs a call until it finishes or becomes a task. */
export async function runCallAsTask<Answer>(call: TaskCall<Answer>): Promise<Answer | TaskAnswer> {
  const { mode, taskStore, owner, signal } = call;
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  const begin = (): ServedTask | undefined => {
    const task = taskStore.begin(owner, () => controller.abort());
    if (!task) return undefined;
    signal.removeEventListener('abort', abort);
    call.onTask(task);
    return task;
  };

  const earlyTask = mode === 'slow' ? undefined : begin();
  if (mode === 'required' && !earlyTask)
    throw new ProtocolError(internalError, 'too many tasks are running; call again later');
  const running = call.run(controller.signal);
  const isSlow = mode === 'slow' && (await takesLonger(running, taskStore.options.afterMs));
  const task = earlyTask ?? (isSlow && !signal.aborted && call.canBecomeTask() ? begin() : undefined);
  if (!task) return running;
  running.then(
    (answer) => call.end(task, answer),
    () => task.fail({ code: internalError, message: 'the call failed' }),
  );
  endWithRequest(task, signal);
  return { resultType: 'task', ...task.head() };
}

/** Cancels the task if its request is cancelled before the response is sent: no client would ever learn its id. */
function endWithRequest(task: ServedTask, signal: AbortSignal): void {
  const onAbort = (): void => {
    // Over HTTP, the connection of a request closes as soon as the response is sent.
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
