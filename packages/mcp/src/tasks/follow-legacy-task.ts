import { SdkError, SdkErrorCode, type Client } from '@modelcontextprotocol/client';
import { anyResult } from '../any-result.ts';
import { cleanLine } from '../untrusted/clean-text.ts';
import { isStillRunning, isTransient, maxFailures, pollDelayOf, type TaskFollower } from './follow-task.ts';
import { onTaskStatus } from './task-status.ts';

type JsonRecord = Readonly<Record<string, unknown>>;

const ended: ReadonlySet<unknown> = new Set(['completed', 'failed', 'cancelled']);

/** Returns the task in the response to a call of the 2025-11-25 revision, if the call became one. */
export function readLegacyTask(result: unknown): JsonRecord | undefined {
  const { task } = (result ?? {}) as { readonly task?: unknown };
  return typeof task === 'object' && task !== null && typeof (task as JsonRecord)['taskId'] === 'string'
    ? (task as JsonRecord)
    : undefined;
}

/**
 * Follows a task of the 2025-11-25 revision and resolves to the result of its call. Status notifications shorten the
 * wait between polls. The server makes its requests to the host while `tasks/result` waits.
 *
 * @throws ProtocolError for a failure of the task; SdkError `RequestTimeout`; the abort reason of the signal.
 */
export async function followLegacyTask(client: Client, first: JsonRecord, follower: TaskFollower): Promise<unknown> {
  const taskId = String(first['taskId']);
  const { idleTimeoutMs, requestTimeoutMs, onStatus } = follower;
  const timeout = AbortSignal.timeout(requestTimeoutMs);
  const signal = AbortSignal.any([follower.signal, timeout]);
  const ask = async (method: string, timeoutMs: number, by: AbortSignal = signal): Promise<JsonRecord> =>
    (await client.request({ method, params: { taskId } }, anyResult, {
      timeout: timeoutMs,
      signal: by,
    })) as JsonRecord;

  let shown: unknown;
  let announced: JsonRecord | undefined;
  let wake = (): void => undefined;
  const show = (task: JsonRecord): void => {
    const { statusMessage } = task;
    if (typeof statusMessage !== 'string' || statusMessage === shown) return;
    shown = statusMessage;
    onStatus(cleanLine(statusMessage, 500));
  };
  const stop = onTaskStatus(client, taskId, (task) => {
    announced = task;
    show(task);
    if (isDecided(task)) wake();
  });
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      };
      const onAbort = (): void => {
        end();
        reject(signal.reason as Error);
      };
      wake = () => {
        end();
        resolve();
      };
      const timer = setTimeout(wake, ms);
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
    });

  let failures = 0;
  try {
    let isFirst = true;
    let task = first;
    for (;;) {
      show(task);
      if (isDecided(task)) {
        try {
          // Waits for the end of the task, and for answers of the host.
          return await ask('tasks/result', requestTimeoutMs);
        } catch (error) {
          failures += 1;
          if (signal.aborted || failures >= maxFailures || !isTransient(error)) throw error;
        }
      }
      // The task may have changed before this listener was added.
      if (!isFirst) await pause(pollDelayOf(task['pollInterval']));
      isFirst = false;
      const known = announced;
      announced = undefined;
      try {
        task = known ?? (await ask('tasks/get', idleTimeoutMs));
        failures = 0;
      } catch (error) {
        failures += 1;
        if (signal.aborted || failures >= maxFailures || !isTransient(error)) throw error;
      }
    }
  } catch (error) {
    if (signal.aborted || isStillRunning(error))
      await ask('tasks/cancel', 1_000, AbortSignal.timeout(1_000)).catch(() => undefined);
    if (timeout.aborted && !follower.signal.aborted)
      throw new SdkError(SdkErrorCode.RequestTimeout, `the task took longer than ${requestTimeoutMs} ms`, {});
    throw error;
  } finally {
    stop();
  }
}

/** Whether the result can be fetched: the task has ended, or waits for an answer. */
function isDecided({ status }: JsonRecord): boolean {
  return ended.has(status) || status === 'input_required';
}
