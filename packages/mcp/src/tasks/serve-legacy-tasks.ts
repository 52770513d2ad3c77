import { ProtocolError, type Server, type ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { anyResult } from '../any-result.ts';
import { isModernRequest, ownerOf } from './serve-tasks.ts';
import { toLegacyTask } from './legacy-task.ts';
import type { ServedTask } from './served-task.ts';
import type { TaskStore } from './task-store.ts';
import type { TaskMode } from './task-options.ts';

const methodNotFound = -32_601;
const invalidParams = -32_602;
const taskQuestion = z.looseObject({ taskId: z.string() });
const relatedTask = 'io.modelcontextprotocol/related-task';

/** Capabilities of a server with tasks in the 2025-11-25 revision. */
export const legacyTaskCapabilities = { list: {}, cancel: {}, requests: { tools: { call: {} } } } as const;

/** Returns the `execution` member of a listed tool in the 2025-11-25 revision. */
export function legacyTaskSupport(mode: TaskMode): 'required' | 'optional' | undefined {
  return mode === 'never' ? undefined : mode === 'required' ? 'required' : 'optional';
}

/** Notifies a client of each change of its task. Failures are ignored: the client polls. */
export function notifyTaskStatus(server: Pick<Server, 'notification'>, task: ServedTask): void {
  task.onChange(() => {
    const params = toLegacyTask(task.head());
    void server.notification({ method: 'notifications/tasks/status', params }).catch(() => undefined);
  });
}

/**
 * Handles the task requests that only the 2025-11-25 revision has: results and lists. The others have the same names in
 * the newer revision.
 */
export function serveLegacyTasks(server: Server, taskStore: TaskStore): void {
  const refuseModern = (context: ServerContext): void => {
    if (isModernRequest(context)) throw new ProtocolError(methodNotFound, 'Method not found');
  };
  server.setRequestHandler('tasks/list', { params: z.looseObject({}).optional() }, (_params, context) => {
    refuseModern(context);
    return { tasks: taskStore.list(ownerOf(context)).map((task) => toLegacyTask(task.head())) };
  });
  server.setRequestHandler('tasks/result', { params: taskQuestion }, async ({ taskId }, context) => {
    refuseModern(context);
    const task = taskStore.find(ownerOf(context), taskId);
    if (!task) throw new ProtocolError(invalidParams, 'task not found; it may have expired');
    await forwardRequests(task, context);
    const { status, result, error } = task.describe();
    if (status === 'cancelled') throw new ProtocolError(invalidParams, 'the task was cancelled');
    if (status === 'failed') {
      const { code, message } = error as { readonly code: number; readonly message: string };
      throw new ProtocolError(code, message);
    }
    const { _meta: meta, ...rest } = result as Readonly<Record<string, unknown>>;
    return { ...rest, _meta: { ...(meta as object), [relatedTask]: { taskId } } };
  });
}

/** Passes the requests of a task to the client until it ends. */
async function forwardRequests(task: ServedTask, { mcpReq }: ServerContext): Promise<void> {
  const sent = new Set<string>();
  for (;;) {
    const changed = task.nextChange(mcpReq.signal);
    const { inputRequests, status } = task.describe();
    if (status !== 'working' && status !== 'input_required') return;
    for (const [key, request] of Object.entries((inputRequests ?? {}) as Readonly<Record<string, object>>)) {
      if (sent.has(key)) continue;
      sent.add(key);
      const { method, params } = request as { readonly method: string; readonly params?: object };
      const meta = { [relatedTask]: { taskId: task.id } };
      mcpReq.send({ method, params: { ...params, _meta: meta } } as never, anyResult as never).then(
        (answer: unknown) => {
          // If an answer does not match, the request is repeated.
          sent.delete(key);
          return task.answer({ [key]: answer });
        },
        () => task.cancel(),
      );
    }
    await changed;
    if (mcpReq.signal.aborted) throw mcpReq.signal.reason;
  }
}
