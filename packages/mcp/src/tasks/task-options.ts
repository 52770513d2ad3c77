import type { AnyTool } from '@haft/core';

/** Name of the protocol's extension for calls that outlive their request. */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

/**
 * When calls of a tool become tasks. `never`: the request waits for the result. `slow`: calls that take longer than
 * `afterMs`. `always`: all calls, at once. `required`: like `always`, and clients without task support can't call the
 * tool.
 */
export type TaskMode = 'never' | 'slow' | 'always' | 'required';

/** Options for tasks. */
export interface TaskOptions {
  /** Returns the mode of a tool. Default: `slow` for every tool. */
  readonly mode?: (tool: AnyTool) => TaskMode;
  /** Milliseconds after which a call in mode `slow` becomes a task. Default 2,000. */
  readonly afterMs?: number;
  /**
   * Milliseconds after its start at which a task is deleted. A task that is still running is cancelled. Default
   * 3,600,000.
   */
  readonly ttlMs?: number;
  /** Milliseconds that clients should wait between polls. Default 500. */
  readonly pollIntervalMs?: number;
  /**
   * Maximum number of stored tasks per caller, finished ones included. At the limit, calls wait for their results
   * instead. All callers together may have ten times as many. `authenticate` identifies callers. Default 1,000.
   */
  readonly maxTasks?: number;
}

/** The options with defaults applied. */
export type FilledTaskOptions = Required<TaskOptions>;
