import { fileEffects } from '@haft/core/results';
import type { DispatchMiddleware, FileDiff, FileEffect } from '@haft/core';
import { taskOf } from '../memo/task-of.ts';

/** What one call changed, as its result tells. */
export interface RecordedDiff {
  readonly turn: number;
  readonly callId: string;
  readonly name: string;
  /** Absent where the tool made none. */
  readonly diff?: FileDiff;
  /** Changes of files; those that were only read are left out. */
  readonly effects: readonly FileEffect[];
}

/** Middleware that keeps what calls changed, by task and turn. */
export interface DiffRecorder extends DispatchMiddleware {
  /** The changes of a task, named by its `runId`, in the order in which calls ended: plain data, for JSON. */
  diffs(taskId: string): readonly RecordedDiff[];
  forget(taskId: string): void;
}

/**
 * Makes a recorder for evaluations: it keeps the diffs that tools report, until `forget`. What tools change without
 * saying so, as commands do, it doesn't see: that is what a journal is for.
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
