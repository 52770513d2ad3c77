import type { CallInfo } from '@haft/core';

/** Returns the task of a call: its run or its session. Calls without either share one task. */
export function taskOf({ context }: CallInfo): string {
  return context.runId || context.sessionId || '';
}
