import type { TaskDescription } from './served-task.ts';

/** Describes a task in the format of the 2025-11-25 revision. */
export function toLegacyTask({ ttlMs, pollIntervalMs, ...task }: TaskDescription): Readonly<Record<string, unknown>> {
  return { ...task, ttl: ttlMs, pollInterval: pollIntervalMs };
}
