/** A value per task, created on first use. */
export interface TaskMemory<Value> {
  of(taskId: string): Value;
  forget(taskId: string): void;
}

/** Tasks that never end are dropped, oldest first. */
const maxTasks = 1_000;

/** Creates a memory for a guardrail. */
export function createTaskMemory<Value>(create: () => Value): TaskMemory<Value> {
  const tasks = new Map<string, Value>();
  return {
    of(taskId) {
      const known = tasks.get(taskId);
      if (known !== undefined) return known;
      const fresh = create();
      tasks.set(taskId, fresh);
      for (const oldest of tasks.keys()) {
        if (tasks.size <= maxTasks) break;
        tasks.delete(oldest);
      }
      return fresh;
    },
    forget(taskId) {
      tasks.delete(taskId);
    },
  };
}
