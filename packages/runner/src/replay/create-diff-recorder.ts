import { fileEffects } from '@haft/core/results';
import type { DispatchMiddleware, FileDiff, FileEffect } from '@haft/core';
import { taskOf } from '../memo/memo-task.ts';

/** Changes of one call, according to its result. */
export interface RecordedDiff {
  readonly turn: number;
  readonly callId: string;
  readonly name: string;
  /** Missing if the tool returned no diff. */
  readonly diff?: FileDiff;
  /** Changed files, without files that were only read. */
  readonly effects: readonly FileEffect[];
}

/** Middleware that records the changes of calls by task and turn. */
export interface DiffRecorder extends DispatchMiddleware {
  /** Returns the changes of a task (a `runId`) as JSON data, in the order in which calls ended. */
  diffs(taskId: string): readonly RecordedDiff[];
  forget(taskId: string): void;
}

/**
 * Creates a recorder for evaluations. It stores the diffs that tools report, until `forgetTask`. Unreported changes,
 * such as those of commands, need a journal.
 *
 * @example
 * import { createDiffRecorder } from '@haft/runner';
 * const recorder = createDiffRecorder();
 * recorder.diffs('task_1').length; // => 0
 */
export function createDiffRecorder(): DiffRecorder {
  const tasks = new Map<string, RecordedDiff[]>();
  return {
    name: 'diff-recorder',
    async around(info, next) {
      const result = await next();
      const effects = fileEffects(result).filter(({ op }) => op !== 'read');
      if (effects.length > 0 || result.diff) {
        const { call, context } = info;
        const recorded = { turn: context.turn ?? 0, callId: call.id, name: call.name, effects };
        const taskId = taskOf(info);
        const diffs = tasks.get(taskId) ?? [];
        tasks.set(taskId, diffs);
        diffs.push(result.diff ? { ...recorded, diff: result.diff } : recorded);
      }
      return result;
    },
    diffs: (taskId) => [...(tasks.get(taskId) ?? [])],
    forget: (taskId) => void tasks.delete(taskId),
  };
}
