import { isRecord } from '@haft/core/options';
import { setTimeout as delay } from 'node:timers/promises';
import { ProtocolError, SdkError, SdkErrorCode, type Client } from '@modelcontextprotocol/client';
import { anyResult } from '../any-result.ts';
import { cleanLine } from '../untrusted/clean-text.ts';

type JsonRecord = Readonly<Record<string, unknown>>;

/** Key of the task in a wrapped result, invisible to JSON. */
const taskKey: unique symbol = Symbol('task');

/** Options for following a task. */
export interface TaskFollower {
  readonly signal: AbortSignal;
  /** Milliseconds that one request may take. */
  readonly idleTimeoutMs: number;
  /** Milliseconds that the task may take in total. */
  readonly requestTimeoutMs: number;
  /** Called with the server's status messages. */
  readonly onStatus: (message: string) => void;
  /** Answers requests of the task on behalf of the host; undefined if the host answers none. */
  readonly answer: ((method: string, params: unknown, signal: AbortSignal) => Promise<unknown>) | undefined;
}

const minPollMs = 50;
const maxPollMs = 30_000;
const defaultPollMs = 1_000;
/** Consecutive failed requests before following stops. */
export const maxFailures = 3;
/** Maximum number of requests that one task may make to the host. */
const maxRequests = 100;
const cancelled = -32_000;

/** Wraps a result that announces a task in one that the SDK accepts. */
export function wrapTask(result: JsonRecord): JsonRecord {
  const { resultType, ...task } = result;
  return resultType === 'task' && typeof task['taskId'] === 'string'
    ? { resultType: 'complete', content: [], [taskKey]: task }
    : result;
}

/** Tasks that a call is waiting for. */
const claimed = new WeakSet<JsonRecord>();

/** Returns the task that a call became, if any, and marks it as claimed. */
export function claimTask(result: unknown): JsonRecord | undefined {
  const task = (result as { readonly [taskKey]?: JsonRecord } | undefined)?.[taskKey];
  if (task) claimed.add(task);
  return task;
}

/** Milliseconds within which a waiting call has to claim its task. */
const claimMs = 250;

/** Cancels a task on the server if its call was cancelled while the response was on its way. */
export function cancelUnclaimedTask(client: Client, result: unknown): void {
  const task = (result as { readonly [taskKey]?: JsonRecord } | undefined)?.[taskKey];
  if (!task) return;
  const timer = setTimeout(() => {
    if (claimed.has(task)) return;
    const params = { taskId: task['taskId'] };
    client.request({ method: 'tasks/cancel', params }, anyResult, { timeout: 5_000 }).catch(() => undefined);
  }, claimMs);
  timer.unref();
}

/**
 * Follows a task, answers its requests, and resolves to the result of its call. Failed polls are repeated, since they
 * change nothing. Cancels the task on the server if the caller stops waiting.
 *
 * @throws ProtocolError for a failure of the task; SdkError `RequestTimeout`; the abort reason of the signal.
 */
export async function followTask(client: Client, first: JsonRecord, follower: TaskFollower): Promise<unknown> {
  const taskId = String(first['taskId']);
  const { idleTimeoutMs, requestTimeoutMs, onStatus } = follower;
  const timeout = AbortSignal.timeout(requestTimeoutMs);
  const signal = AbortSignal.any([follower.signal, timeout]);
  const answered = new Set<string>();
  const ask = async (method: string, more: object = {}, by: AbortSignal = signal): Promise<JsonRecord> =>
    (await client.request({ method, params: { taskId, ...more } }, anyResult, {
      timeout: idleTimeoutMs,
      signal: by,
    })) as JsonRecord;
  let failures = 0;
  let isUnanswered = false;

  const poll = async (): Promise<JsonRecord | undefined> => {
    try {
      const task = await ask('tasks/get');
      failures = 0;
      return task;
    } catch (error) {
      failures += 1;
      if (signal.aborted || failures >= maxFailures || !isTransient(error)) throw error;
      return undefined;
    }
  };
  const answerRequests = async (requests: JsonRecord): Promise<void> => {
    const fresh = Object.entries(requests).filter(([key]) => !answered.has(key));
    if (fresh.length === 0) return;
    if (answered.size + fresh.length > maxRequests)
      throw new ProtocolError(cancelled, 'the task made too many requests');
    const responses = await Promise.all(
      fresh.map(async ([key, request]) => {
        answered.add(key);
        return [key, await answerOne(request, follower, signal)] as const;
      }),
    ).catch((error: unknown) => {
      isUnanswered = true;
      throw error;
    });
    await ask('tasks/update', { inputResponses: Object.fromEntries(responses) });
  };

  try {
    for (let task: JsonRecord | undefined = first; ; task = await poll()) {
      const { status, statusMessage, inputRequests } = task ?? {};
      if (typeof statusMessage === 'string') onStatus(cleanLine(statusMessage, 500));
      if (status === 'completed') return task?.['result'];
      if (status === 'failed') throw toProtocolError(task?.['error']);
      if (status === 'cancelled') throw new ProtocolError(cancelled, 'the server cancelled the task');
      if (isRecord(inputRequests)) await answerRequests(inputRequests);
      await delay(pollDelayOf(task?.['pollIntervalMs']), undefined, { signal });
    }
  } catch (error) {
    // Ignored: the task may have ended, or the server may be lost.
    if (isUnanswered || isStillRunning(error))
      await ask('tasks/cancel', {}, AbortSignal.timeout(1_000)).catch(() => undefined);
    if (timeout.aborted && !follower.signal.aborted)
      throw new SdkError(SdkErrorCode.RequestTimeout, `the task took longer than ${requestTimeoutMs} ms`, {});
    throw error;
  }
}

async function answerOne(request: unknown, { answer }: TaskFollower, signal: AbortSignal): Promise<unknown> {
  const { method, params } = (isRecord(request) ? request : {}) as {
    readonly method?: unknown;
    readonly params?: unknown;
  };
  if (typeof method !== 'string' || !answer)
    throw new ProtocolError(cancelled, 'the host does not support this request');
  return answer(method, params ?? {}, signal);
}

/** Returns whether a later request may succeed. */
export function isTransient(error: unknown): boolean {
  if (ProtocolError.isInstance(error)) return false;
  return !(
    SdkError.isInstance(error) && [SdkErrorCode.ConnectionClosed, SdkErrorCode.NotConnected].includes(error.code)
  );
}

/** Returns whether the failure is local, so that the task still runs on the server. */
export function isStillRunning(error: unknown): boolean {
  return !ProtocolError.isInstance(error) || error.code === cancelled;
}

function toProtocolError(error: unknown): ProtocolError {
  const { code, message } = (isRecord(error) ? error : {}) as { readonly code?: unknown; readonly message?: unknown };
  return new ProtocolError(
    typeof code === 'number' ? code : -32_603,
    typeof message === 'string' ? message : 'the task failed',
  );
}

/** Returns the milliseconds until the next poll. The server's suggestion is limited to a range. */
export function pollDelayOf(wish: unknown): number {
  const wanted = typeof wish === 'number' && wish > 0 ? wish : defaultPollMs;
  return Math.min(maxPollMs, Math.max(minPollMs, wanted));
}
