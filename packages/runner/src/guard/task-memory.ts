/** Something remembered for each task, made when it is first needed. */
export interface TaskMemory<Value> {
  of(taskId: string): Value;
  forget(taskId: string): void;
}

/** Tasks that nobody ends are forgotten in the order in which they began. */
const maxTasks = 1_000;

/** Makes a memory for a guardrail. */
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
