import { setTimeout as delay } from 'node:timers/promises';
import { ProtocolError, SdkError, SdkErrorCode, type Client } from '@modelcontextprotocol/client';
import { anyResult } from '../any-result.ts';
import { cleanLine } from '../untrusted/clean-text.ts';

type JsonRecord = Readonly<Record<string, unknown>>;

/** Where the task of a result is put, out of sight of whoever reads results. */
const taskKey: unique symbol = Symbol('task');

/** How a task is waited for. */
export interface TaskFollower {
  readonly signal: AbortSignal;
  /** Milliseconds one question may take. */
  readonly idleTimeoutMs: number;
  /** Milliseconds it may take in all. */
  readonly requestTimeoutMs: number;
  /** Hears in the server's words how far it is. */
  readonly onStatus: (message: string) => void;
  /** Answers a question of the server as the host does; absent when the host answers none. */
  readonly answer: ((method: string, params: unknown, signal: AbortSignal) => Promise<unknown>) | undefined;
}

const minPollMs = 50;
const maxPollMs = 30_000;
const defaultPollMs = 1_000;
/** Questions that fail one after another before it is given up. */
const maxFailures = 3;
/** Questions that one task may ask the host. */
const maxQuestions = 100;
const cancelled = -32_000;

/** Makes of a result that says that the call became a task one that the SDK lets pass. */
export function wrapTask(result: JsonRecord): JsonRecord {
  const { resultType, ...task } = result;
  return resultType === 'task' && typeof task['taskId'] === 'string'
    ? { resultType: 'complete', content: [], [taskKey]: task }
    : result;
}

/** Tasks that somebody waits for. */
const claimed = new WeakSet<JsonRecord>();

/** The task that a call became, when it did; whoever asks waits for it from then on. */
export function claimTask(result: unknown): JsonRecord | undefined {
  const task = (result as { readonly [taskKey]?: JsonRecord } | undefined)?.[taskKey];
  if (task) claimed.add(task);
  return task;
}

/** Milliseconds in which a call that waits for a task has taken it. */
const claimMs = 250;

/** Tells the server to end a task whose call was cancelled while the answer was on its way. */
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
 * Waits for a task, answering what it asks, and resolves to the result of its call. A question that fails is asked again, since
 * it changes nothing; the server is told when nobody waits any more.
 *
 * @throws ProtocolError as the call would have; SdkError `RequestTimeout`; what the signal was aborted with.
 */
export async function followTask(client: Client, first: JsonRecord, follower: TaskFollower): Promise<unknown> {
  const taskId = String(first['taskId']);
  const { idleTimeoutMs, requestTimeoutMs, onStatus } = follower;
  const late = AbortSignal.timeout(requestTimeoutMs);
  const signal = AbortSignal.any([follower.signal, late]);
  const answered = new Set<string>();
  const ask = async (method: string, more: object = {}, by: AbortSignal = signal): Promise<JsonRecord> =>
    (await client.request({ method, params: { taskId, ...more } }, anyResult, {
      timeout: idleTimeoutMs,
      signal: by,
    })) as JsonRecord;
  let failures = 0;
  let isUnanswered = false;

  const look = async (): Promise<JsonRecord | undefined> => {
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
  const answerQuestions = async (requests: JsonRecord): Promise<void> => {
    const fresh = Object.entries(requests).filter(([key]) => !answered.has(key));
    if (fresh.length === 0) return;
    if (answered.size + fresh.length > maxQuestions) throw new ProtocolError(cancelled, 'it asks too much');
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
    for (let task: JsonRecord | undefined = first; ; task = await look()) {
      const { status, statusMessage, inputRequests } = task ?? {};
      if (typeof statusMessage === 'string') onStatus(cleanLine(statusMessage, 500));
      if (status === 'completed') return task?.['result'];
      if (status === 'failed') throw errorOf(task?.['error']);
      if (status === 'cancelled') throw new ProtocolError(cancelled, 'the server has cancelled the task');
      if (isRecord(inputRequests)) await answerQuestions(inputRequests);
      await delay(pauseOf(task), undefined, { signal });
    }
  } catch (error) {
    // Best effort: it may be over, or the server gone.
    if (isUnanswered || mayStillRun(error))
      await ask('tasks/cancel', {}, AbortSignal.timeout(1_000)).catch(() => undefined);
    if (late.aborted && !follower.signal.aborted)
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
    throw new ProtocolError(cancelled, 'it asks for what nobody here can answer');
  return answer(method, params ?? {}, signal);
}

/** Whether the next question may be answered although this one was not. */
function isTransient(error: unknown): boolean {
  if (ProtocolError.isInstance(error)) return false;
  return !(
    SdkError.isInstance(error) && [SdkErrorCode.ConnectionClosed, SdkErrorCode.NotConnected].includes(error.code)
  );
}

/** Whether what went wrong is on this side, so that the server goes on unless it is told. */
function mayStillRun(error: unknown): boolean {
  return !ProtocolError.isInstance(error) || error.code === cancelled;
}

function errorOf(error: unknown): ProtocolError {
  const { code, message } = (isRecord(error) ? error : {}) as { readonly code?: unknown; readonly message?: unknown };
  return new ProtocolError(
    typeof code === 'number' ? code : -32_603,
    typeof message === 'string' ? message : 'the task failed',
  );
}

function pauseOf(task: JsonRecord | undefined): number {
  const { pollIntervalMs } = task ?? {};
  const wanted = typeof pollIntervalMs === 'number' && pollIntervalMs > 0 ? pollIntervalMs : defaultPollMs;
  return Math.min(maxPollMs, Math.max(minPollMs, wanted));
}

function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
