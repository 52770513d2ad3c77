import { failure, success, toolError, type ToolResult } from '@haft/core';
import { toStoredResult } from '@haft/core/results';

/** Identifies a call in the texts of its result. */
export interface NamedCall {
  readonly tool: string;
  readonly callId: string;
  readonly attempt: number;
}

/** Returns the result of a call that may have run. */
export function unknownOutcome({ tool, callId, attempt }: NamedCall, reason: string): ToolResult {
  const error = toolError('OUTCOME_UNKNOWN', `${tool} may or may not have had its effect: ${reason}`, {
    hint: `Don't call ${tool} again with the same arguments. Check its effect with another tool, or tell the user to settle it.`,
    details: { attempt },
  });
  return { ...failure(callId, error), name: tool, summary: `It is not known whether ${tool} ran` };
}

/** Returns the result of a job that is given up and had no effect. */
export function givenUp({ tool, callId }: NamedCall, reason: string): ToolResult {
  const message = `${tool} had no effect and has no result: ${reason}`;
  return { ...failure(callId, toolError('EXECUTION_ERROR', message, { modelMessage: `${message}.` })), name: tool };
}

/** Returns the result of a call that was cancelled before it had an effect. */
export function cancelled({ tool, callId }: NamedCall, reason: string): ToolResult {
  return {
    ...failure(callId, toolError('ABORTED', `${tool} was cancelled before it had an effect: ${reason}`)),
    name: tool,
  };
}

/** Returns the result of a call that a person settled without one. */
export function settledResult({ tool, callId, attempt }: NamedCall, as: 'done' | 'failed', by: string): ToolResult {
  if (as === 'done') return { ...success(callId, `${tool} had its effect, as ${by} confirmed.`), name: tool };
  const message = `${tool} did not have its effect, as ${by} confirmed`;
  const error = toolError('OUTCOME_UNKNOWN', message, {
    details: { attempt },
    hint: 'Call it again if it is still needed.',
  });
  return { ...failure(callId, error), name: tool };
}

/** Returns a result as text for the ledger. */
export async function serializeResult(result: ToolResult): Promise<string> {
  return JSON.stringify(await toStoredResult(result));
}
