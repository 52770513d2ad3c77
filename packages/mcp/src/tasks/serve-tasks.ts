import {
  CLIENT_CAPABILITIES_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { toLegacyTask } from './legacy-task.ts';
import { callerKeyOf } from '../callers/caller-key.ts';
import type { ServedTask } from './served-task.ts';
import type { TaskStore } from './task-store.ts';
import { tasksExtension } from './task-options.ts';

const invalidParams = -32_602;
const taskQuestion = z.looseObject({ taskId: z.string() });

/** Returns whether the client of a request supports tasks. Clients announce it with each request. */
export function supportsTasks({ mcpReq }: Pick<ServerContext, 'mcpReq'>): boolean {
  const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const { extensions } = (envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {}) as {
    readonly extensions?: Readonly<Record<string, unknown>>;
  };
  return extensions?.[tasksExtension] !== undefined;
}

/** Whether a request belongs to the modern era, in which clients identify themselves with every request. */
export function isModernRequest({ mcpReq }: Pick<ServerContext, 'mcpReq'>): boolean {
  return (mcpReq.envelope as Readonly<Record<string, unknown>> | undefined)?.[PROTOCOL_VERSION_META_KEY] !== undefined;
}

/** Returns the caller that tasks belong to. */
export function ownerOf({ http }: Pick<ServerContext, 'http'>): string {
  return http?.authInfo ? callerKeyOf(http.authInfo) : '';
}

/** Creates the error for a client without task support that calls a tool that requires tasks. */
export function tasksRequiredError(): MissingRequiredClientCapabilityError {
  return new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [tasksExtension]: {} } } });
}

/** Handles task requests of clients. */
export function serveTasks(server: Server, taskStore: TaskStore): void {
  const find = (context: ServerContext, id: string): ServedTask => {
    if (isModernRequest(context) && !supportsTasks(context)) throw tasksRequiredError();
    const task = taskStore.find(ownerOf(context), id);
    if (!task) throw new ProtocolError(invalidParams, 'task not found; it may have expired');
    return task;
  };
  server.setRequestHandler('tasks/get', { params: taskQuestion }, ({ taskId }, context) => {
    const task = find(context, taskId);
    return isModernRequest(context) ? { ...task.describe() } : { ...toLegacyTask(task.head()) };
  });
  server.setRequestHandler('tasks/update', { params: taskQuestion }, ({ taskId }, context) => {
    // The SDK moves responses out of the parameters of every request.
    find(context, taskId).answer(context.mcpReq.inputResponses ?? {});
    return {};
  });
  server.setRequestHandler('tasks/cancel', { params: taskQuestion }, ({ taskId }, context) => {
    const task = find(context, taskId);
    if (isModernRequest(context)) {
      task.cancel();
      return {};
    }
    const { status } = task.head();
    if (status !== 'working' && status !== 'input_required')
      throw new ProtocolError(invalidParams, `the task has ended already: ${status}`);
    task.cancel();
    return { ...toLegacyTask(task.head()) };
  });
}
