import type { AnyTool } from '@haft/core';

/** The protocol's extension for calls that outlive their request. */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

/**
 * How the calls of a tool become tasks. `never`: their request waits for the result. `slow`: those that take longer than
 * `afterMs`. `always`: all of them, at once. `required`: the same, and clients that don't know tasks can't call the tool.
 */
export type TaskMode = 'never' | 'slow' | 'always' | 'required';

/** Which calls become tasks, and how long these are kept. */
export interface TaskOptions {
  /** Default: `slow` for every tool. */
  readonly mode?: (tool: AnyTool) => TaskMode;
  /** Milliseconds after which a call in the mode `slow` becomes a task; default 2,000. */
  readonly afterMs?: number;
  /** Milliseconds from its beginning that a task is kept; one that still runs then is ended. Default 3,600,000. */
  readonly ttlMs?: number;
  /** Milliseconds that clients are asked to wait between two questions how a task is; default 500. */
  readonly pollIntervalMs?: number;
  /**
   * Tasks of one caller that are kept at once, ended ones among them; while there are so many, its calls are waited for. Of all callers
   * together ten times as many are kept. Callers are told apart by `authenticate`. Default 1,000.
   */
  readonly maxTasks?: number;
}

/** The options with every default filled in. */
export type FilledTaskOptions = Required<TaskOptions>;
