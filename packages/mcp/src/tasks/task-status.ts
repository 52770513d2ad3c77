import type { Client } from '@modelcontextprotocol/client';

type Listener = (task: Readonly<Record<string, unknown>>) => void;

const listeners = new WeakMap<Client, Map<string, Listener>>();

/** Passes a status notification of the 2025-11-25 revision to the call that waits for the task. */
export function announceTaskStatus(client: Client, params: unknown): void {
  const { taskId } = (params ?? {}) as { readonly taskId?: unknown };
  if (typeof taskId === 'string') listeners.get(client)?.get(taskId)?.(params as Readonly<Record<string, unknown>>);
}

/** Calls a listener for each status notification of a task. Returns a function that ends this. */
export function onTaskStatus(client: Client, taskId: string, listener: Listener): () => void {
  const known = listeners.get(client) ?? new Map<string, Listener>();
  listeners.set(client, known);
  known.set(taskId, listener);
  return () => void known.delete(taskId);
}
