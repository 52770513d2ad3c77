import { randomBytes } from 'node:crypto';
import type { AnyTool } from '@haft/core';
import { McpError } from '../mcp-error.ts';
import { createServedTask, type ServedTask } from './served-task.ts';
import type { FilledTaskOptions, TaskMode, TaskOptions } from './task-options.ts';

/** The tasks of a server, across all connections. */
export interface TaskStore {
  readonly options: FilledTaskOptions;
  modeOf(tool: AnyTool | undefined): TaskMode;
  /** Starts a task. Returns undefined if this caller or all callers have too many. */
  begin(owner: string, abort: () => void): ServedTask | undefined;
  /** Returns a task of this caller. Tasks of other callers are not found. */
  find(owner: string, id: string): ServedTask | undefined;
  /** Returns the tasks of this caller. */
  list(owner: string): readonly ServedTask[];
  /** Cancels and removes all tasks. */
  close(): void;
}

/** Number of callers with `maxTasks` tasks at which the store is full. Further calls wait for their results. */
const maxFullCallers = 10;

/**
 * Creates a task store.
 *
 * @throws McpError `INVALID_OPTION` for a limit that is not a positive integer.
 */
export function createTaskStore(given: TaskOptions): TaskStore {
  const options: FilledTaskOptions = {
    mode: given.mode ?? (() => 'slow'),
    afterMs: given.afterMs ?? 2_000,
    ttlMs: given.ttlMs ?? 3_600_000,
    pollIntervalMs: given.pollIntervalMs ?? 500,
    maxTasks: given.maxTasks ?? 1_000,
  };
  for (const name of ['afterMs', 'ttlMs', 'pollIntervalMs', 'maxTasks'] as const)
    if (!(Number.isInteger(options[name]) && options[name] > 0 && options[name] < 2 ** 31))
      throw new McpError(
        'INVALID_OPTION',
        `tasks.${name} is not valid (expected a whole number above 0, got ${String(options[name])})`,
      );
  const tasks = new Map<string, { readonly task: ServedTask; readonly timer: NodeJS.Timeout }>();
  /** Number of tasks per caller, so that one caller can't use up the limit of another. */
  const counts = new Map<string, number>();
  const forget = (id: string, owner: string): void => {
    if (!tasks.delete(id)) return;
    const left = (counts.get(owner) ?? 1) - 1;
    if (left > 0) counts.set(owner, left);
    else counts.delete(owner);
  };

  return {
    options,
    modeOf: (tool) => (tool ? options.mode(tool) : 'never'),
    begin(owner, abort) {
      const count = counts.get(owner) ?? 0;
      if (count >= options.maxTasks || tasks.size >= maxFullCallers * options.maxTasks) return undefined;
      // Without caller identities, the random id is what protects a task.
      const id = randomBytes(24).toString('base64url');
      const { ttlMs, pollIntervalMs } = options;
      const task = createServedTask({ id, owner, ttlMs, pollIntervalMs }, abort);
      const timer = setTimeout(() => {
        forget(id, owner);
        task.cancel();
      }, ttlMs);
      timer.unref();
      tasks.set(id, { task, timer });
      counts.set(owner, count + 1);
      return task;
    },
    find(owner, id) {
      const task = tasks.get(id)?.task;
      return task?.owner === owner ? task : undefined;
    },
    list: (owner) => [...tasks.values()].flatMap(({ task }) => (task.owner === owner ? [task] : [])),
    close() {
      for (const { task, timer } of tasks.values()) {
        clearTimeout(timer);
        task.cancel();
      }
      tasks.clear();
      counts.clear();
    },
  };
}
