import type { ApprovalView, CallSummary } from '../../../src/contract/page-data.ts';

/**
 * Checks whether a running call may wait to ask: a session asks one question at a time, and another call of the session
 * asks one. The workbench is not told which calls wait, but a call that has reported progress does not.
 */
export function mayWaitToAsk(
  { callId, sessionId, state, line }: Pick<CallSummary, 'callId' | 'sessionId' | 'line'> & { readonly state: string },
  questions: readonly ApprovalView[],
): boolean {
  if (state !== 'running' || line !== '' || questions.some((one) => one.callId === callId)) return false;
  return questions.some((one) => one.sessionId === sessionId);
}
