import { HaftError } from '@haft/core';
import type { AgentResult } from '../contracts/agent-result.ts';

/**
 * Throws if a run failed.
 * @throws HaftError `RUN_FAILED` with the reason; its `cause` is the `error` of the result.
 */
export function throwIfFailed({ stopReason, error }: AgentResult): void {
  if (!error) return;
  const message = `the run failed (${stopReason}, ${error.code}): ${error.message}`;
  throw new HaftError('RUN_FAILED', message, { cause: error });
}
