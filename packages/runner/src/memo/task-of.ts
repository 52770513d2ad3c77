import type { CallInfo } from '@haft/core';

/** The task that a call belongs to: its run, else its session. Calls without either share one. */
export function taskOf({ context }: CallInfo): string {
  return context.runId || context.sessionId || '';
}
